import { describe, expect, it } from 'vitest';
import { type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import type { Stored } from '../../api/types.ts';
import type { ObjectEvent } from '../../watch/machine/machine-types.ts';
import { type Change, createStore, type StorePart } from './store.ts';

const show = (change: Change<Stored<Thing>>): string => {
  const at = ({ metadata }: Stored<Thing>) => `${metadata.uid}@${metadata.resourceVersion}`;
  switch (change.type) {
    case 'add':
      return `add ${at(change.object)}`;
    case 'update':
      return `update ${at(change.old)} to ${at(change.object)}`;
    case 'delete':
      return `delete ${at(change.object)}${change.missed ? ', missed' : ''}`;
  }
};

function world(namespaces: readonly (string | undefined)[] = [undefined]) {
  const errors: unknown[] = [];
  const store = createStore<Stored<Thing>>((error) => errors.push(error));
  const [part = store.part(), other = part] = namespaces.map((namespace) => store.part(namespace));
  return { store, reader: store.reader, part, other, errors };
}

/** Performs all steps at once. */
function replace(part: StorePart<Stored<Thing>>, ...objects: Stored<Thing>[]): readonly string[] {
  const rebuild = part.rebuild();
  for (const object of objects) rebuild.put(object);
  const steps = rebuild.finish();
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value.map(show);
}

const event = (type: ObjectEvent<Stored<Thing>>['type'], version: number, uid = 'u1') => ({
  type,
  object: thing('a', version, { uid }),
});

describe('one event', () => {
  it.each<{ name: string; given: ObjectEvent<Stored<Thing>>[]; want: string[] }>([
    { name: 'a new object', given: [event('ADDED', 1)], want: ['add u1@1'] },
    {
      name: 'a change',
      given: [event('ADDED', 1), event('MODIFIED', 2)],
      want: ['add u1@1', 'update u1@1 to u1@2'],
    },
    { name: 'a change of an unknown object', given: [event('MODIFIED', 2)], want: ['add u1@2'] },
    {
      name: 'an addition of a known object',
      given: [event('ADDED', 1), event('ADDED', 2)],
      want: ['add u1@1', 'update u1@1 to u1@2'],
    },
    { name: 'the same version again', given: [event('ADDED', 1), event('MODIFIED', 1)], want: ['add u1@1'] },
    {
      name: 'a deletion',
      given: [event('ADDED', 1), event('DELETED', 2)],
      want: ['add u1@1', 'delete u1@2'],
    },
    {
      name: 'an older version, if events have no order',
      given: [event('ADDED', 10), event('MODIFIED', 9)],
      want: ['add u1@10'],
    },
    {
      name: 'an older deletion, if events have no order',
      given: [event('ADDED', 10), event('DELETED', 9)],
      want: ['add u1@10'],
    },
    {
      name: 'an older object of the same name, and its deletion, if events have no order',
      given: [event('ADDED', 10), event('ADDED', 8, 'u0'), event('DELETED', 9, 'u0')],
      want: ['add u1@10'],
    },
    {
      name: 'a deletion with the stored version',
      given: [event('ADDED', 10), event('DELETED', 10)],
      want: ['add u1@10', 'delete u1@10'],
    },
    { name: 'a deletion of an unknown object', given: [event('DELETED', 2)], want: [] },
    {
      name: 'a new object of the same name',
      given: [event('ADDED', 1), event('ADDED', 3, 'u2')],
      want: ['add u1@1', 'delete u1@1, missed', 'add u2@3'],
    },
    {
      name: 'its deletion, if it was never stored',
      given: [event('ADDED', 1), event('DELETED', 4, 'u2')],
      want: ['add u1@1', 'delete u1@1, missed'],
    },
  ])('$name', ({ given, want }) => {
    const { part } = world();
    expect(given.flatMap((one) => part.apply(one)).map(show)).toEqual(want);
  });
});

describe('the whole state', () => {
  it.each<{ name: string; had: Stored<Thing>[]; given: Stored<Thing>[]; want: string[] }>([
    { name: 'first', had: [], given: [thing('a', 1), thing('b', 2)], want: ['add uid-a@1', 'add uid-b@2'] },
    { name: 'unchanged', had: [thing('a', 1)], given: [thing('a', 1)], want: [] },
    {
      name: 'another',
      had: [thing('a', 1), thing('b', 2), thing('c', 3)],
      given: [thing('d', 4), thing('b', 2), thing('c', 5)],
      want: ['delete uid-a@1, missed', 'add uid-d@4', 'update uid-c@3 to uid-c@5'],
    },
    {
      name: 'with a new object of the same name',
      had: [thing('a', 1), thing('b', 2)],
      given: [thing('a', 5, { uid: 'new' })],
      want: ['delete uid-a@1, missed', 'delete uid-b@2, missed', 'add new@5'],
    },
    { name: 'empty', had: [thing('a', 1)], given: [], want: ['delete uid-a@1, missed'] },
    {
      name: 'with an object on two pages, newer on the second',
      had: [thing('a', 1)],
      given: [thing('a', 2), thing('b', 3), thing('a', 4)],
      want: ['update uid-a@1 to uid-a@4', 'add uid-b@3'],
    },
    {
      name: 'with an object on two pages, newer on the first',
      had: [thing('a', 1)],
      given: [thing('a', 4), thing('b', 3), thing('a', 2)],
      want: ['update uid-a@1 to uid-a@4', 'add uid-b@3'],
    },
    {
      name: 'with two objects of one name: the newer applies',
      had: [],
      given: [thing('a', 3, { uid: 'new' }), thing('a', 2)],
      want: ['add new@3'],
    },
  ])('$name', ({ had, given, want }) => {
    const { part, reader } = world();
    replace(part, ...had);
    expect(replace(part, ...given)).toEqual(want);
    const age = ({ metadata }: Stored<Thing>) => Number(metadata.resourceVersion);
    const sorted = given.toSorted((a, b) => age(a) - age(b));
    const newest = new Map(sorted.map((object) => [object.metadata.name, object]));
    expect(new Set(reader.values())).toEqual(new Set(newest.values()));
    expect(reader.size).toBe(newest.size);
  });
});

describe('parts', () => {
  const banked = (name: string, version: number) => thing(name, version, { namespace: 'bank' });

  it('have one namespace each, and the reader has all', () => {
    const { part: shop, other: bank, reader, store } = world(['shop', 'bank']);
    replace(shop, thing('a', 1), thing('b', 2));
    replace(bank, banked('a', 3));
    const index = store.addIndex('name', ({ metadata }) => [metadata.name]);
    expect(replace(shop, thing('b', 4))).toEqual(['delete uid-a@1, missed', 'update uid-b@2 to uid-b@4']);
    expect([reader.get('shop', 'a'), reader.get('bank', 'a')?.metadata.resourceVersion]).toEqual([
      undefined,
      '3',
    ]);
    expect(index.get('a')).toEqual([banked('a', 3)]);
    expect(index.values().sort()).toEqual(['a', 'b']);
    expect([reader.size, reader.count('shop'), reader.count('none')]).toEqual([2, 1, 0]);
    expect(reader.namespaces().sort()).toEqual(['bank', 'shop']);
    expect(reader.snapshot().filter((object) => object !== undefined)).toHaveLength(2);
  });

  it('ignore objects of other namespaces, and report them', () => {
    const { part: shop, reader, errors } = world(['shop', 'bank']);
    const why = 'bank/a was sent for a request for namespace shop: it is ignored';
    expect(replace(shop, banked('a', 1))).toEqual([]);
    expect(shop.apply({ type: 'ADDED', object: banked('a', 1) })).toEqual([]);
    expect(errors).toEqual(
      [1, 2].map(() => expect.objectContaining({ message: expect.stringContaining(why) })),
    );
    expect(reader.size).toBe(0);
  });

  it('without a namespace have all objects', () => {
    const { part, reader } = world();
    const { namespace: _, ...metadata } = thing('node', 1).metadata;
    replace(part, thing('a', 1), banked('a', 2), { ...thing('node', 1), metadata });
    expect(reader.get('', 'node')?.metadata.name).toBe('node');
    expect(reader.namespaces().sort()).toEqual(['', 'bank', 'shop']);
  });
});

describe('the reader', () => {
  it('finds by namespace and name, whatever the names are', () => {
    const { part, reader } = world();
    replace(part, thing('__proto__', 1), thing('a', 2, { namespace: '__proto__' }));
    expect(reader.get('shop', '__proto__')).toEqual(thing('__proto__', 1));
    expect(reader.values('__proto__')).toHaveLength(1);
    expect(reader.get('shop', 'constructor')).toBeUndefined();
    expect(reader.get('other', 'a')).toBeUndefined();
    expect(reader.values('other')).toEqual([]);
    part.apply({ type: 'DELETED', object: thing('__proto__', 3) });
    expect(reader.namespaces()).toEqual(['__proto__']);
  });

  it('returns arrays that do not change', () => {
    const { part, reader } = world();
    replace(part, thing('a', 1), thing('b', 1));
    const given = [reader.values(), reader.values('shop'), reader.snapshot()];
    part.apply({ type: 'DELETED', object: thing('a', 2) });
    part.apply({ type: 'ADDED', object: thing('c', 3) });
    for (const objects of given) expect(objects).toEqual([thing('a', 1), thing('b', 1)]);
    expect(reader.values()).toEqual([thing('c', 3), thing('b', 1)]);
  });
});
