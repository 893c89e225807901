/** The pause of a deployed operator: its Deployment has no replicas while another copy runs on a machine. */
import { isApiError, type JsonPatchOperation, retryOnConflict } from '@kgen/runtime';
import { array, type JsonObject, text } from '@kgen/schema/values/json';
import { Refusal } from '../../cluster/refusal.ts';
import { type Cluster, type ObjectRef, refOf, refText } from '../cluster/cluster.ts';
import { deploymentKind, type OperatorPlace, selectorOf } from '../cluster/operator.ts';
import { number } from '../cluster/rollout.ts';
import type { Session } from '../cluster/session.ts';

/** Annotations of a paused Deployment: user and process, and the number of replicas before. */
const annotations = { holder: 'kgen.dev/paused-by', replicas: 'kgen.dev/paused-replicas' } as const;

/** Owner of the fields that are changed for a time. */
export const fieldManager = 'kgen-dev';

/** A pause of a Deployment. */
export interface Pause {
  /** `ann@laptop/1234` */
  readonly holder: string;
  readonly replicas: number;
}

/** Returns the pause of a Deployment; `undefined` if it has replicas. Pure. */
export function pauseOf(deployment: JsonObject | undefined): Pause | undefined {
  const holder = annotationOf(deployment, annotations.holder);
  if (holder === '' || number(deployment, 'spec', 'replicas') !== 0) return undefined;
  const replicas = Number(annotationOf(deployment, annotations.replicas));
  return { holder, replicas: Number.isInteger(replicas) && replicas >= 0 ? replicas : 1 };
}

function annotationOf(deployment: JsonObject | undefined, name: string): string {
  return text(deployment, 'metadata', 'annotations', name);
}

/** Returns the user of a pause. */
export function pausingUser({ holder }: Pause): string {
  return holder.slice(0, holder.lastIndexOf('/'));
}

/** A user, and the processes of this machine. */
export interface PausingUser {
  readonly user: string;
  readonly isAlive: (pid: number) => boolean;
}

/** Returns the reason for which a user must not end a pause; `undefined` without one. Pure. */
export function pauseRefusal(pause: Pause, { user, isAlive }: PausingUser): string | undefined {
  const pid = Number(pause.holder.slice(pause.holder.lastIndexOf('/') + 1));
  if (pausingUser(pause) !== user)
    return `${pause.holder} runs it by kgen dev --cluster, which pauses this one`;
  return isAlive(pid) ? `your own kgen dev --cluster (process ${pid}) pauses it` : undefined;
}

/** Returns whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // seam: errors of system calls have a code
    return code === 'EPERM';
  }
}

/** Options of `pause`. */
export interface PauseOptions extends OperatorPlace {
  readonly holder: string;
  /** Called before the change, so that it is undone however the program ends. */
  readonly willPause: (pause: Pause) => void;
  /** Ends the wait for the Pods. */
  readonly signal: AbortSignal;
  /** Limit of the wait in milliseconds. Default: 2 minutes. */
  readonly timeoutMs?: number | undefined;
}

const pollMs = 500;

const maxAttempts = 10;

/**
 * Pauses a deployed operator, and waits until its Pods have ended.
 * @throws {Refusal} another user pauses it, or its Pods do not end
 */
export async function pause(cluster: Cluster, options: PauseOptions, session: Session): Promise<void> {
  const { name, namespace, signal, timeoutMs = 120_000 } = options;
  const deployment = await retried(() => beginPause(cluster, options, session));
  if (deployment === undefined)
    return session.print(`Deployment ${namespace}/${name} does not exist: nothing is paused.`);
  const end = session.now() + timeoutMs;
  for (;;) {
    const pods = await podsOf(cluster, deployment);
    if (pods.length === 0 || signal.aborted) return;
    if (session.now() >= end) {
      const names = pods.map((pod) => refOf(pod).name).join(', ');
      throw new Refusal(`these Pods of the deployed operator do not end: ${names}`);
    }
    await session.sleep(pollMs);
  }
}

/** Returns the Deployment that is paused now; `undefined` if it does not exist. */
async function beginPause(
  cluster: Cluster,
  { name, namespace, holder, willPause }: PauseOptions,
  session: Session,
): Promise<JsonObject | undefined> {
  const deployment = await cluster.find({ ...deploymentKind, namespace, name });
  if (deployment === undefined) return undefined;
  const present = checkPause(deployment, session);
  const replicas = present?.replicas ?? number(deployment, 'spec', 'replicas') ?? 1;
  willPause({ holder, replicas });
  await write(cluster, deployment, { holder, replicas: String(replicas) }, 0);
  session.print(`paused     ${refText(refOf(deployment))}: it had ${replicas} replicas`);
  return deployment;
}

/**
 * Returns the pause of a Deployment that a user may take over; `undefined` if it is not paused.
 * @throws {Refusal} the pause of another command
 */
export function checkPause(
  deployment: JsonObject | undefined,
  { user }: Pick<Session, 'user'>,
): Pause | undefined {
  const present = pauseOf(deployment);
  const reason = present && pauseRefusal(present, { user, isAlive });
  if (deployment === undefined || reason === undefined) return present;
  throw new Refusal(
    `${refText(refOf(deployment))}: ${reason}: wait until it has ended, or run kgen deploy --force if it was lost`,
  );
}

/** Returns the Pods of a Deployment that have not ended. */
export async function podsOf(cluster: Cluster, deployment: JsonObject): Promise<readonly JsonObject[]> {
  const { namespace = '' } = refOf(deployment);
  const labelSelector = selectorOf(deployment);
  const pods = await cluster.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace, labelSelector });
  return pods.filter((pod) => !['Succeeded', 'Failed'].includes(text(pod, 'status', 'phase')));
}

/** Ends a pause; whatever others have changed meanwhile stays. Returns the line for the user. */
export function resume(cluster: Cluster, place: OperatorPlace, pause: Pause): Promise<string> {
  return retried(() => resumeOnce(cluster, place, pause));
}

async function resumeOnce(
  cluster: Cluster,
  { name, namespace }: OperatorPlace,
  { holder, replicas }: Pause,
): Promise<string> {
  const deployment = await cluster.find({ ...deploymentKind, namespace, name });
  if (deployment === undefined) return `Deployment ${namespace}/${name} does not exist any more.`;
  const what = refText(refOf(deployment));
  if (annotationOf(deployment, annotations.holder) !== holder)
    return `${what} is paused by this command no more: it stays as it is.`;
  const isPaused = pauseOf(deployment) !== undefined;
  await endPause(cluster, deployment, isPaused ? replicas : undefined);
  return isPaused
    ? `restored   ${what}: ${replicas} replicas`
    : `${what} was scaled meanwhile: it stays as it is.`;
}

/**
 * Reads a Deployment, decides and writes, again if it has changed meanwhile: the controllers of the cluster
 * write its status, above all while its Pods start or end.
 */
export function retried<T>(change: () => Promise<T>): Promise<T> {
  return retryOnConflict(change, { tries: maxAttempts, delayMs: 50 });
}

/** Removes the annotations of a pause and the ownership of its fields, and sets the replicas. */
export async function endPause(cluster: Cluster, deployment: JsonObject, replicas?: number): Promise<void> {
  await write(cluster, deployment, { holder: null, replicas: null }, replicas);
  await disown(cluster, refOf(deployment));
}

/** @throws {ApiError} `isConflict` if the Deployment has changed meanwhile */
async function write(
  { objects }: Cluster,
  deployment: JsonObject,
  { holder, replicas: former }: { readonly holder: string | null; readonly replicas: string | null },
  replicas: number | undefined,
): Promise<void> {
  const { apiVersion, kind, name, namespace } = refOf(deployment);
  const resourceVersion = text(deployment, 'metadata', 'resourceVersion');
  const changed = { [annotations.holder]: holder, [annotations.replicas]: former };
  const body = {
    metadata: { resourceVersion, annotations: changed },
    ...(replicas !== undefined && { spec: { replicas } }),
  };
  await objects.patch({ apiVersion, kind, metadata: { name, namespace } }, body, {
    type: 'merge',
    fieldManager,
  });
}

/**
 * Removes the ownership of the fields that were changed for a time, so that the next `kgen deploy` does not
 * conflict with them.
 */
export async function disown(cluster: Cluster, ref: ObjectRef): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return await disownOnce(cluster, ref);
    } catch (cause) {
      // The controllers of the cluster write its status meanwhile.
      if (!isApiError(cause)) throw cause;
    }
  }
}

async function disownOnce(cluster: Cluster, ref: ObjectRef): Promise<void> {
  const { apiVersion, kind, name, namespace } = ref;
  const object = await cluster.find(ref);
  const owners = array(object, 'metadata', 'managedFields').map((each) => text(each, 'manager'));
  const removals = owners
    .map((manager, index) => ({ manager, op: 'remove' as const, path: `/metadata/managedFields/${index}` }))
    .filter(({ manager }) => manager === fieldManager)
    .map(({ op, path }) => ({ op, path }))
    .reverse();
  if (removals.length === 0) return;
  const value = text(object, 'metadata', 'resourceVersion');
  const patch: JsonPatchOperation[] = [{ op: 'test', path: '/metadata/resourceVersion', value }, ...removals];
  await cluster.objects.patch({ apiVersion, kind, metadata: { name, namespace } }, patch, {
    type: 'json',
    fieldManager,
  });
}
