import { beforeEach, describe, expect, it } from 'vitest';
import { type Thing, thing } from '../testkit/scripted-source.ts';
import type { Stored } from '../types.ts';
import { Indexer } from './indexer.ts';
import { byLabel, byNamespace, byOwner } from './indices.ts';
import { clusterLister, namespacedLister } from './lister.ts';
import { createStore } from './store.ts';

const labelled = (name: string, app: string, namespace = 'shop') =>
  thing(name, 1, { labels: { app }, namespace });
const names = (objects: readonly Stored<Thing>[]) => objects.map(({ metadata }) => metadata.name).sort();

let store = createStore<Stored<Thing>>();
let errors: unknown[] = [];
let indexer = new Indexer<Stored<Thing>>(() => undefined);
const put = (...objects: Stored<Thing>[]) =>
  store.writer.replace(objects).forEach((change) => void indexer.apply(change));

beforeEach(() => {
  store = createStore();
  errors = [];
  indexer = new Indexer((error) => errors.push(error));
});

describe.each([{ indexed: false }, { indexed: true }])(
  'the lister (by an index: $indexed)',
  ({ indexed }) => {
    beforeEach(() => {
      if (indexed) indexer.add('app', byLabel('app'), []);
      put(labelled('a', 'web'), labelled('b', 'db'), labelled('c', 'web', 'bank'), thing('d', 1));
    });

    it.each([
      { options: undefined, want: ['a', 'b', 'c', 'd'] },
      { options: { namespace: 'shop' }, want: ['a', 'b', 'd'] },
      { options: { namespace: 'none' }, want: [] },
      { options: { labelSelector: 'app=web' }, want: ['a', 'c'] },
      { options: { labelSelector: { app: 'web' }, namespace: 'bank' }, want: ['c'] },
      { options: { labelSelector: 'app in (web,db,db),!other' }, want: ['a', 'b', 'c'] },
      { options: { labelSelector: '!app' }, want: ['d'] },
      {
        options: {
          labelSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] },
        },
        want: ['b', 'd'],
      },
    ])('lists $options', ({ options, want }) => {
      expect(names(namespacedLister(store.reader, indexer).list(options))).toEqual(want);
    });

    it('gets by namespace and name', () => {
      const lister = namespacedLister(store.reader, indexer);
      expect(lister.get('bank', 'c')?.metadata.name).toBe('c');
      expect(lister.get('shop', 'c')).toBeUndefined();
    });

    it('says what is wrong with a selector', () => {
      expect(() => namespacedLister(store.reader, indexer).list({ labelSelector: 'a=b=c' })).toThrow(
        'label selector',
      );
    });
  },
);

it('reads cluster-scoped objects by name', () => {
  const { namespace: _, ...metadata } = thing('node', 1).metadata;
  put({ ...thing('node', 1), metadata });
  const lister = clusterLister(store.reader, indexer);
  expect(lister.get('node')?.metadata.name).toBe('node');
  expect(names(lister.list({ labelSelector: '!app' }))).toEqual(['node']);
});

describe('indices', () => {
  it('are in step with the store', () => {
    const index = indexer.add('app', byLabel('app'), []);
    put(labelled('a', 'web'), labelled('b', 'web'));
    expect(names(index.get('web'))).toEqual(['a', 'b']);
    put({ ...labelled('a', 'db'), metadata: { ...labelled('a', 'db').metadata, resourceVersion: '2' } });
    expect([index.get('web'), names(index.get('db')), index.values()]).toEqual([[], ['a'], ['db']]);
    put();
    expect(index.values()).toEqual([]);
  });

  it('take in what is there', () => {
    put(labelled('a', 'web'));
    expect(names(indexer.add('app', byLabel('app'), store.reader.values()).get('web'))).toEqual(['a']);
  });

  it('forget an object that was changed since it came in', () => {
    const index = indexer.add('app', byLabel('app'), []);
    const object = labelled('a', 'web');
    put(object);
    Object.assign(object.metadata, { labels: { app: 'db' } });
    put();
    expect(index.values()).toEqual([]);
  });

  it('are the same for the same name and function, and an error for another one', () => {
    const index = indexer.add('app', byLabel('app'), []);
    expect(indexer.add('app', byLabel('app'), [])).toBe(index);
    expect(() => indexer.add('app', byLabel('tier'), [])).toThrow('index "app" exists with another function');
  });

  it('report a function that fails, and go on', () => {
    const broken = indexer.add('broken', () => {
      throw new Error('oops');
    }, []);
    const good = indexer.add('namespace', byNamespace, []);
    put(thing('a', 1));
    expect([broken.values(), good.values(), errors]).toEqual([[], ['shop'], [new Error('oops')]]);
  });

  it('fail at once for a function that fails for what is there', () => {
    put(thing('a', 1));
    const fail = () => {
      throw new Error('oops');
    };
    expect(() => indexer.add('broken', fail, store.reader.values())).toThrow('oops');
    expect(indexer.add('broken', byNamespace, []).values()).toEqual([]);
  });

  it('find by owner', () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Thing', name: 'o', uid: 'uid-o' }];
    const index = indexer.add('owner', byOwner, []);
    put(thing('a', 1, { ownerReferences }), thing('b', 1));
    expect(names(index.get('uid-o'))).toEqual(['a']);
  });
});
