import { describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../../test/support/runtime/garbage.ts';
import { type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import type { Stored } from '../../api/types.ts';
import type { InformerIndex } from './indexer.ts';
import { type Change, createStore, type Rebuild } from './store.ts';

function world(...had: Stored<Thing>[]) {
  const errors: unknown[] = [];
  const store = createStore<Stored<Thing>>((error) => errors.push(error));
  const part = store.part();
  const first = part.rebuild();
  for (const object of had) first.put(object);
  finish(first);
  return { store, reader: store.reader, part, errors };
}

/** Performs all steps, with an action after each but the last. */
function finish<O>(rebuild: Rebuild<O>, between: () => void = () => undefined): readonly Change<O>[] {
  const steps = rebuild.finish();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    between();
  }
}

const many = (count: number, version: number) =>
  Array.from({ length: count }, (_, number) => thing(`n${number}`, version));
const types = (changes: readonly Change<Stored<Thing>>[]) => changes.map(({ type }) => type);

describe('a state under construction', () => {
  it('is visible only when complete, and then all at once', () => {
    const { store, reader, part } = world(...many(300, 1));
    const index = store.addIndex('version', ({ metadata }) => [metadata.resourceVersion]);
    const rebuild = part.rebuild();
    for (const object of many(250, 2)) rebuild.put(object);
    const seen = new Set<string>();
    const look = () => {
      const versions = new Set(reader.values('shop').map(({ metadata }) => metadata.resourceVersion));
      seen.add(
        `${reader.size} of ${[...versions]}, index ${index.get('1').length}, ${index.get('2').length}`,
      );
    };
    expect(finish(rebuild, look)).toHaveLength(300);
    expect([...seen]).toEqual(['300 of 1, index 300, 0']);
    look();
    expect([...seen].at(-1)).toBe('250 of 2, index 0, 250');
  });

  it('omits updates, about a hundred of which it examines in each step', () => {
    const { reader, part } = world(...many(1000, 1), thing('gone', 1));
    const rebuild = part.rebuild();
    for (const object of many(1000, 2)) rebuild.put(object);
    rebuild.put(thing('new', 2));
    let examined = 0;
    let most = 0;
    const steps = rebuild.finish('2', ({ object }) => {
      examined += 1;
      return object.metadata.name !== 'n7';
    });
    let changes: readonly Change<Stored<Thing>>[] = [];
    for (let step = steps.next(), before = 0; ; before = examined, step = steps.next()) {
      most = Math.max(most, examined - before);
      if (step.done !== true) continue;
      changes = step.value;
      break;
    }
    expect(changes.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['delete', 'gone'],
      ['update', 'n7'],
      ['add', 'new'],
    ]);
    expect([examined, most, reader.get('shop', 'n8')?.metadata.resourceVersion]).toEqual([1000, 100, '2']);
  });

  it('that is discarded changes nothing', () => {
    const { reader, part } = world(thing('a', 1));
    const rebuild = part.rebuild();
    for (const object of many(300, 2)) rebuild.put(object);
    rebuild.keep('shop', 'a');
    const steps = rebuild.finish();
    for (let taken = 0; taken < 3; taken += 1) expect(steps.next().done).toBe(false);
    expect(reader.values()).toEqual([thing('a', 1)]);
    const next = part.rebuild();
    next.put(thing('b', 3));
    expect(types(finish(next))).toEqual(['delete', 'add']);
    expect(reader.values()).toEqual([thing('b', 3)]);
  });

  it('keeps unchanged objects, so that they are in memory once', () => {
    const known = thing('a', 1);
    const { reader, part } = world(known, thing('b', 1));
    const rebuild = part.rebuild();
    rebuild.put(thing('a', 1));
    rebuild.put(thing('b', 2));
    const [change, ...others] = finish(rebuild);
    expect(reader.get('shop', 'a')).toBe(known);
    expect(change).toEqual({ type: 'update', object: thing('b', 2), old: thing('b', 1) });
    expect(others).toEqual([]);
  });

  it('is compared with the present state when it is complete', () => {
    const { reader, part } = world(thing('a', 1), thing('b', 1));
    const rebuild = part.rebuild();
    rebuild.put(thing('a', 1));
    rebuild.put(thing('b', 3));
    const received = thing('b', 3);
    part.apply({ type: 'MODIFIED', object: received });
    part.apply({ type: 'DELETED', object: thing('a', 2) });
    const [change, ...others] = finish(rebuild);
    expect([change, others]).toEqual([{ type: 'add', object: thing('a', 1) }, []]);
    expect([reader.size, reader.get('shop', 'b') === received]).toEqual([2, true]);
  });

  it('reports only deletions of objects that exist when it is complete', () => {
    const { part } = world(thing('a', 1));
    const rebuild = part.rebuild();
    rebuild.remove(thing('a', 2));
    const present = thing('a', 5, { uid: 'new' });
    part.apply({ type: 'ADDED', object: present });
    expect(finish(rebuild)).toEqual([{ type: 'delete', object: present, missed: true }]);
  });
});

describe('memory', () => {
  it('is not used by unchanged objects, nor by objects that were changed again', async () => {
    const { part } = world(thing('a', 1), thing('b', 1));
    const rebuild = part.rebuild();
    const given = (name: string, version: number) => {
      const object = thing(name, version);
      rebuild.put(object);
      return new WeakRef(object);
    };
    const [changed, same] = [given('a', 2), given('b', 1)];
    rebuild.put(thing('a', 3));
    await collectGarbage();
    expect([changed.deref(), same.deref()]).toEqual([undefined, undefined]);
    expect(types(finish(rebuild))).toEqual(['update']);
  });

  it('is not used by the deletion of unknown objects', async () => {
    const { part } = world();
    const rebuild = part.rebuild();
    const remove = () => {
      const object = thing('a', 2);
      rebuild.remove(object, object);
      return new WeakRef(object);
    };
    const object = remove();
    await collectGarbage();
    expect(object.deref()).toBeUndefined();
    expect(finish(rebuild)).toEqual([]);
  });
});

describe('operations on one name', () => {
  const twice = (rebuild: Rebuild<Stored<Thing>>) => {
    rebuild.put(thing('a', 2));
    rebuild.remove(thing('a', 3));
  };
  it.each<{ name: string; print: (rebuild: Rebuild<Stored<Thing>>) => void; want: string[]; size: number }>([
    { name: 'none: it is deleted', print: () => undefined, want: ['delete'], size: 0 },
    { name: 'put, then removed', print: twice, want: ['delete'], size: 0 },
    {
      name: 'put, removed and put again',
      print: (rebuild) => {
        twice(rebuild);
        rebuild.put(thing('a', 4));
      },
      want: ['update'],
      size: 1,
    },
    { name: 'kept', print: (rebuild) => rebuild.keep('shop', 'a'), want: [], size: 1 },
    {
      name: 'kept, but not stored',
      print: (rebuild) => rebuild.keep('shop', 'z'),
      want: ['delete'],
      size: 0,
    },
    {
      name: 'kept in another namespace',
      print: (rebuild) => rebuild.keep('bank', 'a'),
      want: ['delete'],
      size: 0,
    },
    {
      name: 'kept and put',
      print: (rebuild) => {
        rebuild.put(thing('a', 2));
        rebuild.keep('shop', 'a');
      },
      want: ['update'],
      size: 1,
    },
    {
      name: 'kept and removed',
      print: (rebuild) => {
        rebuild.keep('shop', 'a');
        rebuild.remove(thing('a', 2));
      },
      want: ['delete'],
      size: 0,
    },
    {
      name: 'kept, and its replacement was deleted',
      print: (rebuild) => {
        rebuild.keep('shop', 'a');
        rebuild.remove(thing('a', 2, { uid: 'new' }));
      },
      want: ['delete'],
      size: 0,
    },
    {
      name: 'removed, and another object exists under the name',
      print: (rebuild) => rebuild.remove(thing('a', 2, { uid: 'new' })),
      want: ['delete'],
      size: 0,
    },
    {
      name: 'removed, then kept because a new object is malformed',
      print: (rebuild) => {
        rebuild.remove(thing('a', 2));
        rebuild.keep('shop', 'a');
      },
      want: ['delete'],
      size: 0,
    },
    {
      name: 'kept, and another object was created and deleted under the name',
      print: (rebuild) => {
        rebuild.remove(thing('a', 2, { uid: 'new' }));
        rebuild.keep('shop', 'a');
      },
      want: [],
      size: 1,
    },
  ])('$name', ({ print: log, want, size }) => {
    const { part, reader, store } = world(thing('a', 1));
    const index = store.addIndex('name', ({ metadata }) => [metadata.name]);
    const rebuild = part.rebuild();
    log(rebuild);
    expect(types(finish(rebuild))).toEqual(want);
    expect([reader.size, index.get('a').length]).toEqual([size, size]);
  });
});

/**
 * Adds one event of a stream: `+` for an existing object, `-` for a deleted one; its version, and its uid
 * unless it is the first.
 */
function print(rebuild: Rebuild<Stored<Thing>>, [mark, ...rest]: string): void {
  const [version = '', uid = 'old'] = rest.join('').split(' ');
  const object = { ...thing('a', 1), metadata: { ...thing('a', 1).metadata, uid, resourceVersion: version } };
  if (mark === '+') rebuild.put(object);
  else rebuild.remove(object, object);
}

const shown = (changes: readonly Change<Stored<Thing>>[]) =>
  changes.map((change) => {
    const { uid, resourceVersion } = change.object.metadata;
    const missed = change.type === 'delete' && change.missed;
    return `${change.type} ${uid}@${resourceVersion}${missed ? ' missed' : ''}`;
  });

describe('events of one name in a state: the newest applies', () => {
  it.each<{ known?: number; events: string[]; want: string[] }>([
    { events: ['+5', '+6'], want: ['add old@6'] },
    { events: ['+6', '+5'], want: ['add old@6'] },
    { events: ['+10', '+9'], want: ['add old@10'] },
    { events: ['+6', '+5', '-7'], want: [] },
    { events: ['-6', '+5'], want: [] },
    { events: ['+5', '-6', '+5'], want: [] },
    { events: ['+5', '-5'], want: [] },
    { events: ['+5', '-5', '+5'], want: [] },
    { events: ['+5', '-6', '+7'], want: ['add old@7'] },
    { events: ['+5', '-6', '+7', '-6'], want: ['add old@7'] },
    { events: ['+5', '-8', '-6', '+7'], want: [] },
    { events: ['+7 new', '+5'], want: ['add new@7'] },
    { events: ['+7 new', '-6'], want: ['add new@7'] },
    { events: ['-6', '+7 new', '+5'], want: ['add new@7'] },
    { events: ['+7 new', '-8 new', '+5', '+7 new'], want: [] },
    // Versions without an order: the last one applies.
    { events: ['+b', '+a'], want: ['add old@a'] },
    { events: ['-b', '+a'], want: ['add old@a'] },
    { events: ['+b', '-a'], want: [] },
    // A reported deletion is not missed.
    { known: 3, events: [], want: ['delete old@3 missed'] },
    { known: 3, events: ['-6'], want: ['delete old@6'] },
    { known: 3, events: ['+3', '-6'], want: ['delete old@6'] },
    { known: 3, events: ['+5', '-6', '+5'], want: ['delete old@6'] },
    { known: 3, events: ['+3', '-6', '+7 new'], want: ['delete old@6', 'add new@7'] },
    { known: 3, events: ['-6', '+7 new', '-8 new'], want: ['delete old@6'] },
    { known: 3, events: ['+7 new', '-8 new'], want: ['delete old@3 missed'] },
    { known: 3, events: ['-6', '+7'], want: ['update old@7'] },
  ])('known $known, then $events: $want', ({ known, events, want }) => {
    const had = known === undefined ? [] : [thing('a', known, { uid: 'old' })];
    const { part } = world(...had);
    const rebuild = part.rebuild();
    for (const event of events) print(rebuild, event);
    expect(shown(finish(rebuild))).toEqual(want);
  });

  it('is delivered as stored if its last state cannot be prepared', () => {
    const known = thing('a', 1);
    const { part } = world(known);
    const rebuild = part.rebuild();
    rebuild.remove(thing('a', 2), undefined);
    const [change, ...others] = finish(rebuild);
    expect(change).toEqual({ type: 'delete', object: known, missed: false });
    expect([change?.object === known, others]).toEqual([true, []]);
  });
});

describe('indices of a new state', () => {
  it('call their function once for each version of an object', () => {
    const { store, part } = world(thing('a', 1), thing('b', 1));
    const requested: string[] = [];
    const index = store.addIndex('name', ({ metadata }) => {
      requested.push(`${metadata.name}@${metadata.resourceVersion}`);
      return [metadata.name, 'all'];
    });
    const rebuild = part.rebuild();
    for (const object of [thing('a', 1), thing('b', 2), thing('b', 3)]) rebuild.put(object);
    finish(rebuild);
    expect(requested).toEqual(['a@1', 'b@1', 'b@3']);
    expect([index.get('a'), index.get('all')]).toEqual([[thing('a', 1)], [thing('a', 1), thing('b', 3)]]);
  });

  it('include indices that are added meanwhile', () => {
    const { store, part } = world(...many(150, 1));
    const rebuild = part.rebuild();
    for (const object of many(250, 2)) rebuild.put(object);
    const added: InformerIndex<Stored<Thing>>[] = [];
    let steps = 0;
    finish(rebuild, () => {
      steps += 1;
      if (steps > 12) return;
      added.push(store.addIndex(`index ${steps}`, ({ metadata }) => [metadata.name]));
      expect(added.at(-1)?.values()).toHaveLength(150);
    });
    expect(added).toHaveLength(12);
    for (const index of added) expect(index.get('n249')).toEqual([thing('n249', 2)]);
  });
});

describe('steps', () => {
  it('process few objects each, regardless of the state, and the last one the fewest', () => {
    const touched = new Set<Stored<Thing>>();
    const watched = (object: Stored<Thing>): Stored<Thing> => {
      const { metadata } = object;
      return Object.defineProperty({ ...object }, 'metadata', {
        get: () => {
          touched.add(object);
          return metadata;
        },
      });
    };
    const { store, part } = world(...many(3000, 1).map(watched));
    store.addIndex('name', ({ metadata }) => [metadata.name]);
    const rebuild = part.rebuild();
    for (const object of many(4000, 2)) if (object.metadata.name.endsWith('7')) rebuild.put(watched(object));
    for (const object of many(2000, 1)) if (object.metadata.name.endsWith('1')) rebuild.put(watched(object));
    for (const { metadata } of many(2500, 1)) rebuild.keep('shop', metadata.name);
    touched.clear();
    const counts: number[] = [];
    finish(rebuild, () => {
      counts.push(touched.size);
      touched.clear();
    });
    expect(counts.length).toBeGreaterThan(60);
    // One object of the present state and one of the new state under the same name.
    expect(Math.max(...counts, touched.size)).toBeLessThanOrEqual(200);
  });
});
