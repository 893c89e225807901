import { afterEach, expect, it, vi } from 'vitest';
import { inSlices } from './time-slice.ts';

afterEach(() => void vi.restoreAllMocks());

/** A clock that only advances with work. */
function clock() {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return {
    work: (ms: number): void => {
      now += ms;
    },
  };
}

/** Returns the amount of work in each event-loop turn. */
async function turnsOf(durations: readonly number[]): Promise<readonly number[]> {
  const { work } = clock();
  const seen: number[] = [];
  let done = 0;
  let over = false;
  const others = (): void => {
    if (over) return;
    seen.push(done);
    setImmediate(others);
  };
  setImmediate(others);
  await inSlices(durations, (ms) => {
    work(ms);
    done += 1;
  });
  over = true;
  expect(done).toBe(durations.length);
  return seen;
}

it.each([
  { given: [1, 2, 1], want: [] },
  { given: [3, 3, 3, 3, 3, 3], want: [2, 4, 6] },
  { given: [30, 1, 1, 4, 1], want: [1, 4] },
])('lets others have their turn in long work: $given ms', async ({ given, want }) => {
  expect(await turnsOf(given)).toEqual(want);
});

it('gives each of several long works a turn of its own', async () => {
  const { work } = clock();
  const log: string[] = [];
  let over = false;
  const others = (): void => {
    log.push('others');
    if (!over) setImmediate(others);
  };
  setImmediate(others);
  const works = ['a', 'b', 'c'].map((name) =>
    inSlices([1, 2], () => {
      work(5);
      log.push(name);
    }),
  );
  await Promise.all(works);
  over = true;
  const turns = log.join(' ').split(' others');
  expect(turns.slice(0, 4)).toEqual(['a b c', ' a', ' b', ' c']);
});

it('fails with what the work fails with', async () => {
  const problem = new Error('no');
  const failing = inSlices([1], () => {
    throw problem;
  });
  await expect(failing).rejects.toBe(problem);
});
