import { expect, it } from 'vitest';
import { defaultTiming } from '../../common/timing.ts';
import { freshBackoff, nextBackoff } from './backoff.ts';

it.each<{ name: string; at: number[]; want: number[] }>([
  { name: 'doubles', at: [0, 1, 2, 3, 4], want: [800, 1600, 3200, 6400, 12_800] },
  {
    name: 'stops at 30 s',
    at: [0, 0, 0, 0, 0, 0, 0, 0],
    want: [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000],
  },
  { name: 'resets after two minutes', at: [0, 1000, 121_000, 121_001], want: [800, 1600, 800, 1600] },
  { name: 'does not reset before two minutes', at: [0, 1000, 120_999], want: [800, 1600, 3200] },
])('$name', ({ at, want }) => {
  let backoff = freshBackoff;
  const delays = at.map((now) => {
    backoff = nextBackoff(backoff, now, defaultTiming.backoff);
    return backoff.delayMs;
  });
  expect(delays).toEqual(want);
});
