import { describe, expect, test } from 'vitest';
import { faultNames, faults, isFault } from './actions.ts';
import { scheduleOf } from './plan.ts';
import { type Schedule, type ScheduleScope, type Step, stepText } from './schedule.ts';
import { shrink } from './shrink.ts';

const sample = { apiVersion: 'v1', kind: 'App', metadata: { namespace: 'shop' }, spec: { size: 1 } };
const writes = [{ verb: 'patch', resource: 'services', site: '/app.ts:1' }] as const;
const scope: ScheduleScope = {
  samples: [sample],
  objects: 3,
  steps: 10,
  accesses: [
    { verb: 'watch', resource: 'apps' },
    { verb: 'patch', resource: 'services' },
  ],
  writes,
  without: [],
  hasElection: true,
};
const seeds = Array.from({ length: 500 }, (_, index) => index);

describe('scheduleOf', () => {
  test('returns equal schedules for equal seeds, and others for other seeds', () => {
    const printed = seeds.map((seed) => JSON.stringify(scheduleOf(seed, scope).steps));
    expect(seeds.map((seed) => JSON.stringify(scheduleOf(seed, scope).steps))).toEqual(printed);
    expect(new Set(printed).size).toBeGreaterThan(480);
  });

  test('contains every kind of action, and no name of an object twice', () => {
    const steps = seeds.map((seed) => scheduleOf(seed, scope).steps);
    const kinds = ['create', 'edit', 'delete', ...faultNames].sort();
    expect([...new Set(steps.flat().map((step) => step.do))].sort()).toEqual(kinds);
    for (const each of steps) {
      const names = each.flatMap((step) => (step.do === 'create' ? [JSON.stringify(step.object)] : []));
      expect(new Set(names).size).toBe(names.length);
    }
    expect(steps.flat().map(stepText).join('\n')).not.toContain('undefined');
  });

  test('leaves out actions that do not fit', () => {
    const actions = seeds.flatMap((seed) => {
      const { steps } = scheduleOf(seed, { ...scope, hasElection: false, without: ['tamper', 'edit'] });
      return steps.map((step) => step.do);
    });
    for (const name of ['tamper', 'edit', 'isolate']) expect(actions).not.toContain(name);
    expect(actions.filter((name) => name === 'crash').length).toBeGreaterThan(100);
  });
});

test.each(faultNames.flatMap((name) => faults[name].classes.map((fault) => [fault, name] as const)))(
  'a seed is steered to %s by actions of the fault %s',
  (fault, name) => {
    const place = { write: writes[0], fault, round: 0, nth: 1, replica: 0, watched: 'apps' };
    expect(faults[name].target?.(place).before.map((action) => action.do)).toEqual([name]);
  },
);

describe('shrink', () => {
  test('finds the steps of which a failure consists, in their simplest form', async () => {
    for (const seed of seeds.slice(0, 100)) {
      const { steps } = scheduleOf(seed, { ...scope, steps: 30 });
      const needed = steps.filter(isFault).slice(0, 2);
      const isNeeded = (found: readonly Step[], step: Step): boolean =>
        found.some((each) => each.do === step.do);
      const fails = async (candidate: Schedule): Promise<boolean> =>
        needed.every((step) => isNeeded(candidate.steps, step));
      const small = await shrink({ seed, replicas: 2, steps }, { fails, mayTry: () => true });
      expect(small.steps.length).toBe(new Set(needed.map((step) => step.do)).size);
      expect(small).toMatchObject({ seed, replicas: 1 });
      expect(small.steps.every((step) => step.waitMs === 0)).toBe(true);
    }
  });

  test('tries no more schedules than allowed', async () => {
    let tried = 0;
    const fails = async (): Promise<boolean> => {
      tried += 1;
      return false;
    };
    const schedule = scheduleOf(1, { ...scope, steps: 30 });
    expect(await shrink(schedule, { fails, mayTry: () => tried < 5 })).toBe(schedule);
    expect(tried).toBe(5);
  });

  test('tries the schedule without faults before others of one replica', async () => {
    const tried: Schedule[] = [];
    const fails = async (candidate: Schedule): Promise<boolean> => {
      tried.push(candidate);
      return true;
    };
    const { steps } = scheduleOf(1, { ...scope, steps: 30 });
    await shrink({ seed: 1, replicas: 1, steps }, { fails, mayTry: () => tried.length === 0 });
    expect(steps.some(isFault)).toBe(true);
    expect(tried).toEqual([{ seed: 1, replicas: 1, steps: steps.filter((step) => !isFault(step)) }]);
  });
});
