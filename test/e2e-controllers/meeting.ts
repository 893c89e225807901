/** The end of each step of a story: both servers have the same state, and it no longer changes. */
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';

/** Time without a change on either server after which a difference is final, in milliseconds. */
const patienceMs = 20_000;

/** A server that plays a story. */
export interface Player {
  /** Time between two looks at the state, in milliseconds. */
  readonly quietMs: number;
  readonly state: () => Promise<unknown>;
}

/**
 * Returns the functions that end the steps of each server. A controller may pause at any time, so that no
 * time without changes shows that it has finished: the state of the other server does. A step whose states
 * stay different fails with the difference.
 */
export function meeting(
  memory: Player,
  real: Player,
): Readonly<Record<'memory' | 'real', () => Promise<void>>> {
  const settled = { memory: new Map<number, string>(), real: new Map<number, string>() };
  let changedAt = performance.now();
  const endOf = ({ state, quietMs }: Player, own: Map<number, string>, other: Map<number, string>) => {
    let step = 0;
    return async (): Promise<void> => {
      step += 1;
      for (let before = ''; ; ) {
        const now = JSON.stringify(await state());
        if (now === before) own.set(step, now);
        else changedAt = performance.now();
        if (now === before && other.get(step) === now) return;
        if (performance.now() - changedAt > patienceMs) {
          return expect(JSON.parse(now), `step ${step}`).toEqual(JSON.parse(other.get(step) ?? 'null'));
        }
        before = now;
        await setTimeout(quietMs);
      }
    };
  };
  return {
    memory: endOf(memory, settled.memory, settled.real),
    real: endOf(real, settled.real, settled.memory),
  };
}
