/**
 * Random applies and foreign changes on an API server in memory: no write is lost, and none repeats at
 * rest.
 */
import { RESTClient } from '@kgen/runtime';
import { jsonOf } from '@kgen/runtime/objects';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { campaign, type Random, randomOf } from '../../../test/support/random.ts';
import { bodyOf } from '../client/write-request.ts';
import { isObject, type JsonObject, member } from '../members.ts';
import { canonical } from './canonical.ts';
import { ownedDigestOf } from './field-tree.ts';
import { NoopWrites, type WriteRequest } from './noop-writes.ts';

const string = { type: 'string' };
const strings = { type: 'object', additionalProperties: string };
const named = { type: 'object', required: ['name'], properties: { name: string, v: string } };

const keyed = (keys: readonly string[], properties: object): object => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items: { type: 'object', required: [keys[0]], properties },
});

const spec = {
  type: 'object',
  properties: {
    a: string,
    n: { type: 'integer', default: 3 },
    long: { type: 'integer', format: 'int64' },
    map: strings,
    whole: { ...strings, 'x-kubernetes-map-type': 'atomic' },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: string },
    keyed: keyed(['name'], { name: string, v: string, w: { type: 'string', default: 'd' }, map: strings }),
    ports: keyed(['port', 'protocol'], {
      port: { type: 'integer' },
      protocol: { type: 'string', default: 'TCP' },
      label: string,
    }),
    list: { type: 'array', items: named },
    nullable: { ...string, nullable: true },
  },
};

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: spec } } },
        subresources: { status: {} },
      },
    ],
  },
};

let server: TestServer;
let rest: RESTClient;
beforeAll(async () => {
  server = await startTestServer({ crds: [definition] });
  rest = new RESTClient(server.config);
});
afterAll(async () => {
  await rest?.close();
  await server?.stop();
});

const names = ['x', 'y', 'z'] as const;
const words = ['', '1', '2'] as const;

const mapOf = (random: Random): object =>
  Object.fromEntries(random.some(names, 2).map((name) => [name, random.pick(words)]));

/**
 * Random value of each field of `spec`. Integers beyond 2^53 differ in digits that a number cannot
 * represent.
 */
const fields: Readonly<Record<string, (random: Random) => unknown>> = {
  a: (random) => random.pick(words),
  n: (random) => random.int(2) * 3,
  long: (random) => random.pick([1n, 9007199254740993n, 9007199254740992n]),
  map: mapOf,
  whole: mapOf,
  set: (random) => random.some(names, 3),
  keyed: (random) =>
    random.some(names, 3).map((name) => ({
      name,
      ...(random.chance(0.5) ? { v: random.pick(words) } : {}),
      ...(random.chance(0.3) ? { w: random.pick(['d', 'e']) } : {}),
      ...(random.chance(0.3) ? { map: mapOf(random) } : {}),
    })),
  ports: (random) =>
    random.some([80, 81], 2).map((port) => ({
      port,
      ...(random.chance(0.4) ? { protocol: random.pick(['TCP', 'UDP']) } : {}),
      ...(random.chance(0.4) ? { label: random.pick(words) } : {}),
    })),
  list: (random) => random.some(names, 2).map((name) => ({ name, v: random.pick(words) })),
  nullable: (random) => random.pick(['', 'x', null]),
};

const partOf = (random: Random, probability: number): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, create]) =>
      random.chance(probability) ? [[name, create(random)]] : [],
    ),
  );

const collection = '/apis/example.com/v1/namespaces/default/things';

/** Time limit of a campaign of any length. */
const limit = { timeout: 600_000 };
const mine = { fieldManager: 'mine', force: true };

/** One object with its writer and the other managers. */
class Trial {
  writes = new NoopWrites();
  /** Number of applies that were repeated at once. */
  repeated = 0;
  readonly #random: Random;
  readonly #name: string;
  /** Whether the cache keeps managedFields. */
  readonly #keepsFields: boolean;
  readonly #part: 'spec' | 'status';

  constructor(random: Random, name: string) {
    this.#random = random;
    this.#name = name;
    this.#keepsFields = random.chance(0.5);
    this.#part = random.chance(0.3) ? 'status' : 'spec';
  }

  async run(): Promise<number> {
    await this.#send({ ...this.#identity, spec: {} }, { fieldManager: 'other' }, '');
    let intent = this.#intent();
    let skipped = 0;
    for (let step = 0; step < 12; step += 1) {
      if (this.#random.chance(0.3)) intent = this.#intent();
      if (this.#random.chance(0.5)) await this.#foreignChange();
      if (this.#random.chance(0.1)) this.writes = new NoopWrites();
      skipped += await this.#reconcile(intent);
      // At rest: nothing is sent. An apply that removed a whole map is repeated once.
      const request = this.#request(intent);
      if (this.writes.decide(request, await this.#cached()) === 'send') {
        this.writes.record(request, await this.#send(intent, mine, this.#subresource));
        this.repeated += 1;
      }
      expect(this.writes.decide(this.#request(intent), await this.#cached())).not.toBe('send');
    }
    return skipped;
  }

  get #identity(): JsonObject {
    return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: this.#name } };
  }

  get #subresource(): string {
    return this.#part === 'status' ? 'status' : '';
  }

  #intent(): JsonObject {
    const metadata = this.#part === 'spec' && this.#random.chance(0.5) ? { labels: mapOf(this.#random) } : {};
    return {
      ...this.#identity,
      metadata: { name: this.#name, ...metadata },
      [this.#part]: partOf(this.#random, 0.4),
    };
  }

  #request(body: JsonObject): WriteRequest {
    const [group, version, resource] = ['example.com', 'v1', 'things'];
    const identity = { group, version, resource, namespace: 'default', name: this.#name };
    // As the managed client reads it.
    const text = jsonOf(body) ?? '';
    const read = bodyOf({ body: text });
    return {
      verb: 'apply',
      ...identity,
      subresource: this.#subresource,
      fieldManager: 'mine',
      body: read,
      text,
    };
  }

  async #reconcile(body: JsonObject): Promise<number> {
    const request = this.#request(body);
    const live = await this.#read();
    const decision = this.writes.decide(request, this.#stored(live));
    if (decision === 'send') {
      this.writes.record(request, await this.#send(body, mine, this.#subresource));
      return 0;
    }
    const dry = await this.#send(body, { ...mine, dryRun: 'All' }, this.#subresource);
    const problem = `${canonical(body)} on ${canonical(live)}`;
    expect(valuesOf(dry), problem).toBe(valuesOf(live));
    if (this.#keepsFields) {
      const owner = { manager: 'mine', subresource: this.#subresource };
      expect(ownedDigestOf(dry, owner), problem).toBe(ownedDigestOf(live, owner));
    }
    return 1;
  }

  async #foreignChange(): Promise<void> {
    const part = partOf(this.#random, 0.15);
    const body = { ...this.#identity, [this.#part]: part };
    if (this.#random.chance(0.3)) {
      await this.#send(body, { fieldManager: 'other', force: true }, this.#subresource);
      return;
    }
    const removed = this.#random.some(Object.keys(fields), 1).map((name) => [name, null]);
    await rest.patch(this.#path(this.#subresource), {
      body: { [this.#part]: { ...part, ...Object.fromEntries(removed) } },
      query: { fieldManager: 'another' },
    });
  }

  async #send(
    body: JsonObject,
    query: Record<string, string | boolean>,
    subresource: string,
  ): Promise<JsonObject> {
    const contentType = 'application/apply-patch+yaml';
    return objectOf(await rest.patch(this.#path(subresource), { contentType, query, body }));
  }

  async #read(): Promise<JsonObject> {
    return objectOf(await rest.get(this.#path('')));
  }

  async #cached(): Promise<JsonObject> {
    return this.#stored(await this.#read());
  }

  #stored(live: JsonObject): JsonObject {
    return this.#keepsFields ? live : withoutMembers(live, ['managedFields']);
  }

  #path(subresource: string): string {
    return `${collection}/${this.#name}${subresource === '' ? '' : `/${subresource}`}`;
  }
}

it('loses no write and repeats none at rest, for random intents and foreign changes', limit, async () => {
  const [counts, seeds] = [{ skipped: 0, repeated: 0 }, campaign('no-op writes', { rounds: 160 })];
  for (const seed of seeds) {
    const trial = new Trial(randomOf(seed), `t${seed}`);
    counts.skipped += await trial.run();
    counts.repeated += trial.repeated;
  }
  expect(counts.skipped).toBeGreaterThan(3 * seeds.length);
  expect(counts.repeated).toBeLessThan(seeds.length);
});

function objectOf(value: unknown): JsonObject {
  if (!isObject(value)) throw new Error(`not an object: ${String(value)}`);
  return value;
}

function withoutMembers(object: JsonObject, removed: readonly string[]): JsonObject {
  const metadata = objectOf(member(object, 'metadata'));
  const kept = Object.entries(metadata).filter(([key]) => !removed.includes(key));
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** Returns the values of an object. An empty list or map and an absent one count as equal. */
function valuesOf(object: JsonObject): string {
  const values = withoutMembers(object, ['managedFields', 'resourceVersion', 'generation']);
  let text = canonical(values);
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replaceAll(/"[a-z]+":(\[\]|\{\}),?/g, '').replaceAll(',}', '}');
  }
  return text;
}
