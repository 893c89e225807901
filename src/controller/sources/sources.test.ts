import type { Informer, KubernetesObject, Stored } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { setupOf } from '../controller/setup.ts';
import { desiredStateChanged, type ObjectChange } from './predicates.ts';
import { enqueuedBy, lowPriority, ownerKeys } from './sources.ts';

type Metadata = Record<string, unknown>;

function object(metadata: Metadata): Stored<KubernetesObject> {
  // Tests also pass metadata that no server returns.
  return {
    metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '1', ...metadata },
  } as never;
}

function informer(resource: Metadata = {}): Informer<KubernetesObject> {
  const all = { group: 'my.domain', version: 'v1', resource: 'myapps', kind: 'MyApp', ...resource };
  return { handle: () => undefined, name: String(all.resource), resource: all } as never;
}

const update = (now: Metadata, old: Metadata): ObjectChange<KubernetesObject> => ({
  type: 'update',
  object: object({ generation: 1, resourceVersion: '2', ...now }),
  old: object({ generation: 1, ...old }),
});

describe('default predicate', () => {
  it.each<readonly [string, ObjectChange<KubernetesObject>, boolean]>([
    ['an addition', { type: 'add', object: object({}), isInitial: false }, true],
    ['a deletion', { type: 'delete', object: object({}), missed: false }, true],
    ['a status', update({}, {}), false],
    ['a generation', update({ generation: 2 }, {}), true],
    ['a new label', update({ labels: { a: '1' } }, {}), true],
    ['a changed label', update({ labels: { a: '1' } }, { labels: { a: '2' } }), true],
    ['another label', update({ labels: { a: '1' } }, { labels: { b: '1' } }), true],
    ['equal labels', update({ labels: { a: '1' } }, { labels: { a: '1' } }), false],
    ['empty and missing labels', update({ labels: {} }, { labels: null }), false],
    ['a label of an inherited name', update({ labels: { toString: 'x' } }, { labels: {} }), true],
    ['an annotation', update({ annotations: { a: '1' } }, {}), true],
    ['a finalizer', update({ finalizers: ['a/b'] }, {}), true],
    ['the order of finalizers', update({ finalizers: ['a', 'b'] }, { finalizers: ['b', 'a'] }), true],
    ['the begin of a deletion', update({ deletionTimestamp: 'now' }, {}), true],
    ['another object', update({ uid: 'v' }, {}), true],
    ['a resync', update({ resourceVersion: '1' }, {}), true],
    ['an object without generation', update({ generation: undefined }, { generation: undefined }), true],
    ['managed fields', update({ managedFields: [{}] }, {}), false],
  ])('decides about %s', (_, change, expected) => {
    expect(desiredStateChanged(change)).toBe(expected);
  });
});

describe('owner keys', () => {
  const reference = { apiVersion: 'my.domain/v1', kind: 'MyApp', name: 'app', uid: 'o', controller: true };
  const owner = { group: 'my.domain', kind: 'MyApp', isNamespaced: true };
  it.each<
    readonly [string, unknown, Partial<typeof owner> & { readonly cluster?: string }, readonly object[]]
  >([
    ['the controller', [reference], {}, [{ namespace: 'shop', name: 'app' }]],
    [
      'another version',
      [{ ...reference, apiVersion: 'my.domain/v2' }],
      {},
      [{ namespace: 'shop', name: 'app' }],
    ],
    ['a cluster-scoped owner', [reference], { isNamespaced: false }, [{ namespace: '', name: 'app' }]],
    ['a cluster', [reference], { cluster: 'a' }, [{ cluster: 'a', namespace: 'shop', name: 'app' }]],
    ['an owner that is not a controller', [{ ...reference, controller: false }], {}, []],
    ['another kind', [{ ...reference, kind: 'Other' }], {}, []],
    ['another group', [{ ...reference, apiVersion: 'other/v1' }], {}, []],
    [
      'the core group',
      [{ ...reference, apiVersion: 'v1' }],
      { group: '' },
      [{ namespace: 'shop', name: 'app' }],
    ],
    ['no references', undefined, {}, []],
    ['a reference without a version', [{ ...reference, apiVersion: undefined }], {}, []],
    ['a reference without a name', [{ ...reference, name: undefined }], {}, []],
  ])('of %s', (_, ownerReferences, kind, expected) => {
    expect(ownerKeys(object({ ownerReferences }), { ...owner, ...kind })).toEqual(expected);
  });
});

describe('keys of a change', () => {
  const mapped = (options: object, scope?: string, work: object = { reconcile: () => undefined }) => {
    const watches = [{ informer: informer({ resource: 'configmaps' }), map: () => [], ...options }];
    // seam: one of both functions is set, which types cannot express for a parameter.
    const { sources } = setupOf({ name: 'x', for: informer({ scope }), watches, ...work } as never);
    return sources[1] ?? expect.fail('no source');
  };
  const run = (source: ReturnType<typeof mapped>, change: ObjectChange<KubernetesObject>) => {
    const errors: string[] = [];
    const report = (error: unknown, place: string) => void errors.push(`${place}: ${String(error)}`);
    const found = [...enqueuedBy(source, change, report)].filter((each) => each !== undefined);
    return { keys: found.map(({ key }) => key), priorities: found.map(({ priority }) => priority), errors };
  };
  const byLabel = ({ metadata }: Stored<KubernetesObject>) => [
    { namespace: 'shop', name: metadata.labels?.['app'] ?? '' },
  ];
  const moved = update({ labels: { app: 'new' } }, { labels: { app: 'old' } });

  it('are those of the new and of the old state', () => {
    const names = run(mapped({ map: byLabel }), moved).keys.map(({ name }) => name);
    expect(names).toEqual(['new', 'old']);
  });

  it('are unique, with a namespace', () => {
    const map = () => [{ name: 'a' }, { namespace: '', name: 'a' }, { namespace: 'b', name: 'a' }];
    expect(run(mapped({ map }), moved).keys).toEqual([
      { namespace: '', name: 'a' },
      { namespace: 'b', name: 'a' },
    ]);
  });

  it('have a low priority for initial objects and resyncs', () => {
    const source = mapped({ map: () => [{ name: 'a' }] });
    const resync = update({ resourceVersion: '1' }, {});
    const add = (initial: boolean): ObjectChange<KubernetesObject> => ({
      type: 'add',
      object: object({}),
      isInitial: initial,
    });
    expect([add(true), resync, add(false), moved].map((change) => run(source, change).priorities)).toEqual([
      [lowPriority],
      [lowPriority],
      [0],
      [0],
    ]);
  });

  it.each<readonly [string, unknown]>([
    ['throws', () => expect.fail('no')],
    ['returns nothing', () => undefined],
    ['returns a promise', async () => []],
    ['returns a key without a name', () => [{ namespace: 'a' }]],
    ['returns undefined as a key', () => [undefined]],
  ])('are reported, and none, if a mapping %s', (_, map) => {
    const { keys, errors } = run(mapped({ map }), moved);
    expect(keys).toEqual([]);
    expect(errors).toHaveLength(2);
  });

  it.each<readonly [string | undefined, object, object | undefined]>([
    ['Namespaced', { name: 'a' }, undefined],
    ['Namespaced', { namespace: 'shop', name: 'a' }, { namespace: 'shop', name: 'a' }],
    ['Cluster', { namespace: 'shop', name: 'a' }, undefined],
    ['Cluster', { name: 'a' }, { namespace: '', name: 'a' }],
    [undefined, { name: 'a' }, { namespace: '', name: 'a' }],
  ])('of scope %s: %j becomes %j, and others remain', (scope, key, expected) => {
    const other = scope === 'Cluster' ? { namespace: '', name: 'b' } : { namespace: 'shop', name: 'b' };
    const { keys, errors } = run(mapped({ map: () => [key, other] }, scope), moved);
    expect(keys).toEqual(expected === undefined ? [other] : [expected, other]);
    const report = /^map: TypeError: map returned \{"namespace":.*\}, but myapps .*: return \{ namespace/;
    expect(errors).toEqual(expected === undefined ? Array(2).fill(expect.stringMatching(report)) : []);
  });

  it('of reconcileKey need not be those of objects', () => {
    const work = { reconcileKey: () => undefined };
    const { keys, errors } = run(mapped({ map: () => [{ name: 'a' }] }, 'Namespaced', work), moved);
    expect({ keys, errors }).toEqual({ keys: [{ namespace: '', name: 'a' }], errors: [] });
  });

  it('of the old state remain if the mapping throws for the new one', () => {
    const map = (state: Stored<KubernetesObject>) =>
      state.metadata.labels?.['app'] === 'new' ? expect.fail('no') : byLabel(state);
    expect(run(mapped({ map }), moved).keys).toEqual([{ namespace: 'shop', name: 'old' }]);
  });

  it('remain if the predicate throws, which is reported', () => {
    const { keys, errors } = run(mapped({ map: byLabel, predicate: () => expect.fail('no') }), moved);
    expect(keys).toHaveLength(2);
    expect(errors[0]).toContain('predicate');
  });
});

describe('options of a controller', () => {
  const reconcile = (): void => undefined;
  const valid = { name: 'x', for: informer(), reconcile };
  const on = (cluster?: string) => ({ informer: informer(), cluster });
  const selecting = (field: string) => ({
    ...informer(),
    selection: { metadata: { [field]: true as const } },
  });
  it.each<readonly [string, object, string]>([
    ['no name', { name: '' }, 'needs a name'],
    ['no informer', { for: [] }, 'for needs an informer'],
    ['an undefined informer', { for: undefined }, 'for needs an informer'],
    ['something else than an informer', { for: { informer: {} } }, 'need informers'],
    ['an undefined owned informer', { owns: [undefined] }, 'need informers'],
    ['a watch without an informer', { watches: [{ map: () => [] }] }, 'need informers'],
    ['two informers of a cluster', { for: [on(), on()] }, 'another cluster'],
    ['an owned informer of an unknown cluster', { owns: [on('a')] }, 'has its cluster a'],
    [
      'owned objects without owners',
      { owns: [selecting('labels')] },
      'owns needs metadata.ownerReferences of',
    ],
    [
      'finalize of objects without finalizers',
      { for: selecting('labels'), finalize: reconcile },
      'finalize needs metadata.finalizers of',
    ],
    ['no function', { reconcile: undefined }, 'either reconcile or reconcileKey'],
    ['two functions', { reconcileKey: reconcile }, 'either reconcile or reconcileKey'],
    ['no real function', { reconcile: 'x' }, 'either reconcile or reconcileKey'],
    [
      'finalize with keys',
      { reconcile: undefined, reconcileKey: reconcile, finalize: reconcile },
      'finalize needs',
    ],
    ['a finalizer without finalize', { finalizer: 'a.b/c' }, 'finalizer needs finalize'],
    ['an invalid finalizer', { finalize: reconcile, finalizer: 'cleanup' }, 'is not a valid finalizer'],
    ['a name that is not a finalizer', { finalize: reconcile, name: 'my app' }, 'is not a valid finalizer'],
    ['a mapping that is not a function', { watches: [{ informer: informer(), map: 1 }] }, 'map of watches'],
    ['a predicate that is not a function', { for: { informer: informer(), predicate: 1 } }, 'predicate'],
    ['no concurrency', { concurrency: 0 }, 'concurrency must be an integer'],
    ['half a run', { concurrency: 1.5 }, 'concurrency must be an integer'],
    ['no attempt', { maxAttempts: 0 }, 'maxAttempts must be'],
    ['no time', { timeoutMs: 0 }, 'timeoutMs must be above 0'],
    ['NaN', { resyncMs: Number.NaN }, 'resyncMs must be above 0'],
    ['a string', { syncTimeoutMs: '5' }, 'syncTimeoutMs must be above 0'],
  ])('are refused with %s', (_, options, message) => {
    expect(() => setupOf({ ...valid, ...options })).toThrow(message);
  });

  it('may have informers whose selections include what is read', () => {
    const finalized = {
      for: selecting('finalizers'),
      owns: [selecting('ownerReferences')],
      finalize: reconcile,
    };
    expect(() => setupOf({ ...valid, ...finalized })).not.toThrow();
  });

  it('have defaults', () => {
    expect(setupOf(valid)).toMatchObject({
      concurrency: 1,
      timeoutMs: 300_000,
      syncTimeoutMs: 120_000,
      maxAttempts: Number.POSITIVE_INFINITY,
      work: { finalizer: 'my.domain/x' },
    });
  });
});
