/**
 * Stores under random use, compared with a model of arrays and filters, which shares no code with the store.
 */
import { describe, expect, it } from 'vitest';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import { seedsOf } from '../../../test/support/seeds.ts';
import type { Stored } from '../api/types.ts';
import { namespacedLister } from './lister/lister.ts';
import type { InformerIndex } from './store/indexer.ts';
import { byLabel, byNamespace, byOwner } from './store/indices.ts';
import { type Change, createStore, type StorePart } from './store/store.ts';

type Item = Stored<Thing>;

const allNamespaces = ['shop', 'bank', '__proto__'];
const labelValues = ['web', 'db', '__proto__', 'constructor', ''];
const uids = ['o1', 'o2', 'o3'];

const namespaceOf = ({ metadata }: Item) => metadata.namespace ?? '';
const isAt = (namespace: string, name: string) => (item: Item) =>
  namespaceOf(item) === namespace && item.metadata.name === name;
const isLike = (a: Item) => isAt(namespaceOf(a), a.metadata.name);
const appOf = ({ metadata }: Item) => metadata.labels?.['app'];
const ownersOf = ({ metadata }: Item) => (metadata.ownerReferences ?? []).map(({ uid }) => uid);
/**
 * Returns an earlier version of the object, or an earlier object of the same name. Version `0` has no order.
 */
const at = (resourceVersion: string, item: Item, uid: string = item.metadata.uid): Item => ({
  ...item,
  metadata: { ...item.metadata, uid, resourceVersion },
});
/** Returns the objects in a canonical order. */
const shown = (items: readonly Item[]) =>
  items
    .map(
      (item) =>
        `${namespaceOf(item)}/${item.metadata.name} ${item.metadata.uid}@${item.metadata.resourceVersion}`,
    )
    .sort();

/** State of a server. Its clients receive some of the changes only. */
class Server {
  items: Item[] = [];
  readonly random: Seeded;
  #version = 0;

  constructor(random: Seeded) {
    this.random = random;
  }

  /** Returns the next object of the name. */
  next(namespace: string): Item {
    const { random } = this;
    const name = random.pick(['a', 'b', 'c', 'd', '__proto__', 'toString']) ?? '';
    const known = this.items.find(isAt(namespace, name));
    this.#version += 1;
    const uid = known === undefined ? `uid-${this.#version}` : known.metadata.uid;
    const app = random.pick(labelValues) ?? '';
    const owners = uids.filter(() => random.chance(0.3));
    return thing(name, this.#version, {
      namespace,
      uid,
      ...(random.chance(0.8) && { labels: { app } }),
      ownerReferences: [...owners, ...owners].map((owner) => ({
        apiVersion: 'v1',
        kind: 'O',
        name: 'o',
        uid: owner,
      })),
    });
  }

  /** Makes a random change; returns the events of a client that receives it. */
  change(namespace: string) {
    const object = this.next(namespace);
    const known = this.items.find(isLike(object));
    const others = this.items.filter((item) => item !== known);
    const isGone = known !== undefined && this.random.chance(0.4);
    this.items = isGone ? others : [...others, object];
    const type = isGone
      ? ('DELETED' as const)
      : known === undefined
        ? ('ADDED' as const)
        : ('MODIFIED' as const);
    return { type, object };
  }
}

/** Applies all changes and nothing else. */
class Follower {
  items: Item[] = [];
  readonly #gone = new Set<string>();

  follow(changes: readonly Change<Item>[]): void {
    for (const change of changes) {
      const known = this.items.find(isLike(change.object));
      const { uid, resourceVersion } = change.object.metadata;
      const others = this.items.filter((item) => item !== known);
      if (change.type === 'add') expect(known).toBeUndefined();
      if (change.type === 'update') {
        expect(change.old).toBe(known);
        expect(resourceVersion).not.toBe(known?.metadata.resourceVersion);
      }
      if (change.type !== 'add') expect(uid).toBe(known?.metadata.uid);
      if (change.type === 'delete' && change.missed) expect(change.object).toBe(known);
      expect(this.#gone.has(uid)).toBe(false);
      if (change.type === 'delete') this.#gone.add(uid);
      this.items = change.type === 'delete' ? others : [...others, change.object];
    }
  }
}

/** Store, its expected state, and the actions that change both. */
class World {
  readonly random: Seeded;
  readonly server: Server;
  readonly follower = new Follower();
  readonly store = createStore<Item>((error) => {
    throw error;
  });
  readonly parts: { readonly namespaces: readonly string[]; readonly part: StorePart<Item> }[];
  readonly indices: { readonly index: InformerIndex<Item>; readonly valuesOf: (item: Item) => string[] }[] =
    [];
  model: Item[] = [];

  constructor(seed: number) {
    this.random = new Seeded(seed);
    this.server = new Server(this.random);
    this.parts = this.random.chance(0.5)
      ? [{ namespaces: allNamespaces, part: this.store.part() }]
      : allNamespaces.map((namespace) => ({ namespaces: [namespace], part: this.store.part(namespace) }));
  }

  step(): void {
    const { random } = this;
    const followed = random.pick(this.parts);
    if (followed === undefined) return;
    const namespace = random.pick(followed.namespaces) ?? '';
    const event = this.server.change(namespace);
    if (random.chance(0.1)) this.#addIndex();
    if (random.chance(0.2)) this.#rebuild(followed);
    else if (random.chance(0.7)) this.#apply(followed.part, event);
    this.check();
  }

  #apply(part: StorePart<Item>, event: ReturnType<Server['change']>): void {
    const others = this.model.filter((item) => !isLike(event.object)(item));
    this.model = event.type === 'DELETED' ? others : [...others, event.object];
    this.follower.follow(part.apply(event));
  }

  #rebuild({ namespaces, part }: World['parts'][number]): void {
    const { random } = this;
    const rebuild = part.rebuild();
    const mine = (item: Item) => namespaces.includes(namespaceOf(item));
    const want: Item[] = this.model.filter((item) => !mine(item));
    const noise = namespaces.map((namespace) => this.server.next(namespace));
    for (const object of noise) rebuild.put(at('0', object, 'noise'));
    for (const object of noise) rebuild.remove(at('0', object, 'noise'));
    for (const item of this.server.items.filter(mine)) {
      const known = this.model.find(isLike(item));
      if (random.chance(0.15)) {
        rebuild.keep(namespaceOf(item), item.metadata.name);
        if (known !== undefined) want.push(known);
        continue;
      }
      if (random.chance(0.2)) rebuild.put(at('0', item, 'x'));
      // Another object in memory with the same version.
      rebuild.put({ ...item });
      const old = at(String(Number(item.metadata.resourceVersion) - 1), item, random.pick(['x', undefined]));
      if (old.metadata.resourceVersion !== '0' && random.chance(0.3)) rebuild.put(old);
      if (old.metadata.resourceVersion !== '0' && random.chance(0.2)) rebuild.remove(old);
      want.push(known?.metadata.resourceVersion === item.metadata.resourceVersion ? known : item);
    }
    const steps = rebuild.finish();
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done !== true && random.chance(0.9)) continue;
      if (step.done === true) {
        this.follower.follow(step.value);
        this.model = want;
        return;
      }
      if (random.chance(0.3)) return;
      this.check();
      this.#addIndex();
    }
  }

  #addIndex(): void {
    const known = this.random.pick([
      { name: 'app', made: byLabel('app'), valuesOf: (item: Item) => [appOf(item) ?? []].flat() },
      { name: 'owner', made: byOwner, valuesOf: ownersOf },
      { name: 'namespace', made: byNamespace, valuesOf: (item: Item) => [namespaceOf(item)] },
    ]);
    if (known === undefined) return;
    const index = this.store.addIndex(known.name, known.made);
    if (!this.indices.some((other) => other.index === index)) {
      this.indices.push({ index, valuesOf: known.valuesOf });
    }
  }

  check(): void {
    const { reader } = this.store;
    const want = this.model;
    expect(shown(reader.values())).toEqual(shown(want));
    expect(shown(reader.snapshot().filter((item) => item !== undefined))).toEqual(shown(want));
    expect(reader.size).toBe(want.length);
    expect(shown(this.follower.items)).toEqual(shown(want));
    for (const item of this.follower.items) {
      expect(reader.get(namespaceOf(item), item.metadata.name)).toBe(item);
    }
    expect(new Set(reader.namespaces())).toEqual(new Set(want.map(namespaceOf)));
    for (const { index, valuesOf } of this.indices) {
      expect(index.values().sort()).toEqual([...new Set(want.flatMap(valuesOf))].sort());
      for (const value of [...labelValues, ...uids, ...allNamespaces, 'none']) {
        expect(shown(index.get(value))).toEqual(shown(want.filter((item) => valuesOf(item).includes(value))));
      }
    }
    this.#checkLister();
  }

  #checkLister(): void {
    const lister = namespacedLister<Thing>(this.store);
    const namespace = this.random.pick([undefined, ...allNamespaces]);
    const here = this.model.filter((item) => namespace === undefined || namespaceOf(item) === namespace);
    const web = shown(here.filter((item) => appOf(item) === 'web'));
    expect(shown(lister.list({ namespace }))).toEqual(shown(here));
    expect(shown(lister.list({ namespace, labelSelector: 'app=web' }))).toEqual(web);
    expect(shown(lister.list({ namespace, labelSelector: 'app in (web,db,none),app!=db' }))).toEqual(web);
  }
}

describe('a store under random use', () => {
  it.each(seedsOf({ all: 30, few: 8 }))('agrees with the model: seed %i', (seed) => {
    const world = new World(seed);
    for (let step = 0; step < 120; step += 1) world.step();
    expect(world.model.length + world.server.items.length).toBeGreaterThan(0);
  });
});
