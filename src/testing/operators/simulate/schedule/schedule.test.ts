import type { JsonObject } from '@kgen/schema/values/json';
import { describe, expect, test } from 'vitest';
import { idOf, type ObjectId, otherNamespace } from '../cluster.ts';
import { Declarations } from '../run/declarations.ts';
import { type Action, checkNames, faultNames, faults, isFault, singleFaultOf } from './actions.ts';
import { editsOf, isPaused } from './edits.ts';
import { scheduleOf } from './plan.ts';
import { loadSchedule } from './saved.ts';
import {
  atItsTimes,
  type Schedule,
  type ScheduleScope,
  type Step,
  stepText,
  withoutFaults,
} from './schedule.ts';
import { shrink } from './shrink.ts';

const sample = { apiVersion: 'v1', kind: 'App', metadata: { namespace: 'shop' }, spec: { size: 1 } };
const write = { verb: 'patch', resource: 'services', site: '/app.ts:1' } as const;
const workload = { verb: 'patch', resource: 'deployments', site: '/app.ts:2' } as const;
const writes = [
  { write, cause: 'edit', changes: [{ do: 'edit', kind: 'v1 App', path: ['spec', 'replicas'], value: 0 }] },
  { write: workload, cause: 'create', changes: [] },
] as const;
const edits = editsOf([sample]).map((edit) => ({ ...edit, isDetour: edit.value === 0 }));
const scope: ScheduleScope = {
  samples: [sample],
  edits: new Map([['v1 App', edits]]),
  references: [],
  objects: 3,
  steps: 10,
  accesses: [
    { verb: 'watch', resource: 'apps' },
    { verb: 'patch', resource: 'services' },
  ],
  writes,
  without: [],
  hasElection: true,
  interleavings: [
    { between: write, write: workload },
    { between: workload, write },
  ],
};
const seeds = Array.from({ length: 500 }, (_, index) => index);

describe('scheduleOf', () => {
  test('returns equal schedules for equal seeds, and others for other seeds', () => {
    const printed = seeds.map((seed) => JSON.stringify(scheduleOf(seed, scope).steps));
    expect(seeds.map((seed) => JSON.stringify(scheduleOf(seed, scope).steps))).toEqual(printed);
    expect(new Set(printed).size).toBeGreaterThan(480);
  });

  test('returns schedules that can be saved', () => {
    for (const seed of seeds) {
      const saved = JSON.parse(JSON.stringify(scheduleOf(seed, scope)));
      expect(loadSchedule(saved)).toBe(saved);
    }
  });

  test('contains every kind of action, and no name of an object twice', () => {
    const steps = seeds.map((seed) => scheduleOf(seed, scope).steps);
    const kinds = ['create', 'edit', 'detour', 'delete', 'recreate', ...faultNames].sort();
    expect([...new Set(steps.flat().map((step) => step.do))].sort()).toEqual(kinds);
    for (const each of steps) {
      const names = each.flatMap((step) => (step.do === 'create' ? [JSON.stringify(step.object)] : []));
      expect(new Set(names).size).toBe(names.length);
    }
    expect(steps.flat().map(stepText).join('\n')).not.toContain('undefined');
  });

  test('has 40 different scripts of users in 100 seeds', () => {
    const scripts = seeds.slice(0, 100).map((seed) => withoutFaults(scheduleOf(seed, scope)).steps);
    expect(new Set(scripts.map((steps) => JSON.stringify(steps))).size).toBeGreaterThanOrEqual(40);
  });

  test('users change something with each edit, and keep no value with which the operator cannot act', () => {
    for (const seed of seeds) {
      const declarations = new Declarations();
      for (const step of scheduleOf(seed, scope).steps) {
        const before = declarations.states.length;
        declarations.note(step, true);
        if (step.do === 'edit') expect(step.value).not.toBe(0);
        if (step.do === 'edit' || step.do === 'detour')
          expect(declarations.states.length).toBeGreaterThan(before);
      }
    }
  });

  test('users pause the operator for some time, and end a pause for good', () => {
    const paused = {
      ...sample,
      metadata: { ...sample.metadata, annotations: { 'example.com/paused': 'true' } },
    };
    const running = editsOf([paused, { ...sample, spec: { size: 2 } }]).map((edit) => ({
      ...edit,
      isDetour: false,
    }));
    const steps = seeds.flatMap(
      (seed) =>
        scheduleOf(seed, { ...scope, samples: [sample, paused], edits: new Map([['v1 App', running]]) })
          .steps,
    );
    const changes = steps.filter((step) => 'path' in step && step.path.includes('example.com/paused'));
    const kinds = new Set(changes.map((step) => `${step.do} to ${String('value' in step && step.value)}`));
    expect([...kinds].sort()).toEqual(['detour to true', 'edit to null']);
  });

  test('users have the same names in two namespaces', () => {
    const places = seeds.map((seed) =>
      scheduleOf(seed, scope).steps.flatMap((step) => (step.do === 'create' ? [idOf(step.object)] : [])),
    );
    const isTwice = (ids: readonly ObjectId[]): boolean =>
      new Set(ids.map(({ name }) => name)).size < ids.length;
    expect(places.filter(isTwice).length).toBeGreaterThan(50);
    expect(new Set(places.flat().map(({ namespace }) => namespace))).toEqual(
      new Set(['shop', otherNamespace]),
    );
  });

  test('samples to which others refer keep their names, and references lead to them', () => {
    const pool = { ...sample, kind: 'Pool', metadata: { namespace: 'shop', name: 'fast' } };
    const user = {
      ...sample,
      metadata: { namespace: 'shop', name: 'web' },
      spec: { pool: { name: 'fast' } },
    };
    const steps = seeds.flatMap((seed) => scheduleOf(seed, { ...scope, samples: [pool, user] }).steps);
    const names = (kind: string): ReadonlySet<string> =>
      new Set(
        steps.flatMap((step) =>
          step.do === 'create' && step.object['kind'] === kind ? [idOf(step.object).name] : [],
        ),
      );
    expect(names('Pool')).toContain('fast');
    expect(names('App')).not.toContain('web');
  });

  test('leads faults to a write by an action to which the operator reacts with it', () => {
    const causesOf = (seed: number): readonly string[] => {
      const { steps } = scheduleOf(seed, { ...scope, steps: 20, without: ['tamper'] });
      const place = steps.findIndex((step) => 'at' in step && step.at !== undefined);
      return steps.slice(place + 1, place + 2).map(({ do: name }) => name);
    };
    const reached = seeds.flatMap(causesOf);
    expect(reached.filter((name) => name === 'edit' || name === 'detour').length).toBeGreaterThan(20);
  });

  test('leaves out single faults', () => {
    const steps = (without: ScheduleScope['without']): readonly Step[] =>
      seeds.flatMap((seed) => scheduleOf(seed, { ...scope, without }).steps);
    const names = faultNames.flatMap((name) => faults[name].singles);
    const drawn = (all: readonly Step[]): ReadonlySet<string | undefined> =>
      new Set(all.map((step) => (isFault(step) ? singleFaultOf(step.do, step) : undefined)));
    const all = drawn(steps([]));
    for (const name of names) {
      expect(all).toContain(name);
      const others = drawn(steps([name]));
      expect(others).not.toContain(name);
      expect(others.size).toBe(all.size - 1);
    }
    expect(() => checkNames(names)).not.toThrow();
  });

  test('refuses an unknown name with a list of all', () => {
    expect(() => checkNames(['tamper', 'create'])).toThrow(
      /^without must contain names of edit, detour, delete, recreate, defaults, fault, .*, lost leadership, .*, got "create"$/,
    );
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

test('users wait as long without faults', () => {
  const target = { apiVersion: 'v1', kind: 'App', namespace: 'shop', name: 'a' };
  const at = (waitMs: number, action: Action): Step => ({ ...action, waitMs });
  const steps = [
    at(0, { do: 'create', object: sample }),
    at(5_000, { do: 'restart', replica: 0, downMs: 0 }),
    at(20_000, { do: 'delete', target }),
  ];
  const { steps: kept } = atItsTimes({ seed: 7, replicas: 2, steps });
  expect(kept.map(({ do: name, waitMs }) => [name, waitMs])).toEqual([
    ['create', 2_000],
    ['delete', 25_000],
  ]);
});

test.each(faultNames.flatMap((name) => faults[name].classes.map((fault) => [fault, name] as const)))(
  'a seed is steered to %s by actions of the fault %s',
  (fault, name) => {
    const place = { write, fault, round: 0, nth: 1, replica: 0, watched: 'apps', others: [workload] };
    expect(faults[name].target?.(place).before[0]?.do).toBe(name);
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

  test('keeps the times of steps, so that a fault which only delays is removed', async () => {
    const faults: readonly Step[] = [
      { do: 'hold', resource: 'apps', ms: 50, withLists: false, waitMs: 20 },
      { do: 'crash', replica: 0, request: 1, when: 'after', downMs: 100, waitMs: 300 },
      { do: 'interrupt', resource: 'apps', how: 'cut', waitMs: 500 },
    ];
    // The crash at 320 ms is needed, and 500 ms after it.
    const fails = async ({ steps, waitMs = 0 }: Schedule): Promise<boolean> => {
      const ends = steps.map((_, index) =>
        steps.slice(0, index + 1).reduce((sum, step) => sum + step.waitMs, 0),
      );
      const at = steps.findIndex((step) => step.do === 'crash');
      return ends[at] === 320 && (ends.at(-1) ?? 0) + waitMs === 820;
    };
    const small = await shrink({ seed: 1, replicas: 1, steps: faults }, { fails, mayTry: () => true });
    expect(small).toMatchObject({ steps: [{ do: 'crash', waitMs: 320 }], waitMs: 500 });
    expect(small.steps).toHaveLength(1);
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
    expect(tried.map((each) => each.steps.map((step) => step.do))).toEqual([
      steps.flatMap((step) => (isFault(step) ? [] : [step.do])),
    ]);
  });
});

test.each<[isExpected: boolean, spec: JsonObject, annotations?: JsonObject]>([
  [false, { paused: false, size: 1 }],
  [true, { paused: true }],
  [true, { rollout: { suspend: true } }],
  [false, { pausedSeconds: 3 }],
  [true, {}, { 'example.com/paused': 'true' }],
  [true, {}, { 'example.com/paused-since': 'x', 'sync.example.com/pause': '' }],
  [false, {}, { 'example.com/paused': 'false' }],
  [false, {}],
])('isPaused is %s for %j %j', (isExpected, spec, annotations = {}) => {
  expect(isPaused({ metadata: { annotations }, spec })).toBe(isExpected);
});
