/**
 * The store, lists and watches against naive models: every state is kept, and everything is computed anew.
 */
import { RESTClient } from '@kgen/runtime';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../schema/values/json.ts';
import { crd, foosPath } from '../client.fixture.ts';
import { seededRandom } from '../environment/environment.ts';
import { startTestServer } from '../server/testserver.ts';
import { type Change, Store } from './store.ts';

const seeds = Array.from({ length: process.env['KGEN_SEEDS'] === 'all' ? 200 : 20 }, (_, seed) => seed);

/** All states of a store by revision, and all changes. */
interface Model {
  readonly states: Map<number, ReadonlyMap<string, string>>;
  readonly changes: { readonly revision: number; readonly type: string; readonly key: string }[];
  compacted: number;
}

function entriesOf(state: ReadonlyMap<string, string>, prefix: string): readonly string[] {
  return [...state]
    .filter(([key]) => key.startsWith(prefix))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
}

function printList(list: ReturnType<Store['list']> | undefined): readonly string[] | undefined {
  return list?.map(([key, value]) => `${key}=${String(value['v'])}`);
}

test.each(seeds)('a store equals its model after random writes, lists and compactions (seed %i)', (seed) => {
  const random = seededRandom(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const store = new Store();
  const model: Model = { states: new Map([[1, new Map()]]), changes: [], compacted: 0 };
  const seen: Change[] = [];
  store.subscribe((change) => seen.push(change));
  for (let step = 0; step < 300; step += 1) {
    const key = `${'ab'.charAt(pick(2))}/${pick(12)}`;
    const state = model.states.get(store.revision) ?? new Map<string, string>();
    const action = random();
    if (action < 0.45) {
      const type = state.has(key) ? 'MODIFIED' : 'ADDED';
      store.put('foos', key, { v: step });
      model.states.set(store.revision, new Map([...state, [key, String(step)]]));
      model.changes.push({ revision: store.revision, type, key });
    } else if (action < 0.6) {
      if (store.remove('foos', key) === undefined) continue;
      const next = new Map(state);
      next.delete(key);
      model.states.set(store.revision, next);
      model.changes.push({ revision: store.revision, type: 'DELETED', key });
    } else if (action < 0.62) {
      store.compact();
      model.compacted = store.revision;
    } else if (action < 0.7) {
      store.put('bars', key, {});
      model.states.set(store.revision, state);
    } else check(pick(store.revision + 1), ['', 'a/', 'b/'][pick(3)] ?? '');
  }
  expect(seen.filter(({ resource }) => resource === 'foos').map(({ type, key }) => `${type} ${key}`)).toEqual(
    model.changes.map(({ type, key }) => `${type} ${key}`),
  );

  function check(revision: number, prefix: string): void {
    const present = model.states.get(store.revision) ?? new Map();
    expect(printList(store.list('foos', prefix))).toEqual(entriesOf(present, prefix));
    const past = model.states.get(revision);
    const isKnown = revision >= model.compacted && past !== undefined;
    expect(printList(store.listAt('foos', prefix, revision))).toEqual(
      isKnown ? entriesOf(past, prefix) : revision < model.compacted ? undefined : [],
    );
    const later = store.since('foos', revision)?.map(({ type, key, revision: at }) => `${at} ${type} ${key}`);
    const expected = model.changes
      .filter((change) => change.revision > revision)
      .map(({ type, key, revision: at }) => `${at} ${type} ${key}`);
    expect(later).toEqual(revision < model.compacted ? undefined : expected);
  }
});

interface Foo {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

interface FooList {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly Foo[];
}

test.each(seeds.slice(0, seeds.length / 4))(
  'caches that follow watches, with pages, holds, cuts and compactions, equal a list (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const pick = (count: number): number => Math.floor(random() * count);
    const server = await startTestServer({ crds: [{ yaml: crd }], time: 'virtual', seed });
    const client = new RESTClient(server.config, { transport: server.transport });
    const followers = ['', 'x=1', 'x=2'].map((labelSelector) => new Follower(client, labelSelector, pick));
    onTestFinished(async () => {
      for (const follower of followers) follower.stop();
      await client.close();
      await server.stop();
    });
    for (let step = 0; step < 60; step += 1) {
      await write();
      const action = random();
      if (action < 0.1) server.faults.cutWatches(({ query }) => (query['labelSelector'] ?? '') === 'x=1');
      else if (action < 0.15) server.faults.endWatches();
      else if (action < 0.2) server.faults.compact();
      else if (action < 0.25) server.faults.sendBookmarks();
      else if (action < 0.3) server.restore(server.snapshot());
      else if (action < 0.4) {
        const hold = server.hold({ resource: 'foos' });
        await write();
        await server.time.advance(0);
        hold.release();
      }
      if (random() < 0.5) await server.time.advance(pick(100_000));
    }
    // Watches that are interrupted now begin again.
    await server.time.advance(10_000);
    await server.time.advance(10_000);
    for (const follower of followers) {
      const list = (await client.get(foosPath, { query: follower.query })) as FooList;
      const expected = list.items.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
      expect(follower.content()).toEqual(expected.sort());
    }

    async function write(): Promise<void> {
      const name = `foo-${pick(8)}`;
      const action = random();
      const metadata = { name, labels: { x: String(pick(3)) } };
      const body = { apiVersion: 'test.example.com/v1', kind: 'Foo', metadata, spec: { size: pick(9) } };
      const sent =
        action < 0.5
          ? client.post(foosPath, { body })
          : action < 0.8
            ? client.patch(`${foosPath}/${name}`, { body })
            : client.delete(`${foosPath}/${name}`);
      // Objects that exist already, or do not exist, are refused.
      await sent.catch(() => undefined);
    }
  },
);

/** A cache: lists in pages, then follows a watch until it ends, and lists again if its version is expired. */
class Follower {
  readonly query: Readonly<Record<string, string>>;
  readonly #client: RESTClient;
  readonly #pick: (count: number) => number;
  readonly #objects = new Map<string, string>();
  #isStopped = false;
  #version = '';

  constructor(client: RESTClient, labelSelector: string, pick: (count: number) => number) {
    this.query = labelSelector === '' ? {} : { labelSelector };
    this.#client = client;
    this.#pick = pick;
    void this.#run();
  }

  content(): readonly string[] {
    return [...this.#objects].map(([name, version]) => `${name}@${version}`).sort();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        if (this.#version === '') await this.#list();
        await this.#watch();
      } catch {
        // The connection was cut, or the version of a page is expired: the version decides what follows.
      }
    }
  }

  async #list(): Promise<void> {
    const limit = String(1 + this.#pick(3));
    const objects = new Map<string, string>();
    let token = '';
    let version = '';
    do {
      const page = token === '' ? { limit } : { limit, continue: token };
      const list = (await this.#client.get(foosPath, { query: { ...this.query, ...page } })) as FooList;
      for (const { metadata } of list.items) objects.set(metadata.name, metadata.resourceVersion);
      version = list.metadata.resourceVersion;
      token = list.metadata.continue ?? '';
    } while (token !== '');
    this.#objects.clear();
    for (const [name, at] of objects) this.#objects.set(name, at);
    this.#version = version;
  }

  async #watch(): Promise<void> {
    const options = {
      ...this.query,
      watch: 'true',
      resourceVersion: this.#version,
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(10 + this.#pick(100)),
    };
    const response = await this.#client.stream({
      path: foosPath,
      query: Object.entries(options),
      stream: true,
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      for (const line of decoder.decode(chunk).trimEnd().split('\n'))
        this.#apply(JSON.parse(line) as JsonObject);
    }
  }

  #apply(event: JsonObject): void {
    const { metadata } = event['object'] as unknown as Foo;
    if (event['type'] === 'ERROR') {
      this.#version = '';
      return;
    }
    this.#version = metadata.resourceVersion;
    if (event['type'] === 'DELETED') this.#objects.delete(metadata.name);
    else if (event['type'] !== 'BOOKMARK') this.#objects.set(metadata.name, metadata.resourceVersion);
  }
}
