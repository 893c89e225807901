import { describe, expect, it } from 'vitest';
import { type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import type { Stored } from '../../api/types.ts';
import type { ObjectEvent } from '../../watch/machine/machine-types.ts';
import { byLabel } from './indices.ts';
import { type Change, createStore } from './store.ts';

type Item = Stored<Thing>;

const shown = ({ metadata }: Item): string => `${metadata.uid}@${metadata.resourceVersion}`;

/** Part of a store with one name, and with an actual list of version 10. */
class World {
  now = 0;
  readonly changes: string[] = [];
  readonly #store = createStore<Item>(
    (error) => {
      throw error;
    },
    { now: () => this.now },
  );
  readonly part = this.#store.part();
  readonly index = this.#store.addIndex('app', byLabel('app'));

  constructor(...items: Item[]) {
    this.list(10, ...items);
    this.changes.length = 0;
  }

  get pending(): number {
    return this.part.unconfirmedWrites;
  }

  get view(): string {
    const object = this.#store.reader.get('shop', 'a');
    expect(this.index.get('web')).toEqual(object === undefined ? [] : [object]);
    return object === undefined ? 'nothing' : shown(object);
  }

  write(object: Item): void {
    if (this.part.awaits(object)) this.#take(this.part.write(object));
  }

  remove(uid?: string, resourceVersion?: string): void {
    this.#take(this.part.delete({ namespace: 'shop', name: 'a', uid, resourceVersion }));
  }

  event(type: ObjectEvent<Item>['type'], object: Item): void {
    if (!this.part.hides({ type, object })) this.#take(this.part.apply({ type, object }));
    this.#take(this.part.progress(object.metadata.resourceVersion, 1));
  }

  bookmark(version: number): void {
    this.#take(this.part.progress(String(version), 0));
  }

  /** Calls `during` before each step of the list. */
  list(version: number | '', ...items: Item[]): void {
    this.listWhile(() => undefined, version, ...items);
  }

  listWhile(during: (step: number) => void, version: number | '', ...items: Item[]): void {
    const rebuild = this.part.rebuild();
    for (const item of items) rebuild.put(item);
    const steps = rebuild.finish(String(version));
    for (let count = 0; ; count += 1) {
      const step = steps.next();
      if (step.done === true) {
        this.#take(step.value);
        return;
      }
      during(count);
    }
  }

  #take(changes: readonly Change<Item>[]): void {
    for (const { type, object } of changes) this.changes.push(`${type} ${shown(object)}`);
  }
}

const at = (version: number, uid = 'u1'): Item => thing('a', version, { uid, labels: { app: 'web' } });

describe('an own write of a part of a store', () => {
  it.each<{
    name: string;
    given?: Item[];
    steps: (world: World) => void;
    view: string;
    changes: string[];
    pending?: number;
  }>([
    {
      name: 'is visible at once',
      steps: (world) => world.write(at(12)),
      view: 'u1@12',
      changes: ['add u1@12'],
      pending: 1,
    },
    {
      name: 'is confirmed by its event, which changes nothing',
      steps: (world) => {
        world.write(at(12));
        world.event('ADDED', at(12));
      },
      view: 'u1@12',
      changes: ['add u1@12'],
    },
    {
      name: 'is kept when an older event arrives',
      given: [at(5)],
      steps: (world) => {
        world.write(at(13));
        world.event('MODIFIED', at(12));
      },
      view: 'u1@13',
      changes: ['update u1@13'],
      pending: 1,
    },
    {
      name: 'is kept when the deletion of an earlier object arrives',
      given: [at(5, 'u0')],
      steps: (world) => {
        world.write(at(13));
        world.event('DELETED', at(12, 'u0'));
      },
      view: 'u1@13',
      changes: ['delete u0@5', 'add u1@13'],
      pending: 1,
    },
    {
      name: 'is replaced by a newer event',
      steps: (world) => {
        world.write(at(12));
        world.event('MODIFIED', at(14));
      },
      view: 'u1@14',
      changes: ['add u1@12', 'update u1@14'],
    },
    {
      name: 'is replaced by its deletion',
      steps: (world) => {
        world.write(at(12));
        world.event('DELETED', at(14));
      },
      view: 'nothing',
      changes: ['add u1@12', 'delete u1@14'],
    },
    {
      name: 'is ignored if the source has passed its version, as its object may be deleted',
      steps: (world) => {
        world.bookmark(12);
        world.write(at(12));
      },
      view: 'nothing',
      changes: [],
    },
    {
      name: 'is ignored if its version has no order',
      steps: (world) => world.write(thing('a', 0, { resourceVersion: 'x12' })),
      view: 'nothing',
      changes: [],
    },
    {
      name: 'is kept by an older list',
      given: [at(5)],
      steps: (world) => {
        world.write(at(13));
        world.list(12, at(11));
      },
      view: 'u1@13',
      changes: ['update u1@13'],
      pending: 1,
    },
    {
      name: 'is kept by an older list without the object',
      steps: (world) => {
        world.write(at(13));
        world.list(12);
      },
      view: 'u1@13',
      changes: ['add u1@13'],
      pending: 1,
    },
    {
      name: 'ends with a newer list',
      steps: (world) => {
        world.write(at(13));
        world.list(13);
      },
      view: 'nothing',
      changes: ['add u1@13', 'delete u1@13'],
    },
    {
      name: 'ends with a list without a version',
      steps: (world) => {
        world.write(at(13));
        world.list('');
      },
      view: 'nothing',
      changes: ['add u1@13', 'delete u1@13'],
    },
    {
      name: 'ends with a list of a server that was restored from a backup',
      steps: (world) => {
        world.write(at(13));
        world.list(8, at(7));
      },
      view: 'u1@7',
      changes: ['add u1@13', 'update u1@7'],
    },
    {
      name: 'is joined to a list that is being built',
      given: [at(5)],
      steps: (world) => world.listWhile((step) => step === 2 && world.write(at(13)), 12, at(11)),
      view: 'u1@13',
      changes: ['update u1@13'],
      pending: 1,
    },
    {
      name: 'is replaced by a newer list that is being built',
      given: [at(5)],
      steps: (world) => world.listWhile((step) => step === 2 && world.write(at(13)), 15, at(14)),
      view: 'u1@14',
      changes: ['update u1@13', 'update u1@14'],
    },
    {
      name: 'is removed by a bookmark without its event, as the source does not select it',
      steps: (world) => {
        world.write(at(13));
        world.bookmark(13);
      },
      view: 'nothing',
      changes: ['add u1@13', 'delete u1@13'],
    },
    {
      name: 'is kept by an older bookmark',
      steps: (world) => {
        world.write(at(13));
        world.bookmark(12);
      },
      view: 'u1@13',
      changes: ['add u1@13'],
      pending: 1,
    },
    {
      name: 'is forgotten if the server is behind, and the next list wins',
      given: [at(5)],
      steps: (world) => {
        world.write(at(13));
        world.part.forgetWrites();
        world.list(12, at(11));
      },
      view: 'u1@11',
      changes: ['update u1@13', 'update u1@11'],
    },
  ])('$name', ({ given = [], steps, view, changes, pending = 0 }) => {
    const world = new World(...given);
    steps(world);
    expect([world.view, world.changes, world.pending]).toEqual([view, changes, pending]);
  });

  it('is joined to the first list if that is older, and not visible before', () => {
    const store = createStore<Item>(() => undefined);
    const part = store.part();
    expect(part.awaits(at(13))).toBe(true);
    expect(part.write(at(13))).toEqual([]);
    expect(store.reader.size).toBe(0);
    const steps = part.rebuild().finish('12');
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    expect(step.value).toEqual([{ type: 'add', object: at(13) }]);
  });
});

describe('an own deletion of a part of a store', () => {
  it.each<{ name: string; steps: (world: World) => void; view: string; changes: string[]; pending?: number }>(
    [
      {
        name: 'is visible at once',
        steps: (world) => world.remove('u1'),
        view: 'nothing',
        changes: ['delete u1@5'],
        pending: 1,
      },
      {
        name: 'hides events of the object until its deletion',
        steps: (world) => {
          world.remove('u1');
          world.event('MODIFIED', at(12));
          world.event('DELETED', at(13));
        },
        view: 'nothing',
        changes: ['delete u1@5'],
      },
      {
        name: 'does not hide a later object of the same name',
        steps: (world) => {
          world.remove('u1');
          world.event('ADDED', at(14, 'u2'));
        },
        view: 'u2@14',
        changes: ['delete u1@5', 'add u2@14'],
      },
      {
        name: 'does not remove a later object of the same name',
        steps: (world) => world.remove('u0', '3'),
        view: 'u1@5',
        changes: [],
      },
      {
        name: 'without a uid removes the object of that version',
        steps: (world) => world.remove(undefined, '5'),
        view: 'nothing',
        changes: ['delete u1@5'],
        pending: 1,
      },
      {
        name: 'without a uid does not remove a newer object',
        steps: (world) => world.remove(undefined, '4'),
        view: 'u1@5',
        changes: [],
      },
      {
        name: 'without a uid and a version is ignored',
        steps: (world) => world.remove(),
        view: 'u1@5',
        changes: [],
      },
      {
        name: 'is kept by a list that contains the object',
        steps: (world) => {
          world.remove('u1');
          world.list(12, at(11));
        },
        view: 'nothing',
        changes: ['delete u1@5'],
        pending: 1,
      },
      {
        name: 'ends with a newer list without the object',
        steps: (world) => {
          world.remove('u1');
          world.list(12);
        },
        view: 'nothing',
        changes: ['delete u1@5'],
      },
      {
        name: 'does not hide a later object in a list',
        steps: (world) => {
          world.remove('u1');
          world.list(12, at(12, 'u2'));
        },
        view: 'u2@12',
        changes: ['delete u1@5', 'add u2@12'],
      },
      {
        name: 'hides an earlier object of the same name',
        steps: (world) => {
          world.remove('u2', '15');
          world.event('MODIFIED', at(12));
        },
        view: 'nothing',
        changes: ['delete u1@5'],
        pending: 1,
      },
      {
        name: 'during a list removes the object from it',
        steps: (world) => world.listWhile((step) => step === 1 && world.remove('u1'), 12, at(11)),
        view: 'nothing',
        changes: ['delete u1@5'],
        pending: 1,
      },
      {
        name: 'followed by an own creation shows the new object, whatever old events arrive',
        steps: (world) => {
          world.remove('u1');
          world.write(at(16, 'u2'));
          world.event('MODIFIED', at(12));
          world.event('DELETED', at(14));
        },
        view: 'u2@16',
        changes: ['delete u1@5', 'add u2@16'],
        pending: 1,
      },
      {
        name: 'of an unseen object without a version ends after 5 seconds',
        steps: (world) => {
          world.remove('u9');
          world.now = 4999;
          world.bookmark(11);
          expect(world.pending).toBe(1);
          world.now = 5000;
          world.bookmark(11);
        },
        view: 'u1@5',
        changes: [],
      },
    ],
  )('$name', ({ steps, view, changes, pending = 0 }) => {
    const world = new World(at(5));
    steps(world);
    expect([world.view, world.changes, world.pending]).toEqual([view, changes, pending]);
  });
});
