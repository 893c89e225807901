/** The cluster of `kgen dev --cluster`: the operator on this machine, in place of the deployed one. */
import { constants } from 'node:os';
import { join } from 'node:path';
import { isNotFound } from '@kgen/runtime';
import type { Cluster } from '../../project/cluster/cluster.ts';
import { install } from '../../project/cluster/definitions.ts';
import { lockOf, takeLock } from '../../project/cluster/lock.ts';
import { deploymentKind } from '../../project/cluster/operator.ts';
import { checkUncalled, localNamespace } from '../../project/local/checks.ts';
import { startGuard } from '../../project/local/guard.ts';
import { writeKubeconfig } from '../../project/local/kubeconfig.ts';
import { checkPause, pause } from '../../project/local/pause.ts';
import type { LocalPorts } from '../../project/local/ports.ts';
import type { RestorePlan } from '../../project/local/restore.ts';
import { hasWebhooks, type LocalWebhooks, webhookObjects } from '../../project/local/webhooks.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import type { ProjectRun } from './cluster.ts';
import {
  choiceText,
  type LocalOptions,
  localDefinitions,
  localPortsOf,
  localWebhooks,
  orRemoved,
  preview,
  testingCommands,
  warnUncalled,
} from './local.ts';
import type { DevCluster, DevSamples, OperatorProcess } from './run.ts';

/** Options of `kgen dev --cluster`. */
export interface DevClusterOptions extends LocalOptions {
  /** Whether samples are applied. */
  readonly samples?: boolean;
  /** Takes over fields of definitions that others have changed. */
  readonly force?: boolean;
}

/** An operator on this machine, beside a cluster. */
export interface RealDevCluster extends DevCluster {
  /** Aborts with the first signal of the process; the second one ends it. */
  readonly signal: AbortSignal;
  /** Ends the operator, restores the deployed one, and returns the exit status. */
  end(): Promise<number>;
}

/** Result of `openDevCluster`. */
export type OpenedDevCluster =
  | { readonly kind: 'open'; readonly dev: RealDevCluster; readonly ports: LocalPorts }
  | { readonly kind: 'dry-run'; readonly status: number };

/**
 * Prepares an operator on this machine. The deployed one is paused when it starts, and restored at the end,
 * also after SIGKILL.
 * @throws {Refusal} another user pauses the deployed operator
 */
export async function openDevCluster(
  cluster: Cluster,
  run: ProjectRun,
  options: DevClusterOptions,
): Promise<OpenedDevCluster> {
  const { place, console, kubeconfig, session } = run;
  const { cwd, stderr } = console;
  const commands = await testingCommands(cwd, 'kgen dev');
  const deployment = await cluster.find({ ...deploymentKind, ...place });
  checkPause(deployment, session);
  const webhooks = await servedWebhooks(cluster, run, options, deployment !== undefined);
  if (options.dryRun === true) return { kind: 'dry-run', status: await preview(cluster, run, webhooks) };
  const [ports, namespace] = await orRemoved(
    webhooks,
    Promise.all([localPortsOf(run, options), localNamespace(cluster, place)]),
  );
  const local = await writeKubeconfig({ context: cluster.config.context, kubeconfig, namespace });
  const guard = startGuard(local, webhooks === undefined ? [] : [webhooks.folder]);
  const keep = keeperOf(guard, { ...place, choice: choiceText(cluster.config.context, kubeconfig) });
  const { stop, status } = stopOn(console);
  let hasEnded = (): void => undefined;
  const operator = await commands.operator(join(cwd, 'src/main.ts'), {
    env: { ...local.env, ...webhooks?.env, ...ports.env, KGEN_LEASE: leaseName(place.name) },
    isGroup: true,
    held: guard.held,
    onEnd: ({ text }) => {
      if (!stop.signal.aborted) stderr.write(`The operator ${text}; it starts after the next change.\n`);
      hasEnded();
    },
  });
  const samples = options.samples === true ? await commands.samples(cwd) : undefined;
  const { signal } = stop;
  const parts = { cluster, run, options, keep, webhooks, operator, samples, namespace, signal };
  const started = new LocalOperator(parts);
  const dev: RealDevCluster = {
    kubeconfig: local.file,
    signal,
    update: () => started.update(),
    end: async () => {
      stop.abort();
      await new Promise<void>((resolve) => {
        hasEnded = resolve;
        if (operator.isRunning) operator.signal('SIGTERM');
        else resolve();
      });
      return (await guard.end()) ? status() : exitCodes.problems;
    },
  };
  return { kind: 'open', dev, ports };
}

/** Guards a plan, and returns the function that changes it. */
function keeperOf(guard: ReturnType<typeof startGuard>, begun: RestorePlan): LocalParts['keep'] {
  let plan = begun;
  guard.guard(plan);
  return (more) => {
    plan = { ...plan, ...more };
    guard.guard(plan);
  };
}

/**
 * Returns the webhooks of this machine; `undefined` if the cluster does not reach it.
 * @throws {Refusal} the server would refuse writes without them
 */
async function servedWebhooks(
  cluster: Cluster,
  run: ProjectRun,
  options: LocalOptions,
  isDeployed: boolean,
): Promise<LocalWebhooks | undefined> {
  const { place, console } = run;
  const { webhooks, problem = '' } = await localWebhooks(cluster, run, options);
  if (webhooks !== undefined) return webhooks;
  if (isDeployed) await checkUncalled(cluster, place, localDefinitions(console.cwd), problem);
  if (hasWebhooks(webhookObjects(console.cwd, place))) warnUncalled(problem, console);
  return undefined;
}

/** Returns a signal that aborts with the first one of the process, and the exit status. */
function stopOn({ onSignal }: Console): { readonly stop: AbortController; readonly status: () => number } {
  const stop = new AbortController();
  let status: number = exitCodes.ok;
  onSignal?.((signal) => {
    // The guard restores the cluster then, too.
    if (status !== exitCodes.ok) process.exit(status);
    status = 128 + constants.signals[signal];
    stop.abort();
  });
  return { stop, status: () => status };
}

/** Returns the name of the lease of an operator on this machine. */
function leaseName(operator: string): string {
  return `${operator}-local`;
}

/** Parts of `LocalOperator`. */
interface LocalParts {
  readonly cluster: Cluster;
  readonly run: ProjectRun;
  readonly options: DevClusterOptions;
  /** Changes the state that is restored at the end. */
  readonly keep: (more: Partial<RestorePlan>) => void;
  readonly webhooks: LocalWebhooks | undefined;
  readonly operator: OperatorProcess;
  readonly samples: DevSamples | undefined;
  /** Namespace of the kubeconfig. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

class LocalOperator {
  readonly #parts: LocalParts;
  #isPaused = false;
  /** Definitions that were applied last. */
  #definitions = '';

  constructor(parts: LocalParts) {
    this.#parts = parts;
  }

  async update(): Promise<void> {
    const { cluster, operator, webhooks, keep, samples, signal } = this.#parts;
    const isRunning = (): boolean => operator.isRunning && !signal.aborted;
    if (!this.#isPaused) await this.#pause();
    this.#isPaused = true;
    if (signal.aborted) return;
    await this.#install();
    if (signal.aborted) return;
    await operator.update(() => {
      // The program was bundled meanwhile.
      signal.throwIfAborted();
      webhooks?.restarts();
      return this.#releaseLease();
    });
    if (signal.aborted) return;
    await webhooks?.register(cluster, isRunning, (each) => keep({ webhooks: each }));
    await samples?.apply(cluster.rest, isRunning);
  }

  async #pause(): Promise<void> {
    const { cluster, run, keep, signal } = this.#parts;
    const { place, session } = run;
    // Nobody deploys meanwhile. The lock needs the namespace, which a deployed operator has.
    if ((await cluster.find({ ...deploymentKind, ...place })) === undefined) return;
    const lock = await takeLock(cluster, place, session);
    try {
      const willPause: Parameters<typeof pause>[1]['willPause'] = (each) => keep({ pause: each });
      const holder = `${session.user}/${process.pid}`;
      await pause(cluster, { ...place, holder, willPause, signal }, session);
    } finally {
      await lock.release();
    }
  }

  async #install(): Promise<void> {
    const { cluster, run, webhooks, options } = this.#parts;
    const { place, console, session } = run;
    const objects = localDefinitions(console.cwd);
    const text = JSON.stringify(objects);
    if (text === this.#definitions || objects.length === 0) return;
    const applied = webhooks?.definitions(objects) ?? objects;
    await install(cluster, { ...place, objects: applied, force: options.force }, session);
    this.#definitions = text;
  }

  /** Of an operator that did not stop by itself: the next one would wait for its end. */
  async #releaseLease(): Promise<void> {
    const { cluster, run, namespace } = this.#parts;
    const { name } = run.place;
    try {
      await cluster.delete({ ...lockOf({ name, namespace }), name: leaseName(name) });
    } catch (cause) {
      if (!isNotFound(cause)) throw cause;
    }
  }
}
