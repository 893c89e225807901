import { describe, expect, it, test } from 'vitest';
import { mulberry32 } from '../../../test/support/random.ts';
import { rounds } from '../../../test/support/seeds.ts';
import { changesOf } from './changes.ts';
import { LoopDetector } from './loop-detector.ts';
import type { LoopReport } from './report.ts';

const object = { group: 'apps', resource: 'deployments', namespace: 'shop', name: 'web' };
const secret = { group: '', resource: 'secrets', namespace: 'shop', name: 'web' };
const key = 'shop/web';

interface Stored {
  readonly spec: object;
  readonly metadata: { readonly resourceVersion: string; readonly managedFields?: readonly object[] };
}

/** One object on a server, with a controller and another writer. */
class World {
  readonly detector = new LoopDetector();
  readonly reports: LoopReport[] = [];
  now = 0;
  #version = 1;
  #live: Stored = { spec: {}, metadata: { resourceVersion: '1' } };

  readonly #target: typeof object;

  constructor(target: typeof object = object) {
    this.#target = target;
  }

  /** Writes as the controller, and observes the event before or after the end of the reconcile. */
  own(spec: object, eventIsLate = false): void {
    const [before, after] = this.#change(spec, 'operator');
    const event = (): void => this.detector.event(key, { object: this.#target, before, after });
    if (!eventIsLate) event();
    this.detector.write(key, { object: this.#target, fieldManager: 'operator', before, after });
    this.done();
    if (eventIsLate) event();
  }

  other(spec: object): void {
    const [before, after] = this.#change(spec, 'autoscaler');
    this.detector.event(key, { object: this.#target, before, after });
  }

  done(): void {
    this.now += 100;
    const report = this.detector.reconciled(key, this.now);
    if (report !== undefined) this.reports.push(report);
  }

  #change(spec: object, manager: string): readonly [Stored, Stored] {
    const before = this.#live;
    this.#version += 1;
    const managedFields = [{ manager, time: '2026-01-01T00:00:00Z' }];
    this.#live = { spec, metadata: { resourceVersion: String(this.#version), managedFields } };
    return [before, this.#live];
  }
}

/** Returns the reports of a sequence of steps. */
function reportsOf(
  play: (world: World, round: number) => void,
  count = 20,
  target = object,
): readonly LoopReport[] {
  const world = new World(target);
  for (let round = 0; round < count; round += 1) play(world, round);
  return world.reports;
}

describe('a loop is reported once', () => {
  it.each([false, true])('if a key changes a field in each reconcile (late events: %s)', (late) => {
    const reports = reportsOf((world, round) => world.own({ time: round, same: 1 }, late));
    expect(reports).toMatchObject([
      {
        kind: 'self',
        key,
        object,
        writers: ['operator'],
        fields: [{ path: '.spec.time', values: ['4', '3'] }],
        reconciles: 5,
      },
    ]);
    expect(reports[0]?.message).toBe(
      'shop/web wrote deployments.apps shop/web in 5 consecutive reconciles, by operator, without a change by ' +
        'another writer: .spec.time: 4 <- 3. Write only if the desired value differs: avoid times, random values ' +
        'and counters, and order lists. Do not reconcile on changes of fields that the reconcile itself writes ' +
        '(predicates).',
    );
  });

  it('if a key deletes and creates an object in each reconcile', () => {
    const detector = new LoopDetector({ reconciles: 2 });
    const write = { object, fieldManager: 'operator' };
    const reports = [1, 2, 3].map((now) => {
      detector.write(key, { ...write, before: { spec: 1 }, after: undefined });
      detector.write(key, { ...write, before: undefined, after: { spec: 1 } });
      return detector.reconciled(key, now)?.fields.map(({ values }) => values[0]);
    });
    expect(reports).toEqual([undefined, ['"(deleted)"'], undefined]);
  });

  it('if another writer reverts each change', () => {
    const reports = reportsOf((world) => {
      world.own({ replicas: 1, image: 'a' });
      world.other({ replicas: 3, image: 'a' });
      // A reconcile without a write is not the end of the loop.
      world.done();
    });
    expect(reports).toMatchObject([
      {
        kind: 'two writers',
        writers: ['operator', 'autoscaler'],
        fields: [{ path: '.spec.replicas', values: ['1', '3'] }],
      },
    ]);
    expect(reports[0]?.message).toContain(
      'autoscaler reverted the change of operator: .spec.replicas: 1 <- 3',
    );
  });

  it('and again after a quiet period', () => {
    const reports = reportsOf((world, round) => {
      if (round === 10) world.now += 120_000;
      world.own({ round });
    });
    expect(reports).toHaveLength(2);
  });
});

describe('no loop is reported', () => {
  test.each<[title: string, play: (world: World, round: number) => void]>([
    [
      'for a reconcile after each change of another writer',
      (world, round) => {
        world.other({ desired: round, seen: round - 1 });
        world.own({ desired: round, seen: round });
      },
    ],
    ['for another writer who scales up', (world, round) => world.other({ replicas: round })],
    ['for reconciles that change nothing', (world) => world.own({ a: 1 })],
    ['for steps that change one field each', (world, round) => world.own({ [`step${round}`]: true })],
    [
      'for a change in every other reconcile',
      (world, round) => {
        world.own({ round });
        world.done();
      },
    ],
    [
      'for slow changes',
      (world, round) => {
        world.now += 20_000;
        world.own({ round });
      },
    ],
    [
      'for values that the controller does not repeat',
      (world, round) => {
        world.own({ replicas: 2 * round });
        world.other({ replicas: 2 * round + 1 });
      },
    ],
  ])('%s', (_title, play) => {
    expect(reportsOf(play)).toEqual([]);
  });
});

it('never prints values of a Secret', () => {
  const secretly = (round: number): object => ({ token: `hidden${round}` });
  const self = reportsOf((world, round) => world.own(secretly(round)), 20, secret);
  const two = reportsOf(
    (world) => {
      world.own(secretly(1));
      world.other(secretly(2));
    },
    20,
    secret,
  );
  expect([self, two].map((reports) => reports.length)).toEqual([1, 1]);
  expect(JSON.stringify([self, two])).not.toContain('hidden');
  expect(self[0]?.fields).toEqual([{ path: '.spec.token', values: ['(redacted)', '(redacted)'] }]);
});

test.each<[before: object, after: object, readonly [string, string][]]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ metadata: { generation: 1, resourceVersion: '1' } }, { metadata: { generation: 2 } }, []],
  [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, [['.a.b[1]', '3']]],
  [{ a: [1] }, { a: [1, 2] }, [['.a', '[1,2]']]],
  [{ a: 1 }, {}, [['.a', '(absent)']]],
  [{}, { metadata: { labels: { 'a.b/c': 'x' } } }, [['.metadata.labels', '{"a.b/c":"x"}']]],
  [{ l: { 'a b': 1 } }, { l: { 'a b': 2 } }, [['.l["a b"]', '2']]],
  [{}, { a: 'x'.repeat(200) }, [['.a', `"${'x'.repeat(98)}…`]]],
  [{}, { a: '\u202e\n' }, [['.a', '"\\u202e\\n"']]],
])('the changes between %j and %j are listed with their paths', (before, after, expected) => {
  expect(changesOf(object, before, after).map(({ path, value }) => [path, value])).toEqual(expected);
});

it('limits the number of changes', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, index]));
  expect(changesOf(object, {}, many)).toHaveLength(20);
});

test.each([
  { reconciles: 1 },
  { reconciles: 2.5 },
  { withinMs: 0 },
  { withinMs: Number.NaN },
  { capacity: 0 },
])('rejects the options %j', (options) => {
  expect(() => new LoopDetector(options)).toThrow(RangeError);
});

it('reports exactly the seeds with a loop, among random foreign changes and reconciles', () => {
  for (let seed = 1; seed <= rounds(2000, 50); seed += 1) {
    const random = mulberry32(seed);
    const [world, plan] = [new World(), seed % 3];
    const quiet = 1 + Math.floor(random() * 30);
    let other = 0;
    for (let round = 0; round < quiet + 40; round += 1) {
      // Converging controller: writes what the other writer wants, once.
      if (random() < 0.5) {
        other += 1;
        world.other({ desired: other, applied: other - 1 });
        world.own({ desired: other, applied: other }, random() < 0.5);
      } else world.done();
      expect(world.reports, `seed ${seed}`).toEqual([]);
      if (round === quiet) break;
    }
    for (let round = 0; round < 12; round += 1) {
      if (plan === 1) world.own({ time: random() }, random() < 0.5);
      if (plan === 2) {
        world.own({ color: 'red' }, random() < 0.5);
        world.other({ color: 'blue' });
      }
      if (plan === 2 && random() < 0.5) world.done();
    }
    const kinds = world.reports.map(({ kind }) => kind);
    expect(kinds, `seed ${seed}`).toEqual([[], ['self'], ['two writers']][plan]);
  }
});
