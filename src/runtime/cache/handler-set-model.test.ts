/**
 * Registrations under random use. The checker knows the rules of a consistent history, and nothing of queues.
 */
import { expect, it } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import type { Stored } from '../api/types.ts';
import { HandlerSet } from './handlers/handler-set.ts';
import type { HandlerRegistration, InformerHandlers } from './informer/informer.ts';
import { createStore, type StorePart } from './store/store.ts';

noTimePasses();

type Item = Stored<Thing>;

/** One slow registration that checks its calls. */
class Witness {
  readonly problems: string[] = [];
  readonly known: Item[] = [];
  readonly #gone: string[] = [];
  readonly #random: Seeded;
  registration: HandlerRegistration | undefined;
  mayBeCalled = true;
  calls = 0;
  #busy = false;

  constructor(random: Seeded) {
    this.#random = random;
  }

  readonly handlers: InformerHandlers<Thing> = {
    add: (object) => {
      const there = this.#find(object);
      if (there !== undefined) this.problems.push('add of what is there');
      if (this.#gone.includes(object.metadata.uid)) this.problems.push('add after delete');
      this.known.push(object);
      return this.#called();
    },
    update: (object, old) => {
      const there = this.#find(object);
      if (there !== old) this.problems.push('old is not what was given last');
      if (old.metadata.uid !== object.metadata.uid) this.problems.push('update to another uid');
      const isNew = Number(object.metadata.resourceVersion) > Number(old.metadata.resourceVersion);
      if (!isNew && object !== old) this.problems.push('no newer version');
      this.known.splice(this.known.indexOf(old), 1, object);
      return this.#called();
    },
    delete: (object, { missed }) => {
      const there = this.#find(object);
      if (there?.metadata.uid !== object.metadata.uid) this.problems.push('delete of what is not there');
      if (missed && there !== object) this.problems.push('missed, and yet another state');
      this.#gone.push(object.metadata.uid);
      this.known.splice(
        this.known.findIndex((other) => other.metadata.name === object.metadata.name),
        1,
      );
      return this.#called();
    },
  };

  #find({ metadata }: Item): Item | undefined {
    return this.known.find((other) => other.metadata.name === metadata.name);
  }

  #called(): void | Promise<void> {
    this.calls += 1;
    if (!this.mayBeCalled) this.problems.push('called though it must not be');
    if (this.#busy) this.problems.push('called while it is busy');
    if (this.#random.chance(0.05)) throw new Error('thrown');
    if (this.#random.chance(0.1)) return this.#wait();
    return undefined;
  }

  async #wait(): Promise<void> {
    this.#busy = true;
    if (this.#random.chance(0.5)) await settle(this.#random.below(3));
    this.#busy = false;
    if (this.#random.chance(0.2)) throw new Error('rejected');
  }
}

class World {
  readonly random: Seeded;
  readonly clock = new FakeClock();
  readonly store = createStore<Item>(() => undefined);
  readonly part: StorePart<Item> = this.store.part();
  readonly set: HandlerSet<Thing> = new HandlerSet<Thing>({
    name: 'things',
    clock: this.clock,
    reader: this.store.reader,
    report: () => undefined,
    handled: () => undefined,
  });
  witnesses: Witness[] = [];
  readonly removed: Witness[] = [];
  running = false;
  #version = 0;

  constructor(seed: number) {
    this.random = new Seeded(seed);
  }

  async step(): Promise<void> {
    const { random } = this;
    if (random.chance(0.1)) this.#add();
    if (random.chance(0.03)) this.#remove();
    if (random.chance(0.05)) this.#toggle();
    if (random.chance(0.1)) this.#replace();
    else for (let left = random.below(4); left > 0; left -= 1) this.#apply();
    if (random.chance(0.4)) await settle(random.below(3));
    if (random.chance(0.05)) await this.clock.advance(random.below(60));
  }

  #add(): void {
    const witness = new Witness(this.random);
    witness.mayBeCalled = this.running;
    witness.registration = this.set.add(witness.handlers, this.random.chance(0.3) ? { resyncMs: 50 } : {});
    this.witnesses.push(witness);
  }

  #remove(): void {
    const witness = this.random.pick(this.witnesses);
    if (witness === undefined) return;
    witness.registration?.remove();
    witness.mayBeCalled = false;
    this.witnesses = this.witnesses.filter((other) => other !== witness);
    this.removed.push(witness);
  }

  #toggle(): void {
    this.running = !this.running;
    if (this.running) this.set.resume();
    else this.set.pause();
    for (const witness of this.witnesses) witness.mayBeCalled = this.running;
    if (this.running && this.random.chance(0.5)) this.set.complete();
  }

  #object(): Item {
    this.#version += 1;
    const name = `n${this.random.below(12)}`;
    const known = this.store.reader.get('shop', name);
    const isNew = known === undefined || this.random.chance(0.2);
    return thing(name, this.#version, { uid: isNew ? `uid-${this.#version}` : known.metadata.uid });
  }

  #apply(): void {
    const type = this.random.pick(['ADDED', 'MODIFIED', 'DELETED'] as const) ?? 'ADDED';
    this.set.push(this.part.apply({ type, object: this.#object() }), false);
  }

  #replace(): void {
    const rebuild = this.part.rebuild();
    for (const item of this.store.reader.values()) if (this.random.chance(0.7)) rebuild.put(item);
    for (let left = this.random.below(5); left > 0; left -= 1) rebuild.put(this.#object());
    const steps = rebuild.finish();
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        this.set.push(step.value, true);
        return;
      }
      if (this.random.chance(0.1)) this.#add();
    }
  }

  /** Waits until all registrations have processed their queues: after a restart they sync again. */
  async end(): Promise<void> {
    while (this.running) this.#toggle();
    this.#toggle();
    this.set.complete();
    await Promise.all(this.witnesses.map(({ registration }) => registration?.synced));
  }
}

it.each(Array.from({ length: 30 }, (_, seed) => ({ seed })))(
  'every registration receives a consistent history that ends in the state of the store: seed $seed',
  async ({ seed }) => {
    const world = new World(seed);
    for (let step = 0; step < 150; step += 1) await world.step();
    await world.end();
    const byName = (a: Item, b: Item) => (a.metadata.name < b.metadata.name ? -1 : 1);
    const want = world.store.reader.values().sort(byName);
    for (const { known, problems } of world.witnesses) {
      expect(problems).toEqual([]);
      expect(known.sort(byName)).toEqual(want);
    }
    for (const { problems } of world.removed) expect(problems).toEqual([]);
    expect(world.set.queued).toBe(0);
    expect(world.witnesses.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(100);
  },
);
