import type { ClusterConfig } from '@kgen/runtime';
import { expect } from 'vitest';
import type { Json } from '../../schema/values/json.ts';
import { chapterOf } from './chapters.fixture.ts';
import { play, type Step } from './exchange.fixture.ts';

/** A request with the responses of both servers. */
interface Outcome {
  readonly label: string;
  readonly chapter: string;
  readonly given: Json;
  readonly want: Json;
}

export type Outcomes = readonly Outcome[];

/** Plays a table on the server in memory and on a real one, side by side. */
export async function playOnBoth(
  memory: ClusterConfig,
  real: ClusterConfig | undefined,
  steps: readonly Step[],
): Promise<Outcomes> {
  const [given, want] = await Promise.all([play(memory, steps), real === undefined ? [] : play(real, steps)]);
  return steps.map((step, index) => ({
    label: `${index}: ${step.method} ${step.path} ${JSON.stringify(step.body ?? '').slice(0, 300)}`,
    chapter: chapterOf(step),
    given: given[index] ?? null,
    want: want[index] ?? null,
  }));
}

/** Compares the responses to the requests of a chapter. */
export function compareChapter(
  outcomes: Outcomes,
  chapter: string,
  normalize: (response: Json) => Json = (response) => response,
): void {
  for (const { label, given, want } of outcomes.filter((outcome) => outcome.chapter === chapter))
    expect.soft({ label, response: normalize(given) }).toEqual({ label, response: normalize(want) });
}
