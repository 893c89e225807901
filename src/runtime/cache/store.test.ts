import { describe, expect, it } from 'vitest';
import { type Thing, thing } from '../testkit/scripted-source.ts';
import type { Stored } from '../types.ts';
import type { ObjectEvent } from '../watch/machine.ts';
import { type Change, createStore } from './store.ts';

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
    { name: 'a change of what was not known', given: [event('MODIFIED', 2)], want: ['add u1@2'] },
    {
      name: 'an addition of what is known',
      given: [event('ADDED', 1), event('ADDED', 2)],
      want: ['add u1@1', 'update u1@1 to u1@2'],
    },
    { name: 'the same version again', given: [event('ADDED', 1), event('MODIFIED', 1)], want: ['add u1@1'] },
    {
      name: 'a deletion',
      given: [event('ADDED', 1), event('DELETED', 2)],
      want: ['add u1@1', 'delete u1@2'],
    },
    { name: 'a deletion of what was not known', given: [event('DELETED', 2)], want: [] },
    {
      name: 'a new object of the same name',
      given: [event('ADDED', 1), event('ADDED', 3, 'u2')],
      want: ['add u1@1', 'delete u1@1, missed', 'add u2@3'],
    },
    {
      name: 'its deletion, when it was never seen',
      given: [event('ADDED', 1), event('DELETED', 4, 'u2')],
      want: ['add u1@1', 'delete u1@1, missed'],
    },
  ])('$name', ({ given, want }) => {
    const { writer } = createStore<Stored<Thing>>();
    expect(given.flatMap((one) => writer.apply(one)).map(show)).toEqual(want);
  });
});

describe('the whole state', () => {
  const other = (name: string, version: number) => thing(name, version, { namespace: 'bank' });
  it.each<{ name: string; had: Stored<Thing>[]; given: Stored<Thing>[]; namespace?: string; want: string[] }>(
    [
      { name: 'first', had: [], given: [thing('a', 1), thing('b', 2)], want: ['add uid-a@1', 'add uid-b@2'] },
      { name: 'the same', had: [thing('a', 1)], given: [thing('a', 1)], want: [] },
      {
        name: 'another',
        had: [thing('a', 1), thing('b', 2), thing('c', 3)],
        given: [thing('b', 2), thing('c', 5), thing('d', 4)],
        want: ['delete uid-a@1, missed', 'update uid-c@3 to uid-c@5', 'add uid-d@4'],
      },
      {
        name: 'with a new object of the same name',
        had: [thing('a', 1)],
        given: [thing('a', 5, { uid: 'new' })],
        want: ['delete uid-a@1, missed', 'add new@5'],
      },
      { name: 'none', had: [thing('a', 1)], given: [], want: ['delete uid-a@1, missed'] },
      {
        name: 'of one namespace',
        had: [thing('a', 1), other('b', 2), other('c', 3)],
        given: [other('b', 4)],
        namespace: 'bank',
        want: ['delete uid-c@3, missed', 'update uid-b@2 to uid-b@4'],
      },
    ],
  )('$name', ({ had, given, namespace, want }) => {
    const { writer, reader } = createStore<Stored<Thing>>();
    writer.replace(had);
    expect(writer.replace(given, namespace).map(show)).toEqual(want);
    const kept = had.filter((object) => namespace !== undefined && object.metadata.namespace !== namespace);
    expect(new Set(reader.values())).toEqual(new Set([...kept, ...given]));
    expect(reader.size).toBe(kept.length + given.length);
  });

  it('keeps the object that it has where nothing changed', () => {
    const { writer, reader } = createStore<Stored<Thing>>();
    const first = thing('a', 1);
    writer.replace([first]);
    writer.replace([thing('a', 1)]);
    expect(reader.get('shop', 'a')).toBe(first);
  });
});

describe('the reader', () => {
  it('finds by namespace and name, whatever they are called', () => {
    const { writer, reader } = createStore<Stored<Thing>>();
    writer.replace([thing('__proto__', 1), thing('a', 2, { namespace: '__proto__' })]);
    expect(reader.get('shop', '__proto__')).toEqual(thing('__proto__', 1));
    expect([...reader.values('__proto__')]).toHaveLength(1);
    expect(reader.get('shop', 'constructor')).toBeUndefined();
    expect(reader.get('other', 'a')).toBeUndefined();
    expect([...reader.values('other')]).toEqual([]);
  });
});
