/** `kgen deploy`: applies the manifests of an operator, and waits for its Pods. */
import { isConflict, isTransportError } from '@kgen/runtime';
import {
  type ApplyManifestsOptions,
  applyManifests,
  isManifestsError,
  type ManifestResult,
} from '@kgen/runtime/manifests';
import { type JsonObject, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { listed } from '../../common/problems.ts';
import { checkPause, endPause, pauseOf, retried } from '../local/pause.ts';
import { releaseWebhooks } from '../local/webhooks.ts';
import { type Cluster, refOf, refText } from './cluster.ts';
import { takeLock } from './lock.ts';
import { logLines } from './logs.ts';
import {
  deployedKinds,
  deploymentKind,
  fieldManager,
  isDeployment,
  isIntercepting,
  labelled,
  type OperatorPlace,
  operatorLabel,
  selectorOf,
} from './operator.ts';
import { type PodProblem, type RolloutFacts, type RolloutState, rolloutState } from './rollout.ts';
import type { Session } from './session.ts';

/** Options of `deploy`. */
export interface DeployOptions extends OperatorPlace {
  readonly objects: readonly JsonObject[];
  /** Name of the manifests in messages. */
  readonly source: string;
  readonly dryRun?: boolean | undefined;
  /** Takes over fields that others have changed. */
  readonly force?: boolean | undefined;
  /** Limit of the rollout in milliseconds. Default: 5 minutes. */
  readonly timeoutMs?: number | undefined;
  /** Time for which a problem of a Pod may last before the rollout has failed. Default: 30 s. */
  readonly patienceMs?: number | undefined;
}

/** Phases of a deployment: what is applied before the Pods run, and whether something follows. Pure. */
export function deployPhases(objects: readonly JsonObject[]): {
  readonly namespaces: readonly JsonObject[];
  readonly before: readonly JsonObject[];
  readonly rollouts: readonly JsonObject[];
} {
  return {
    namespaces: objects.filter((each) => text(each, 'kind') === 'Namespace'),
    // A server refuses writes while a webhook does not respond.
    before: objects.filter((each) => !isIntercepting(each)),
    rollouts: objects.filter(isDeployment),
  };
}

/**
 * Deploys an operator. Safe to repeat: an interrupted deployment continues.
 * @throws {Refusal} another user deploys, or the Pods do not run
 */
export async function deploy(cluster: Cluster, options: DeployOptions, session: Session): Promise<void> {
  const { name, objects, dryRun = false } = options;
  if (dryRun) return preview(cluster, options, session);
  const apply = (some: readonly JsonObject[], isPruned: boolean) =>
    applied(cluster, some, { ...options, dryRun, isPruned }, session);
  const { namespaces, before, rollouts } = deployPhases(objects);
  if (namespaces.length > 0) await apply(namespaces, false);
  const lock = await takeLock(cluster, options, session);
  try {
    await retried(() => endOwnPause(cluster, options, session));
    await releaseWebhooks(cluster, objects, { ...session, dryRun });
    await apply(before, false);
    for (const each of rollouts) await rolledOut(cluster, each, options, session);
    lock.check();
    await apply(objects, true);
  } finally {
    await lock.release();
  }
  session.print(`${name} is deployed.`);
}

/** Prints each change of a deployment. */
async function preview(cluster: Cluster, options: DeployOptions, session: Session): Promise<void> {
  const paused = await retried(() => endOwnPause(cluster, options, session));
  const released = await releaseWebhooks(cluster, options.objects, { ...session, dryRun: true });
  // Its replicas belong to the pause until it has ended: the server would refuse the trial.
  const objects = released.filter((each) => paused === undefined || refText(refOf(each)) !== paused);
  const others = options.objects
    .filter((each) => !objects.includes(each))
    .map((each) => refText(refOf(each)));
  // The others are part of the manifests, and are not removed.
  const print = (line: string): void => {
    if (!others.some((each) => line.endsWith(` ${each}`))) session.print(line);
  };
  await applied(cluster, objects, { ...options, dryRun: true, isPruned: true }, { ...session, print });
  session.print('Nothing was changed.');
}

/**
 * Returns the Deployment that was paused, if it was.
 * @throws {Refusal} another command pauses the operator, and `force` is not set
 */
async function endOwnPause(
  cluster: Cluster,
  { name, namespace, force = false, dryRun = false }: DeployOptions,
  session: Session,
): Promise<string | undefined> {
  const deployment = await cluster.find({ ...deploymentKind, namespace, name });
  if (!force) checkPause(deployment, session);
  const pause = pauseOf(deployment);
  if (deployment === undefined || pause === undefined) return undefined;
  if (!dryRun) await endPause(cluster, deployment, pause.replicas);
  const paused = refText(refOf(deployment));
  session.print(`restored   ${paused}: ${pause.holder} had paused it`);
  return paused;
}

interface Applying extends DeployOptions {
  readonly dryRun: boolean;
  readonly isPruned: boolean;
}

async function applied(
  cluster: Cluster,
  objects: readonly JsonObject[],
  { name, source, dryRun, force, isPruned }: Applying,
  { print }: Session,
): Promise<void> {
  const options: ApplyManifestsOptions = {
    ...{ fieldManager, source, force },
    ...(dryRun && { dryRun: 'All' }),
    ...(isPruned && { prune: { labelSelector: { [operatorLabel]: name }, kinds: deployedKinds.map(split) } }),
    onResult: (result) => {
      const line = resultText(result);
      if (line !== undefined) print(line);
    },
  };
  try {
    await applyManifests(cluster.rest, labelled(objects, name), options);
  } catch (cause) {
    throw isManifestsError(cause) ? failure(cause.results, cause.message) : cause;
  }
}

function split({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return { group, version, kind };
}

/** Returns the line of an object that has changed. */
export function resultText({ action, place = '', ...result }: ManifestResult): string | undefined {
  if (action === 'unchanged' || action === 'failed') return undefined;
  return `${action.padEnd(10)} ${result.object === undefined ? place : refText(result.object)}`;
}

/** Returns the error of a run in which objects have failed. Pure. */
export function failure(results: readonly ManifestResult[], message: string): Refusal {
  const errors = results.flatMap(({ error }) => error ?? []);
  const lost = errors.find(isTransportError);
  if (lost !== undefined) {
    return new Refusal(lostText(results, lost.message));
  }
  const isOwned = errors.some(isConflict);
  const action =
    '\nothers have changed these fields: change the manifests, or take the fields over with --force';
  return new Refusal(`${message}${isOwned ? action : ''}`);
}

/** Returns the message of a run after which the cluster did not respond. */
function lostText(results: readonly ManifestResult[], why: string): string {
  const isFailed = ({ action }: ManifestResult): boolean => action === 'failed';
  const names = (some: readonly ManifestResult[]): string => {
    const all = some.map(({ object, place = '' }) => (object === undefined ? place : refText(object)));
    return listed(all) || 'none';
  };
  return [
    `the cluster does not respond any more (${why}): run the command again, it continues`,
    `  applied: ${names(results.filter((each) => !isFailed(each)))}`,
    `  not applied, or unknown: ${names(results.filter(isFailed))}`,
  ].join('\n');
}

/** Waits for a rollout, and prints its progress. */
async function rolledOut(
  cluster: Cluster,
  deployment: JsonObject,
  options: DeployOptions,
  session: Session,
): Promise<void> {
  const { timeoutMs = 300_000, patienceMs = 30_000, namespace } = options;
  const end = session.now() + timeoutMs;
  const wait = new RolloutWait(patienceMs);
  const { name } = refOf(deployment);
  let shown = '';
  for (;;) {
    const state = await stateOf(cluster, { name, namespace });
    if (state.progress !== shown) session.print(`rollout    Deployment ${name}: ${state.progress}`);
    shown = state.progress;
    if (state.isDone) return;
    const now = session.now();
    if (wait.isOver(state, now) || now >= end)
      throw new Refusal(await failedText(cluster, namespace, name, state.problems));
    await session.sleep(pollMs);
  }
}

const pollMs = 1_000;

/** Decides when a rollout has failed: once a Pod has had a problem for some time. Pure. */
export class RolloutWait {
  readonly #patienceMs: number;
  #since: number | undefined;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  isOver({ problems }: RolloutState, now: number): boolean {
    this.#since = problems.length === 0 ? undefined : (this.#since ?? now);
    return this.#since !== undefined && now - this.#since >= this.#patienceMs;
  }
}

async function stateOf(cluster: Cluster, place: OperatorPlace): Promise<RolloutState> {
  try {
    return rolloutState(await rolloutFacts(cluster, place));
  } catch (cause) {
    // A server that restarts; a cluster that has vanished ends the rollout after the same time.
    if (!isTransportError(cause)) throw cause;
    const problem = { text: `the cluster does not respond (${cause.message})` };
    return { isDone: false, progress: 'the cluster does not respond', problems: [problem] };
  }
}

/** Reads the objects of a rollout. */
export async function rolloutFacts(
  cluster: Cluster,
  { name, namespace }: OperatorPlace,
): Promise<RolloutFacts> {
  const deployment = await cluster.find({ ...deploymentKind, namespace, name });
  const [replicaSets, pods, events] = await Promise.all([
    cluster.list({ apiVersion: 'apps/v1', kind: 'ReplicaSet' }, { namespace }),
    cluster.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace, labelSelector: selectorOf(deployment) }),
    cluster.list({ apiVersion: 'v1', kind: 'Event' }, { namespace }),
  ]);
  return { deployment, replicaSets, pods, events };
}

/** Returns the message of a rollout that has failed, with the last lines of the logs. */
async function failedText(
  cluster: Cluster,
  namespace: string,
  name: string,
  problems: readonly PodProblem[],
): Promise<string> {
  const parts = await Promise.all(problems.map((problem) => withLog(cluster, namespace, problem)));
  const reasons = parts.length === 0 ? ['  no Pod has a problem: it takes long'] : parts;
  return [
    `the Pods of Deployment ${name} do not run:`,
    ...new Set(reasons),
    'kgen deploy continues once that is resolved; kgen doctor and kgen logs show more',
  ].join('\n');
}

/** Returns a problem with the last lines of its log, as far as that can be read. */
export async function withLog(
  cluster: Cluster,
  namespace: string,
  { text: what, log }: PodProblem,
): Promise<string> {
  const lines = log === undefined ? [] : await logLines(cluster, namespace, log);
  return [`  ${what}`, ...lines.map((line) => `    | ${line}`)].join('\n');
}
