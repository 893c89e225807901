/** Brings a ScaledObject to the state that it declares, and deletes what it has left. */
import type { Stored } from '@kgen/runtime';
import { addFinalizer, hasFinalizer, removeFinalizer } from '@kgen/runtime/objects';
import { reportReferences } from './authentications.ts';
import { checkBounds, deleteAutoscaler, ensureAutoscaler, NameTaken } from './autoscaler.ts';
import { winnerOf } from './claims.ts';
import type { ScaledObject, ScaledObjectCondition } from './kinds.ts';
import { Handle, type Parts } from './parts.ts';
import { isPaused, isScaleInPaused, isScaleOutPaused, pausedReplicas } from './pauses.ts';
import { ready, type ScaleLoops } from './scale-loops.ts';
import { checkTarget, replicasOf, resourceOf, restore } from './target.ts';
import { checkTriggers, MissingAuthentication, ownerLabel } from './triggers.ts';

const finalizer = 'finalizer.keda.sh';

/** Parts of one run. */
interface Run {
  readonly parts: Parts;
  readonly loops: ScaleLoops;
  readonly handle: Handle;
  readonly stopping: AbortSignal;
}

/** The part of the work that has failed, with its cause. */
class CheckError extends Error {
  override readonly name = 'CheckError';
}

/** Reconciles an object that is not being deleted. */
export async function reconcile(
  parts: Parts,
  loops: ScaleLoops,
  object: Stored<ScaledObject>,
  stopping: AbortSignal,
): Promise<void> {
  const handle = new Handle(parts, object);
  if (!hasFinalizer(object, finalizer)) await handle.update(addFinalizer(object, finalizer));
  if (handle.status.conditions === undefined) await handle.setConditions(...unknownConditions);
  const run = { parts, loops, handle, stopping };
  const result = await resultOf(run);
  await handle.setConditions(...result.conditions);
  await reportReferences(parts, handle.object, false);
  if (result.error !== undefined && !isAwaited(parts, result.error)) throw result.error;
}

/** Whether a run follows once the cause of an error is gone. */
function isAwaited({ keeps }: Parts, error: unknown): boolean {
  const cause = error instanceof CheckError ? error.cause : error;
  return (
    cause instanceof NameTaken ||
    (cause instanceof MissingAuthentication && !keeps.has('ignores authentications'))
  );
}

/** Deletes the finalizer once the target has its replicas of before. */
export async function finalize(parts: Parts, loops: ScaleLoops, object: Stored<ScaledObject>): Promise<void> {
  if (!hasFinalizer(object, finalizer)) return;
  const handle = new Handle(parts, object);
  loops.stop(handle.key);
  await restore(parts, object);
  const isEarly = !parts.keeps.has('keeps names in authentications');
  if (isEarly) await reportReferences(parts, object, true);
  await handle.update(removeFinalizer(object, finalizer));
  if (!isEarly) await reportReferences(parts, object, true);
}

const unknownConditions: readonly ScaledObjectCondition[] = [
  { type: 'Ready', status: 'Unknown' },
  { type: 'Active', status: 'Unknown' },
  { type: 'Paused', status: 'Unknown' },
];

interface Result {
  /** Conditions that have changed. */
  readonly conditions: readonly ScaledObjectCondition[];
  readonly error?: unknown;
}

async function resultOf(run: Run): Promise<Result> {
  try {
    const claimed = await claimedByOther(run);
    if (claimed !== undefined) return { conditions: claimed };
    const paused = await pause(run);
    if (paused !== undefined) return { conditions: [...paused, ready] };
    const conditions = unpaused(run.handle);
    await scale(run);
    return { conditions: [...conditions, ready] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      conditions: [
        { type: 'Ready', status: 'False', reason: 'ScaledObjectCheckFailed', message },
        { type: 'Active', status: 'Unknown', reason: 'UnknownState', message: 'ScaledObject check failed' },
      ],
      error,
    };
  }
}

/** An object whose target another one scales waits until that one is gone. */
async function claimedByOther({ parts, loops, handle }: Run): Promise<Result['conditions'] | undefined> {
  if (parts.keeps.has('shares targets')) return undefined;
  const winner = await winnerOf(parts, handle.object);
  if (winner.metadata.uid === handle.object.metadata.uid) return undefined;
  loops.stop(handle.key);
  await deleteAutoscaler(parts, handle);
  await handle.setStatus({ conditions: handle.status.conditions ?? [] });
  const message = `the target or the autoscaler is that of the ScaledObject ${winner.metadata.name}`;
  return [
    { type: 'Ready', status: 'False', reason: 'ScaledObjectCheckFailed', message },
    { type: 'Active', status: 'Unknown', reason: 'UnknownState', message },
    { type: 'Paused', status: 'Unknown' },
  ];
}

/** Stops a paused object. Returns its conditions; `undefined` if it is not paused, or not yet. */
async function pause(run: Run): Promise<Result['conditions'] | undefined> {
  const { parts, loops, handle } = run;
  if (!isPaused(handle.object)) return undefined;
  const isKnown = handle.condition('Paused').status === 'True';
  if (isKnown && !(await hasPausedReplicas(run))) return undefined;
  // The original returns for each object with the condition, which a pause of one direction has as well.
  if (isKnown && parts.keeps.has('hides a pause')) return [];
  loops.stop(handle.key);
  await deleteAutoscaler(parts, handle);
  return [pausedCondition];
}

async function hasPausedReplicas({ parts, handle: { object } }: Run): Promise<boolean> {
  try {
    const replicas = pausedReplicas(object);
    if (replicas === undefined) return true;
    const target = await resourceOf(parts, object.spec.scaleTargetRef);
    return (await replicasOf(parts, object, target)) === replicas;
  } catch {
    return true;
  }
}

const pausedCondition: ScaledObjectCondition = {
  type: 'Paused',
  status: 'True',
  reason: 'ScaledObjectPaused',
  message: 'ScaledObject is paused',
};

/** Conditions of an object that is scaled: a pause of one direction is one, too. */
function unpaused(handle: Handle): readonly ScaledObjectCondition[] {
  if (isScaleInPaused(handle.object) || isScaleOutPaused(handle.object)) return [pausedCondition];
  if (handle.condition('Paused').status !== 'True') return [];
  const message = 'pause annotation removed for ScaledObject';
  return [{ type: 'Paused', status: 'False', reason: 'ScaledObjectUnpaused', message }];
}

async function scale({ parts, loops, handle, stopping }: Run): Promise<void> {
  if (handle.object.spec.scaleTargetRef.name === '')
    throw new CheckError('ScaledObject.spec.scaleTargetRef.name is missing');
  await ensureLabel(handle);
  const target = await during('scaleTargetRef', () => checkTarget(parts, handle));
  await during('replica counts', async () => checkBounds(handle.object));
  await during('triggers', async () => checkTriggers(handle.object.spec.triggers));
  await reportTypes(handle);
  const isNew = await during('autoscaler', () => ensureAutoscaler(parts, handle, target));
  if (isNew || !loops.isCurrent(handle)) loops.start(handle, stopping);
  if (pausedReplicas(handle.object) !== undefined && isPaused(handle.object))
    throw new CheckError('ScaledObject paused replicas are being scaled');
}

/** The name of the object as a label, by which metrics are found. */
async function ensureLabel(handle: Handle): Promise<void> {
  const { object } = handle;
  const { name, labels } = object.metadata;
  if (labels?.[ownerLabel] === name) return;
  await handle.update({
    ...object,
    metadata: { ...object.metadata, labels: { ...labels, [ownerLabel]: name } },
  });
}

async function reportTypes(handle: Handle): Promise<void> {
  const { triggers } = handle.object.spec;
  const types = triggers.map(({ type }) => type);
  const kinds = triggers.flatMap((each) => (each.authenticationRef ? ['TriggerAuthentication'] : []));
  await handle.setStatus({
    ...handle.status,
    triggersTypes: [...new Set(types)].sort().join(),
    authenticationsTypes: [...new Set(kinds)].join(),
  });
}

/** @throws {CheckError} with the name of the part that has failed */
async function during<T>(part: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CheckError(`${part}: ${message}`, { cause: error });
  }
}
