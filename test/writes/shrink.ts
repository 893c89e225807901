/** Reduction of histories to the steps that are necessary for a failure. */

import type { History } from './history.ts';
import type { Failure } from './state.ts';

/** Plays a history. */
export type Play = (history: History) => Promise<Failure | undefined>;

/** Returns a history with a failure, from which nothing can be removed. */
export async function shrink(history: History, play: Play): Promise<History> {
  let least = history;
  for (let next = await smaller(least, play); next !== undefined; next = await smaller(least, play)) {
    least = next;
  }
  return least;
}

async function smaller(history: History, play: Play): Promise<History | undefined> {
  for (const candidate of candidates(history)) {
    if ((await play(candidate)) !== undefined) return candidate;
  }
  return undefined;
}

function* candidates(history: History): Generator<History> {
  const { inRuns, fence, webhook, ...rest } = history;
  const { steps, caches } = history;
  for (let index = steps.length - 1; index >= 0; index -= 1)
    yield { ...history, steps: without(steps, index) };
  if (webhook !== undefined)
    yield { ...rest, ...(inRuns && { inRuns }), ...(fence !== undefined && { fence }) };
  if (fence !== undefined) yield { ...rest, ...(inRuns && { inRuns }), ...(webhook && { webhook }) };
  if (inRuns) yield { ...rest, ...(fence !== undefined && { fence }), ...(webhook && { webhook }) };
  if (caches.length > 1) yield { ...history, caches: caches.slice(0, 1) };
  for (const [index, step] of steps.entries()) {
    if (!('own' in step)) continue;
    const { fault, own } = step;
    const plain = { ...history, steps: steps.with(index, { own }) };
    if (fault !== undefined) yield plain;
    for (const body of smallerBodies(own.body)) {
      yield { ...history, steps: steps.with(index, { ...step, own: { ...own, body } }) };
    }
  }
}

function smallerBodies(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return Object.keys(body).map((name) => {
    const { [name]: _, ...others } = body as Record<string, unknown>;
    return others;
  });
}

function without<T>(items: readonly T[], index: number): readonly T[] {
  return items.filter((_, each) => each !== index);
}
