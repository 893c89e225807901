/** Operators of projects on this machine, against a cluster. */
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { warning } from '../../common/problems.ts';
import type { Cluster } from '../../project/cluster/cluster.ts';
import { readObjects } from '../../project/cluster/operator.ts';
import { checkInstalled, checkNotDeployed, localNamespace } from '../../project/local/checks.ts';
import { startGuard } from '../../project/local/guard.ts';
import { writeKubeconfig } from '../../project/local/kubeconfig.ts';
import { type LocalPorts, localPorts } from '../../project/local/ports.ts';
import { webhookHost } from '../../project/local/webhook-host.ts';
import { hasWebhooks, LocalWebhooks, webhookObjects, webhookPort } from '../../project/local/webhooks.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import type { ProjectRun } from './cluster.ts';
import { openLivePage } from './live-page.ts';
import { loadCommands, type OperatorOptions, type TestingCommands } from './run.ts';

/** Options of commands that run an operator on this machine. */
export interface LocalOptions {
  /** Host by which the API server reaches the webhooks of this machine. */
  readonly webhookHost?: string | undefined;
  /** Prints what would be changed. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Runs the operator until it ends, and returns its exit status.
 * @throws {Refusal} definitions are missing, or the deployed operator runs
 */
export async function runOnCluster(
  cluster: Cluster,
  run: ProjectRun,
  options: LocalOptions,
): Promise<number> {
  const { place, kubeconfig, console } = run;
  const { cwd } = console;
  const commands = await testingCommands(cwd, 'kgen run');
  await checkInstalled(cluster, localDefinitions(cwd));
  await checkNotDeployed(cluster, place);
  const isCalled = hasWebhooks(webhookObjects(cwd, place));
  const { webhooks, problem = '' } = isCalled ? await localWebhooks(cluster, run, options) : {};
  if (webhooks === undefined && isCalled) warnUncalled(problem, console);
  if (options.dryRun === true) return preview(cluster, run, webhooks);
  const { context } = cluster.config;
  const { namespace, ports, lines } = await orRemoved(webhooks, preparedRun(cluster, run, options));
  const local = await writeKubeconfig({ context, kubeconfig, namespace });
  const env = { ...local.env, ...ports.env };
  for (const line of lines) run.session.print(line);
  if (webhooks === undefined) return ended(commands, { env }, console).finally(local.remove);
  const guard = startGuard(local, [webhooks.folder]);
  const plan = { ...place, choice: choiceText(context, kubeconfig) };
  let status: number = exitCodes.internal;
  try {
    const parts = { env: { ...env, ...webhooks.env }, held: guard.held };
    guard.guard(plan);
    status = await ended(commands, parts, console, (isRunning) =>
      webhooks.register(cluster, isRunning, (each) => guard.guard({ ...plan, webhooks: each })),
    );
  } finally {
    if (!(await guard.end())) status = exitCodes.problems;
  }
  return status;
}

/** Removes the credentials of webhooks if a step fails before the guard does so at the end. */
export async function orRemoved<T>(webhooks: LocalWebhooks | undefined, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (cause) {
    webhooks?.remove();
    throw cause;
  }
}

/** Returns what a run needs besides its kubeconfig. */
async function preparedRun(cluster: Cluster, run: ProjectRun, options: LocalOptions) {
  const namespace = await localNamespace(cluster, run.place);
  const ports = await localPortsOf(run, options);
  return { namespace, ports, lines: await openLivePage(ports) };
}

/** Returns the webhooks of this machine, or the reason why the cluster cannot call them. */
export async function localWebhooks(
  cluster: Cluster,
  { place, console, session }: ProjectRun,
  options: LocalOptions,
): Promise<{ readonly webhooks?: LocalWebhooks; readonly problem?: string }> {
  const host = await webhookHost(cluster.config, options.webhookHost);
  if ('problem' in host) return { problem: host.problem };
  return { webhooks: new LocalWebhooks({ host, place, cwd: console.cwd, session }) };
}

/** Returns the ports of a program. A host with a port forwards to the stated one. */
export function localPortsOf(
  { console }: ProjectRun,
  { webhookHost: host }: LocalOptions,
): Promise<LocalPorts> {
  return localPorts(host?.includes(':') === true ? undefined : webhookPort(console.cwd));
}

/** Prints that the cluster does not call the webhooks of the program. */
export function warnUncalled(problem: string, { stderr }: Console): void {
  stderr.write(
    problemLines(
      [warning(`the cluster does not call the webhooks of the program: ${problem}`)],
      stderr.paint,
    ),
  );
}

/** Prints the registrations of webhooks, and returns the exit status. */
export async function preview(
  cluster: Cluster,
  { session }: ProjectRun,
  webhooks: LocalWebhooks | undefined,
): Promise<number> {
  try {
    await webhooks?.preview(cluster);
  } finally {
    webhooks?.remove();
  }
  session.print('Nothing was changed.');
  return exitCodes.ok;
}

/** Returns the options of a command line that choose a cluster. */
export function choiceText(context: string | undefined, kubeconfig: string | undefined): string {
  return [
    ...(kubeconfig === undefined ? [] : [`--kubeconfig ${kubeconfig}`]),
    ...(context === undefined ? [] : [`--context ${context}`]),
  ].join(' ');
}

/** @throws {Refusal} the project does not have the package */
export async function testingCommands(cwd: string, command: string): Promise<TestingCommands> {
  const commands = await loadCommands(join(cwd, 'package.json'));
  if (commands !== undefined) return commands;
  throw new Refusal(`${command} needs @kgen/testing: npm install --save-dev @kgen/testing`);
}

/** Returns the definitions of a project; none if it has no kinds of its own. */
export function localDefinitions(cwd: string): readonly JsonObject[] {
  return existsSync(join(cwd, 'config/crd')) ? readObjects(cwd, 'config/crd') : [];
}

/** @param whenStarted called once the program runs; its errors end the program */
function ended(
  commands: TestingCommands,
  parts: Pick<OperatorOptions, 'env' | 'held'>,
  { cwd, stderr, onSignal }: Console,
  whenStarted?: (isRunning: () => boolean) => Promise<void>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let problem: unknown;
    let isEnded = false;
    const end = (status: number): void => {
      isEnded = true;
      resolve(status);
    };
    const started = commands.operator(join(cwd, 'src/main.ts'), {
      ...parts,
      isGroup: true,
      onEnd: ({ status, text }) => {
        if (problem !== undefined) return reject(problem);
        if (status !== exitCodes.ok) stderr.write(`The operator ${text}.\n`);
        resolve(status);
      },
    });
    onSignal?.((signal) => {
      const status = 128 + constants.signals[signal];
      started
        .then((operator) => (operator.isRunning ? operator.signal(signal) : end(status)))
        .catch(() => end(status));
    });
    started
      .then(async (operator) => {
        // The program is bundled before; it does not start after a signal.
        await operator.update(async () => {
          if (isEnded) throw new Error('interrupted');
        });
        await whenStarted?.(() => operator.isRunning).catch((cause: unknown) => {
          problem = cause;
          if (operator.isRunning) operator.signal('SIGTERM');
        });
      })
      .catch((cause) => reject(new Refusal(messageOf(cause))));
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
