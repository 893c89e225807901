/** Loops that poll the triggers of each ScaledObject, and scale its target to and from zero. */
import type { ScaledObjectCondition, ScaledObjectSpec, TargetResource } from './kinds.ts';
import { Handle, type Parts } from './parts.ts';
import { pausedReplicas } from './pauses.ts';
import { replicasOf, scaleTo } from './target.ts';
import { type Scaler, scalersOf } from './triggers.ts';

const defaultPollingSeconds = 30;
const defaultCooldownSeconds = 300;
/** Delay of a check after one that has failed. */
const retryMs = 5_000;

/** A running loop. */
interface Loop {
  readonly stop: AbortController;
  /** Generation with which it was started. */
  readonly generation: number;
}

export class ScaleLoops {
  readonly #parts: Parts;
  readonly #loops = new Map<string, Loop>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether a loop runs that was started with this generation. */
  isCurrent({ key, object }: Handle): boolean {
    return this.#loops.get(key)?.generation === object.metadata.generation;
  }

  /** Starts the loop of an object. A former one ends, without a wait for its last check. */
  start(handle: Handle, stopping: AbortSignal): void {
    this.stop(handle.key);
    const stop = new AbortController();
    stopping.addEventListener('abort', () => stop.abort(), { signal: stop.signal });
    let timer: NodeJS.Timeout | undefined;
    stop.signal.addEventListener('abort', () => clearTimeout(timer));
    this.#loops.set(handle.key, { stop, generation: handle.object.metadata.generation ?? 0 });
    const { namespace, name } = handle.object.metadata;
    const intervalMs = intervalOf(handle.object.spec, this.#parts);
    const poll = (): void => {
      if (stop.signal.aborted) return;
      const next = (ms: number): void => {
        if (!stop.signal.aborted) timer = setTimeout(poll, ms);
      };
      // The reconcile reports errors of the object; a conflict with it does not count.
      void this.#check(namespace, name).then(
        () => next(intervalMs),
        () => next(Math.min(intervalMs, retryMs)),
      );
    };
    timer = setTimeout(poll, 0);
  }

  stop(key: string): void {
    this.#loops.get(key)?.stop.abort();
    this.#loops.delete(key);
  }

  async #check(namespace: string, name: string): Promise<void> {
    const object = this.#parts.objects.lister.get(namespace, name);
    const target = object?.status?.scaleTargetGVKR;
    if (object === undefined || target === undefined) return;
    const handle = new Handle(this.#parts, object);
    const activity = await activityOf(scalersOf(this.#parts, object));
    await requestScale(this.#parts, handle, target, activity);
  }
}

/** An interval of 0 would be a loop without a pause. */
function intervalOf({ pollingInterval = defaultPollingSeconds }: ScaledObjectSpec, { keeps }: Parts): number {
  const isPause = pollingInterval > 0 || keeps.has('polls without a pause');
  return (isPause ? pollingInterval : defaultPollingSeconds) * 1_000;
}

interface Activity {
  readonly isActive: boolean;
  readonly isError: boolean;
}

async function activityOf(scalers: readonly Scaler[]): Promise<Activity> {
  const states = await Promise.all(
    scalers.map(async ({ isActive }): Promise<Activity> => {
      try {
        return { isActive: (await isActive?.()) ?? true, isError: false };
      } catch {
        return { isActive: false, isError: true };
      }
    }),
  );
  return {
    isActive: states.some((each) => each.isActive),
    isError: states.some((each) => each.isError),
  };
}

/** Scales the target if the activity of its triggers requires it. */
async function requestScale(
  parts: Parts,
  handle: Handle,
  target: TargetResource,
  { isActive, isError }: Activity,
): Promise<void> {
  const { object } = handle;
  const { minReplicaCount = 0, idleReplicaCount } = object.spec;
  const replicas = await replicasOf(parts, object, target);
  await reportTriggers(handle, isActive, isError);
  const paused = pausedReplicas(object);
  if (paused !== undefined) return scaleToPause(parts, handle, target, replicas, paused);
  const idle = idleReplicaCount ?? 0;
  if (isActive && replicas <= idle) {
    await scaleTo(parts, object, target, Math.max(minReplicaCount, 1));
    await reportActive(parts, handle);
  } else if (isActive) await reportActive(parts, handle);
  else if (isError) return;
  else if (replicas > idle && (minReplicaCount === 0 || idleReplicaCount !== undefined))
    return scaleToZero(parts, handle, target, idle);
  else if (replicas < minReplicaCount && idleReplicaCount === undefined)
    await scaleTo(parts, object, target, minReplicaCount);
  await setActive(handle, isActive ? active : inactive);
}

/** Ready shows whether the triggers work. */
async function reportTriggers(handle: Handle, isActive: boolean, isError: boolean): Promise<void> {
  const type = 'Ready';
  if (isError)
    await handle.setConditions({
      type,
      status: isActive ? 'Unknown' : 'False',
      reason: isActive ? 'PartialTriggerError' : 'TriggerError',
      message: 'Triggers defined in ScaledObject are not working correctly',
    });
  else if (handle.condition(type).status !== 'True') await handle.setConditions(ready);
}

/** Condition of an object that nothing prevents from scaling. */
export const ready: ScaledObjectCondition = {
  type: 'Ready',
  status: 'True',
  reason: 'ScaledObjectReady',
  message: 'ScaledObject is defined correctly and is ready for scaling',
};

async function scaleToPause(
  parts: Parts,
  handle: Handle,
  target: TargetResource,
  replicas: number,
  paused: number,
): Promise<void> {
  if (replicas !== paused) await scaleTo(parts, handle.object, target, paused);
  await handle.setStatus({ ...handle.status, pausedReplicaCount: paused });
}

/** Scales down once the triggers have been inactive for the cooldown. */
async function scaleToZero(
  parts: Parts,
  handle: Handle,
  target: TargetResource,
  idle: number,
): Promise<void> {
  const { cooldownPeriod = defaultCooldownSeconds } = handle.object.spec;
  const { lastActiveTime } = handle.status;
  const endMs = lastActiveTime === undefined ? 0 : Date.parse(lastActiveTime) + cooldownPeriod * 1_000;
  if (endMs > Date.now()) return setActive(handle, coolingDown);
  await scaleTo(parts, handle.object, target, idle);
  return setActive(handle, inactive);
}

/** Remembers when the triggers were active. */
async function reportActive(parts: Parts, handle: Handle): Promise<void> {
  const isKnown = handle.condition('Active').status === 'True';
  if (isKnown && !parts.keeps.has('writes a heartbeat')) return;
  const lastActiveTime = new Date(Date.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  await handle.setStatus({ ...handle.status, lastActiveTime });
}

async function setActive(handle: Handle, condition: ScaledObjectCondition): Promise<void> {
  const known = handle.condition('Active');
  if (known.status === condition.status && known.reason === condition.reason) return;
  await handle.setConditions(condition);
}

const active: ScaledObjectCondition = {
  type: 'Active',
  status: 'True',
  reason: 'ScalerActive',
  message: 'Scaling is performed because triggers are active',
};

const inactive: ScaledObjectCondition = {
  type: 'Active',
  status: 'False',
  reason: 'ScalerNotActive',
  message: 'Scaling is not performed because triggers are not active',
};

const coolingDown: ScaledObjectCondition = {
  type: 'Active',
  status: 'False',
  reason: 'ScalerCooldown',
  message: 'Scaler cooling down because triggers are not active',
};
