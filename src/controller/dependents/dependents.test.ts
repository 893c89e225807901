import { ApiError, type KubernetesObject } from '@kgen/runtime';
import { OwnerTerminatingError } from '@kgen/runtime/objects';
import { describe, expect, it, test } from 'vitest';
import { mulberry32 } from '../../../test/support/random.ts';
import { rounds } from '../../../test/support/seeds.ts';
import { type Dependent, dependentGraph, planDependents } from './dependents.ts';
import { DependentError, executePlan, reconcileDependents } from './execution.ts';

interface App extends KubernetesObject {
  readonly desired: readonly string[];
  readonly version: number;
}

interface Live extends KubernetesObject {
  version?: number;
  readyAt?: number;
}

const appOf = (desired: readonly string[], version = 1, metadata: object = {}): App => ({
  metadata,
  desired,
  version,
});

const dependent = (
  name: string,
  dependsOn: readonly string[] = [],
  isReady?: (live: Live) => boolean,
): Dependent<App> => ({
  name,
  dependsOn,
  isReady,
  desired: ({ desired, version }) => {
    const intent = { apiVersion: 'v1', kind: 'Thing', metadata: { name }, version };
    return desired.includes(name) ? intent : undefined;
  },
});

const liveOf = (name: string, version = 1, metadata: object = {}): Live => ({
  metadata: { name, ...metadata },
  version,
});
const terminating = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('a plan', () => {
  const graph = dependentGraph([
    dependent('web', ['db']),
    dependent('db', [], ({ version }) => version !== 0),
  ]);

  test.each<
    [title: string, app: App, live: readonly Live[], steps: readonly string[], states: readonly string[]]
  >([
    ['creates dependencies first', appOf(['db', 'web']), [], ['apply db'], ['db progressing', 'web waiting']],
    [
      'then the objects that depend on them',
      appOf(['db', 'web']),
      [liveOf('db')],
      ['apply db', 'apply web'],
      ['db ready', 'web progressing'],
    ],
    [
      'waits for readiness',
      appOf(['db', 'web'], 0),
      [liveOf('db', 0)],
      ['apply db'],
      ['db progressing', 'web waiting'],
    ],
    // The client decides whether an apply would change something.
    [
      'applies objects that exist',
      appOf(['db', 'web']),
      [liveOf('db', 7), liveOf('web')],
      ['apply db', 'apply web'],
      ['db ready', 'web ready'],
    ],
    [
      'deletes objects that are no longer desired',
      appOf(['db']),
      [liveOf('db'), liveOf('web')],
      ['apply db', 'delete web'],
      ['db ready', 'web deleting'],
    ],
    [
      'deletes in reverse order',
      appOf([]),
      [liveOf('db'), liveOf('web')],
      ['delete web'],
      ['db deleting', 'web deleting'],
    ],
    ['then deletes dependencies', appOf([]), [liveOf('db')], ['delete db'], ['db deleting', 'web absent']],
    [
      'deletes objects whose dependency is not desired',
      appOf(['web']),
      [liveOf('db'), liveOf('web')],
      ['delete web'],
      ['db deleting', 'web deleting'],
    ],
    [
      'deletes everything with the primary object',
      appOf(['db', 'web'], 1, terminating),
      [liveOf('db')],
      ['delete db'],
      ['db deleting', 'web absent'],
    ],
    [
      'waits for objects that are being deleted',
      appOf(['db']),
      [liveOf('db', 1, terminating)],
      [],
      ['db deleting', 'web absent'],
    ],
    [
      'replaces an object of another name',
      appOf(['db']),
      [liveOf('db', 1, { name: 'old' })],
      ['delete db'],
      ['db deleting', 'web absent'],
    ],
  ])('%s', (title, app, objects, steps, states) => {
    const names =
      title === 'replaces an object of another name' ? ['db'] : objects.map(({ metadata }) => metadata?.name);
    const live = new Map(objects.map((object, index) => [String(names[index]), object]));
    const plan = planDependents(graph, app, live);
    expect(plan.steps.map((step) => `${step.do} ${step.name}`)).toEqual(steps);
    expect(plan.status.map(({ name, state }) => `${name} ${state}`)).toEqual(states);
  });

  it('contains no further apply of what was applied, and none before a dependency was applied', () => {
    const app = appOf(['db', 'web']);
    const live = new Map([
      ['db', liveOf('db')],
      ['web', liveOf('web')],
    ]);
    const after = (...applied: readonly string[]) => {
      const plan = planDependents(graph, app, live, { applied: new Set(applied), problems: new Map() });
      return [plan.isSettled, ...plan.steps.map((step) => `${step.do} ${step.name}`)];
    };
    expect([after(), after('db'), after('db', 'web')]).toEqual([
      [false, 'apply db'],
      [false, 'apply web'],
      [true],
    ]);
  });

  it('contains problems, for which the dependents wait', () => {
    const problem = { state: 'conflict', message: 'taken' } as const;
    const progress = { applied: new Set<string>(), problems: new Map([['db', problem]]) };
    const { steps, status, isSettled } = planDependents(graph, appOf(['db', 'web']), new Map(), progress);
    expect({ steps, isSettled }).toEqual({ steps: [], isSettled: false });
    expect(status).toEqual([
      { name: 'db', waitsFor: [], ...problem },
      { name: 'web', state: 'waiting', waitsFor: ['db'] },
    ]);
  });

  it('respects preconditions', () => {
    const guarded = dependentGraph([{ ...dependent('db'), precondition: ({ version }: App) => version > 1 }]);
    const steps = (version: number): number =>
      planDependents(guarded, appOf(['db'], version), new Map()).steps.length;
    expect([steps(1), steps(2)]).toEqual([0, 1]);
  });
});

test.each<[problem: RegExp, dependents: readonly Dependent<App>[]]>([
  [/unique/, [dependent('a'), dependent('a')]],
  [/a depends on b, which does not exist/, [dependent('a', ['b'])]],
  [/cycle: a -> b -> a/, [dependent('a', ['b']), dependent('b', ['a'])]],
])('a graph is rejected with %s', (problem, dependents) => {
  expect(() => dependentGraph(dependents)).toThrow(problem);
});

it('executes all steps, and throws the errors of those that fail', async () => {
  const graph = dependentGraph([dependent('a'), dependent('b'), dependent('c')]);
  const plan = planDependents(graph, appOf(['a', 'b', 'c']), new Map());
  const applied: unknown[] = [];
  const client = (failing: readonly string[]) => ({
    apply: async ({ metadata }: KubernetesObject) => {
      if (failing.includes(String(metadata?.name))) throw new Error(`no ${metadata?.name}`);
      applied.push(metadata?.name);
    },
    delete: async () => undefined,
  });
  await expect(executePlan(plan, client(['b']))).rejects.toThrow('no b');
  expect(applied).toEqual(['a', 'c']);
  await expect(executePlan(plan, client(['a', 'b']))).rejects.toThrow(AggregateError);
  await executePlan(plan, client([]));
});

describe('a reconciliation', () => {
  const app = appOf(['a', 'b', 'c']);
  const chain = dependentGraph([
    dependent('a', [], ({ version }) => version === 1),
    dependent('b', ['a'], ({ version }) => version === 1),
    dependent('c', ['b']),
  ]);

  it('applies an object in the same run if the response for its dependency is ready', async () => {
    const applied: string[] = [];
    const client = {
      apply: async (intent: KubernetesObject, name: string) => {
        applied.push(name);
        return intent;
      },
      delete: async () => undefined,
    };
    const plan = await reconcileDependents(chain, app, new Map([['a', liveOf('a', 0)]]), client);
    expect({ applied, isSettled: plan.isSettled }).toEqual({ applied: ['a', 'b', 'c'], isSettled: true });
  });

  it('is not settled by a cached object that is ready, but by the response', async () => {
    const client = {
      apply: async (_: KubernetesObject, name: string) => liveOf(name, name === 'b' ? 0 : 1),
      delete: async () => undefined,
    };
    const live = new Map(['a', 'b', 'c'].map((name) => [name, liveOf(name)]));
    const plan = await reconcileDependents(chain, app, live, client);
    expect(plan.isSettled).toBe(false);
    expect(plan.status.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'a ready',
      'b progressing',
      'c waiting',
    ]);
  });

  it('returns problems, and throws other errors after all steps', async () => {
    const graph = dependentGraph([dependent('a'), dependent('b'), dependent('c')]);
    const problem = { state: 'invalid', message: 'spec' } as const;
    const applied: string[] = [];
    const client = (errors: Readonly<Record<string, Error>>) => ({
      apply: async (intent: KubernetesObject, name: string) => {
        if (errors[name] !== undefined) throw errors[name];
        applied.push(name);
        return intent;
      },
      delete: async () => undefined,
    });
    const run = (errors: Readonly<Record<string, Error>>) =>
      reconcileDependents(graph, app, new Map(), client(errors));
    const { status, isSettled } = await run({ b: new DependentError(problem) });
    expect(status.map(({ state }) => state)).toEqual(['ready', 'invalid', 'ready']);
    expect(isSettled).toBe(false);
    applied.length = 0;
    const conflict = new ApiError({ code: 409, reason: 'Conflict' });
    await expect(run({ a: new Error('no') })).rejects.toThrow('no');
    expect(applied).toEqual(['b', 'c']);
    await expect(run({ a: new Error('no'), b: conflict })).rejects.toThrow(AggregateError);
    // A run with conflicts is repeated without an error.
    await expect(run({ a: conflict, b: conflict })).rejects.toBe(conflict);
    const owner = { kind: 'App', metadata: { name: 'app' } };
    const ending = new OwnerTerminatingError('ending', owner);
    await expect(run({ a: new Error('no'), b: ending })).rejects.toBe(ending);
  });
});

/** A cluster in simulated time: objects become ready, and are deleted, after random times. */
class Cluster {
  readonly live = new Map<string, Live>();
  now = 0;
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  tick(): void {
    this.now += 1;
    for (const [name, object] of this.live) {
      if (object.metadata?.deletionTimestamp !== undefined && this.#random() < 0.5) this.live.delete(name);
    }
  }

  isReady(object: Live): boolean {
    return (object.readyAt ?? 0) <= this.now;
  }

  /** Edits or deletes a random object. */
  disturb(): void {
    for (const [name, object] of this.live) {
      if (this.#random() < 0.1) this.live.set(name, { ...object, version: -1 });
      else if (this.#random() < 0.05) this.live.delete(name);
    }
  }
}

it('applies in order, deletes in reverse, converges and is then silent, for random graphs and faults', async () => {
  for (let seed = 1; seed <= rounds(2000, 50); seed += 1) {
    const random = mulberry32(seed);
    const cluster = new Cluster(random);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, 2 + Math.floor(random() * 5));
    const dependents = names.map((name, index) =>
      dependent(
        name,
        names.slice(0, index).filter(() => random() < 0.4),
        (live) => cluster.isReady(live),
      ),
    );
    const graph = dependentGraph([...dependents].sort(() => random() - 0.5));
    const dependenciesOf = (name: string): readonly string[] =>
      dependents.find((each) => each.name === name)?.dependsOn ?? [];
    const client = {
      apply: async (intent: KubernetesObject) => {
        const name = String(intent.metadata?.name);
        for (const each of dependenciesOf(name)) {
          const live = cluster.live.get(each);
          expect(live !== undefined && cluster.isReady(live), `seed ${seed}: ${each} before ${name}`).toBe(
            true,
          );
        }
        if (hasFaults && random() < 0.1) throw new Error('unavailable');
        const readyAt = cluster.live.get(name)?.readyAt ?? cluster.now + Math.floor(random() * 4);
        const stored = { ...intent, readyAt };
        cluster.live.set(name, stored);
        return stored;
      },
      delete: async (live: KubernetesObject) => {
        const name = String(live.metadata?.name);
        const users = names.filter((each) => dependenciesOf(each).includes(name) && cluster.live.has(each));
        expect(users, `seed ${seed}: users of ${name}`).toEqual([]);
        cluster.live.set(name, { ...live, metadata: { ...live.metadata, ...terminating } });
      },
    };
    let app = appOf(names);
    let hasFaults = true;
    const reconcile = async (): Promise<boolean> => {
      const plan = await reconcileDependents(graph, app, cluster.live, client).catch(() => undefined);
      cluster.tick();
      return plan?.isSettled ?? false;
    };
    for (let step = 0; step < 20; step += 1) {
      if (random() < 0.2)
        app = appOf(
          names.filter(() => random() < 0.7),
          Math.floor(random() * 3),
        );
      if (random() < 0.3) cluster.disturb();
      await reconcile();
    }
    let isSettled = false;
    for (let step = 0; step < 300 && !isSettled; step += 1) isSettled = await reconcile();
    for (let step = 0; step < 20; step += 1) await reconcile();
    hasFaults = false;
    const settled = new Map(cluster.live);
    expect(await reconcile(), `seed ${seed}`).toBe(true);
    expect(cluster.live, `seed ${seed}`).toEqual(settled);
    app = { ...app, metadata: terminating };
    for (let step = 0; step < 300 && cluster.live.size > 0; step += 1) await reconcile();
    expect(cluster.live.size, `seed ${seed}`).toBe(0);
  }
});
