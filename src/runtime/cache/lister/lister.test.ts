import { beforeEach, describe, expect, it } from 'vitest';
import { type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import type { Stored } from '../../api/types.ts';
import type { IndexFunction } from '../store/indexer.ts';
import { byLabel, byNamespace, byOwner } from '../store/indices.ts';
import { createStore, type IndexedReader, type Store } from '../store/store.ts';
import { clusterLister, namespacedLister } from './lister.ts';

const labelled = (name: string, app: string, namespace = 'shop', tier?: string) =>
  thing(name, 1, { labels: { app, ...(tier !== undefined && { tier }) }, namespace });
const names = (objects: readonly Stored<Thing>[]) => objects.map(({ metadata }) => metadata.name).sort();

function world(...objects: Stored<Thing>[]): Store<Stored<Thing>> {
  const store = createStore<Stored<Thing>>(() => undefined);
  const part = store.part();
  for (const object of objects) part.apply({ type: 'ADDED', object });
  return store;
}

const indices = [byLabel('app'), byLabel('tier'), byNamespace, byOwner];

describe.each([{ indexed: [] }, { indexed: indices.slice(0, 1) }, { indexed: indices }])(
  'the lister (indices: $indexed.length)',
  ({ indexed }) => {
    let store = world();
    beforeEach(() => {
      store = world(
        labelled('a', 'web', 'shop', 'front'),
        labelled('b', 'db', 'shop', 'back'),
        labelled('c', 'web', 'bank', 'back'),
        thing('d', 1),
        labelled('e', 'web', 'shop'),
        labelled('f', '__proto__', 'bank'),
      );
      for (const valuesOf of indexed) store.addIndex(`index ${indices.indexOf(valuesOf)}`, valuesOf);
    });

    it.each([
      { options: undefined, want: ['a', 'b', 'c', 'd', 'e', 'f'] },
      { options: { namespace: 'shop' }, want: ['a', 'b', 'd', 'e'] },
      { options: { namespace: 'none' }, want: [] },
      { options: { namespace: '' }, want: [] },
      { options: { labelSelector: '' }, want: ['a', 'b', 'c', 'd', 'e', 'f'] },
      { options: { labelSelector: 'app=web' }, want: ['a', 'c', 'e'] },
      { options: { labelSelector: ' app = web ' }, want: ['a', 'c', 'e'] },
      { options: { labelSelector: 'app==web,app!=web' }, want: [] },
      { options: { labelSelector: 'app=web,app=db' }, want: [] },
      { options: { labelSelector: 'app=none' }, want: [] },
      { options: { labelSelector: 'app=toString' }, want: [] },
      { options: { labelSelector: { app: 'web' }, namespace: 'bank' }, want: ['c'] },
      { options: { labelSelector: { app: 'web' }, namespace: 'shop' }, want: ['a', 'e'] },
      { options: { labelSelector: { app: 'web', tier: 'back' } }, want: ['c'] },
      { options: { labelSelector: 'tier=back,app=web', namespace: 'shop' }, want: [] },
      { options: { labelSelector: 'tier in (back,front),app=web' }, want: ['a', 'c'] },
      { options: { labelSelector: 'app in (web,db,db),!other' }, want: ['a', 'b', 'c', 'e'] },
      { options: { labelSelector: 'app in (db,web)', namespace: 'shop' }, want: ['a', 'b', 'e'] },
      { options: { labelSelector: 'app' }, want: ['a', 'b', 'c', 'e', 'f'] },
      { options: { labelSelector: '!app' }, want: ['d'] },
      { options: { labelSelector: 'app=web,!tier' }, want: ['e'] },
      {
        options: {
          labelSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] },
        },
        want: ['b', 'd', 'f'],
      },
    ])('lists $options', ({ options, want }) => {
      // Runs twice, because the second result uses the cached selector.
      for (let times = 0; times < 2; times += 1) {
        expect(names(namespacedLister(store).list(options))).toEqual(want);
      }
    });

    it('gets by namespace and name', () => {
      const lister = namespacedLister(store);
      expect(lister.get('bank', 'c')?.metadata.name).toBe('c');
      expect(lister.get('shop', 'c')).toBeUndefined();
    });

    it('throws TypeError for an invalid selector each time', () => {
      for (let times = 0; times < 2; times += 1) {
        expect(() => namespacedLister(store).list({ labelSelector: 'a=b=c' })).toThrow('label selector');
      }
    });

    it('returns new arrays', () => {
      const lister = namespacedLister(store);
      for (const options of [{}, { namespace: 'shop' }, { labelSelector: 'app=web' }]) {
        const [first, second] = [lister.list(options), lister.list(options)];
        expect(first).not.toBe(second);
        expect(first).toEqual(second);
      }
    });
  },
);

it('reads cluster-scoped objects by name', () => {
  const { namespace: _, ...metadata } = thing('node', 1).metadata;
  const lister = clusterLister(world({ ...thing('node', 1), metadata }));
  expect(lister.get('node')?.metadata.name).toBe('node');
  expect(names(lister.list({ labelSelector: '!app' }))).toEqual(['node']);
});

describe('objects that the lister reads', () => {
  /** Records the origin and the number of the objects that are read. */
  function watched(store: Store<Stored<Thing>>) {
    const reads: string[] = [];
    const { reader } = store;
    const seen: IndexedReader<Stored<Thing>> = {
      reader: {
        size: reader.size,
        get: (...args) => reader.get(...args),
        count: (namespace) => reader.count(namespace),
        namespaces: () => reader.namespaces(),
        snapshot: () => reader.snapshot(),
        values: (namespace) => {
          reads.push(`namespace ${namespace ?? 'any'}: ${reader.count(namespace)}`);
          return reader.values(namespace);
        },
      },
      indexOver: (valuesOf: IndexFunction<Stored<Thing>>) => {
        const index = store.indexOver(valuesOf);
        if (index === undefined) return undefined;
        const get = (value: string) => {
          reads.push(`${value}: ${index.count(value)}`);
          return index.get(value);
        };
        return { ...index, get, count: (value) => index.count(value), values: () => index.values() };
      },
    };
    return { reads, lister: namespacedLister(seen) };
  }

  const objects = Array.from({ length: 60 }, (_, n) =>
    labelled(`n${n}`, `app-${n % 20}`, n < 58 ? 'shop' : 'bank', n % 2 === 0 ? 'front' : 'back'),
  );

  it.each([
    { options: {}, want: ['namespace any: 62'] },
    { options: { namespace: 'shop' }, want: ['namespace shop: 60'] },
    { options: { labelSelector: 'app=app-1' }, want: ['app-1: 3'] },
    { options: { labelSelector: 'tier=back,app=app-1' }, want: ['app-1: 3'] },
    { options: { labelSelector: 'app in (app-1,app-2,app-1)' }, want: ['app-1: 3', 'app-2: 3'] },
    { options: { labelSelector: 'app=app-1', namespace: 'shop' }, want: ['app-1: 3'] },
    { options: { labelSelector: 'app=app-1', namespace: 'bank' }, want: ['namespace bank: 2'] },
    { options: { labelSelector: 'rare' }, want: ['yes: 1', ': 1'] },
    { options: { labelSelector: 'rare,tier=back' }, want: ['yes: 1', ': 1'] },
    { options: { labelSelector: 'rare=' }, want: [': 1'] },
    { options: { labelSelector: 'app!=app-1' }, want: ['namespace any: 62'] },
    { options: { labelSelector: 'app notin (app-1)' }, want: ['namespace any: 62'] },
    { options: { labelSelector: '!app' }, want: ['namespace any: 62'] },
    { options: { labelSelector: 'other=app-1' }, want: ['namespace any: 62'] },
  ])('for $options: $want', ({ options, want }) => {
    const rare = ['yes', ''].map((value) => thing(`rare-${value}`, 1, { labels: { rare: value } }));
    const store = world(...objects, ...rare);
    for (const key of ['tier', 'app', 'rare']) store.addIndex(key, byLabel(key));
    const { reads, lister } = watched(store);
    lister.list(options);
    expect(reads).toEqual(want);
  });

  it('are not matched again if an index implements the requirement', () => {
    let looks = 0;
    const labels = { app: 'web' };
    const object = thing('a', 1);
    const metadata = Object.defineProperty({ ...object.metadata }, 'labels', {
      get: () => {
        looks += 1;
        return labels;
      },
    });
    const store = world({ ...object, metadata });
    store.addIndex('app', byLabel('app'));
    looks = 0;
    expect(namespacedLister(store).list({ labelSelector: 'app=web', namespace: 'shop' })).toHaveLength(1);
    expect(looks).toBe(0);
  });
});
