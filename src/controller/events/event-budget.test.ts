import { expect, it } from 'vitest';
import { mulberry32 } from '../../../test/support/random.ts';
import { EventBudget } from './event-budget.ts';

const taken = (budget: EventBudget, object: string, { times, now }: { times: number; now: number }): number =>
  Array.from({ length: times }, () => budget.take(object, now)).filter(Boolean).length;

it('allows 25 events of an object at once, and one more per 300 s', () => {
  const budget = new EventBudget();
  expect(taken(budget, 'a', { times: 100, now: 0 })).toBe(25);
  expect(taken(budget, 'b', { times: 100, now: 0 })).toBe(25);
  expect(taken(budget, 'a', { times: 10, now: 299_999 })).toBe(0);
  expect(taken(budget, 'a', { times: 10, now: 300_001 })).toBe(1);
  expect(taken(budget, 'a', { times: 10, now: 1_000_000 })).toBe(2);
});

it('never exceeds the burst and the refill in any interval', () => {
  const random = mulberry32(3);
  const budget = new EventBudget();
  const times: number[] = [];
  let now = 0;
  for (let step = 0; step < 5000; step += 1) {
    now += Math.floor(random() * (random() < 0.01 ? 10_000_000 : 60_000));
    if (budget.take('a', now)) times.push(now);
    const recent = times.filter((at) => at > now - 3_000_000).length;
    expect(recent).toBeLessThanOrEqual(25 + 11);
  }
  expect(times.length).toBeGreaterThan(500);
});

it('keeps the 4096 objects that were used last', () => {
  const budget = new EventBudget();
  expect(taken(budget, 'old', { times: 26, now: 0 })).toBe(25);
  for (let object = 0; object < 4095; object += 1) budget.take(`o${object}`, 0);
  expect(budget.take('old', 0)).toBe(false);
  for (let object = 0; object < 10_000; object += 1) budget.take(`p${object}`, 0);
  expect(budget.size).toBe(4096);
  expect(budget.take('old', 0)).toBe(true);
});
