import { beforeEach, describe, expect, it } from 'vitest';
import { type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import type { Stored } from '../../api/types.ts';
import { byLabel, byNamespace, byOwner } from './indices.ts';
import { createStore } from './store.ts';

const labelled = (name: string, app: string, version = 1, namespace = 'shop') =>
  thing(name, version, { labels: { app }, namespace });
const names = (objects: readonly Stored<Thing>[]) => objects.map(({ metadata }) => metadata.name).sort();
const fail = (): never => {
  throw new Error('oops');
};

let errors: unknown[] = [];
let store = createStore<Stored<Thing>>(() => undefined);
let part = store.part();
const put = (...objects: Stored<Thing>[]) => {
  for (const object of objects) part.apply({ type: 'MODIFIED', object });
};
const remove = (object: Stored<Thing>) => void part.apply({ type: 'DELETED', object });

beforeEach(() => {
  errors = [];
  store = createStore((error) => errors.push(error));
  part = store.part();
});

describe('an index', () => {
  it('is consistent with the store', () => {
    const index = store.addIndex('app', byLabel('app'));
    put(labelled('a', 'web'), labelled('b', 'web'));
    expect(names(index.get('web'))).toEqual(['a', 'b']);
    put(labelled('a', 'db', 2));
    expect([names(index.get('web')), names(index.get('db')), index.values()]).toEqual([
      ['b'],
      ['a'],
      ['web', 'db'],
    ]);
    put(labelled('b', 'web', 3));
    expect(index.get('web')).toEqual([labelled('b', 'web', 3)]);
    remove(labelled('b', 'web', 4));
    put(thing('a', 5));
    expect([index.get('web'), index.get('db'), index.values()]).toEqual([[], [], []]);
  });

  it('includes existing objects, also of a part from which objects were removed', () => {
    put(labelled('a', 'web'), labelled('b', 'web'), labelled('c', 'web'));
    remove(labelled('b', 'web'));
    const index = store.addIndex('app', byLabel('app'));
    expect(names(index.get('web'))).toEqual(['a', 'c']);
    put(labelled('d', 'web'));
    expect(names(index.get('web'))).toEqual(['a', 'c', 'd']);
  });

  it('has an object under each of several values once', () => {
    const owners = (...uids: string[]) =>
      uids.map((uid) => ({ apiVersion: 'v1', kind: 'Thing', name: 'o', uid }));
    const index = store.addIndex('owner', byOwner);
    put(thing('a', 1, { ownerReferences: owners('x', 'y', 'x') }), thing('b', 1), labelled('c', 'web'));
    expect([index.get('x').length, index.get('y').length, index.values()]).toEqual([1, 1, ['x', 'y']]);
    put(
      thing('a', 2, { ownerReferences: owners('y', 'z') }),
      thing('b', 2, { ownerReferences: owners('y') }),
    );
    expect([names(index.get('x')), names(index.get('y')), names(index.get('z'))]).toEqual([
      [],
      ['a', 'b'],
      ['a'],
    ]);
    put(thing('a', 3));
    remove(thing('b', 3));
    expect(index.values()).toEqual([]);
  });

  it('removes an object that was mutated after it was stored', () => {
    const index = store.addIndex('app', byLabel('app'));
    const object = labelled('a', 'web');
    put(object);
    Object.assign(object.metadata, { labels: { app: 'db' } });
    remove(thing('a', 2));
    expect(index.values()).toEqual([]);
  });

  it('removes an object whose function returns different values each time', () => {
    let count = 0;
    const index = store.addIndex('count', () => {
      count += 1;
      return [`${count}`];
    });
    put(thing('a', 1), thing('b', 1), thing('a', 2));
    expect(index.values()).toEqual(['2', '3']);
    remove(thing('a', 3));
    remove(thing('b', 3));
    expect(index.values()).toEqual([]);
  });

  it.each(['__proto__', 'constructor', ''])('supports the value %j', (value) => {
    const index = store.addIndex('app', byLabel('app'));
    put(labelled('a', value), thing('b', 1));
    expect([names(index.get(value)), index.values(), index.get('toString')]).toEqual([['a'], [value], []]);
  });

  it.each(['__proto__', 'constructor'])('supports the label and the name %j', (key) => {
    const index = store.addIndex(key, byLabel(key));
    put(thing('a', 1, { labels: JSON.parse(`{"${key}":"yes"}`) }), labelled('b', 'web'));
    expect([names(index.get('yes')), index.values(), errors]).toEqual([['a'], ['yes'], []]);
  });

  it('returns new arrays', () => {
    const index = store.addIndex('app', byLabel('app'));
    put(labelled('a', 'web'), labelled('b', 'web'));
    const given = index.get('web');
    remove(labelled('a', 'web'));
    expect([names(given), names(index.get('web'))]).toEqual([['a', 'b'], ['b']]);
  });

  it('is the same for the same name and function, and throws for another function', () => {
    const index = store.addIndex('app', byLabel('app'));
    expect(store.addIndex('app', byLabel('app'))).toBe(index);
    expect(() => store.addIndex('app', byLabel('tier'))).toThrow('index "app" exists with another function');
  });

  it('throws TypeError without a function', () => {
    expect(() => store.addIndex('app', Object(undefined))).toThrow(
      'index "app": the index function is not a function',
    );
  });

  it('is in memory once, under several names', () => {
    let calls = 0;
    const valuesOf = () => {
      calls += 1;
      return ['x'];
    };
    put(thing('a', 1));
    expect(store.addIndex('one', valuesOf).get('x')).toEqual(store.addIndex('two', valuesOf).get('x'));
    expect(calls).toBe(1);
  });
});

describe('the index by namespace', () => {
  it('is that of the store', () => {
    put(labelled('a', 'web'), labelled('b', 'web', 1, 'bank'));
    const had = store.indexOver(byNamespace);
    const index = store.addIndex('namespace', byNamespace);
    expect(had).toBe(index);
    expect([names(index.get('bank')), index.get('none'), index.values()]).toEqual([
      ['b'],
      [],
      ['shop', 'bank'],
    ]);
    remove(labelled('b', 'web', 1, 'bank'));
    expect([index.get('bank'), index.values()]).toEqual([[], ['shop']]);
    expect(() => store.addIndex('namespace', byOwner)).toThrow('exists with another function');
  });
});

describe('an index function that throws', () => {
  it('is reported for each object, which is missing in this index only', () => {
    const broken = store.addIndex('broken', ({ metadata }) => (metadata.name === 'a' ? fail() : ['x']));
    const good = store.addIndex('app', byLabel('app'));
    put(labelled('a', 'web'), labelled('b', 'web'));
    expect([names(broken.get('x')), names(good.get('web'))]).toEqual([['b'], ['a', 'b']]);
    const left = 'index "broken": shop/a is not indexed: oops';
    expect(errors).toEqual([new Error(left, { cause: new Error('oops') })]);
  });

  it('is reported with the name only for a cluster-scoped object', () => {
    store.addIndex('broken', fail);
    const { namespace: _, ...metadata } = thing('a', 1).metadata;
    put({ ...thing('a', 1), metadata });
    expect(errors).toEqual([new Error('index "broken": a is not indexed: oops')]);
  });

  it('for existing objects does not prevent the index', () => {
    put(thing('a', 1), thing('b', 1));
    const index = store.addIndex('broken', ({ metadata }) => (metadata.name === 'a' ? fail() : ['x']));
    expect([names(index.get('x')), errors.length]).toEqual([['b'], 1]);
  });

  it('for a new version removes the old one', () => {
    const index = store.addIndex('broken', ({ metadata }) =>
      metadata.resourceVersion === '2' ? fail() : ['x'],
    );
    put(thing('a', 1), thing('b', 1), thing('a', 2));
    expect([names(index.get('x')), errors.length]).toEqual([['b'], 1]);
    put(thing('a', 3));
    expect(names(index.get('x'))).toEqual(['a', 'b']);
  });

  it.each([
    ['text', 'web'],
    ['nothing', undefined],
    ['numbers', [1]],
    ['a gap', [undefined]],
  ])('is reported if it returns %s', (_, given) => {
    const object: { valuesOf: () => readonly string[] } = JSON.parse('{}');
    Object.assign(object, { valuesOf: () => given });
    const index = store.addIndex('odd', object.valuesOf);
    put(thing('a', 1));
    const why = 'index "odd": shop/a is not indexed: the function must return an array of strings';
    expect([index.values(), errors]).toEqual([[], [new Error(why, { cause: expect.any(TypeError) })]]);
  });
});
