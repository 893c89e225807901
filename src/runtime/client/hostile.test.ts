import { afterEach, beforeEach, describe, it, vi } from 'vitest';
import { settle } from '../../../test/support/runtime/fake-clock.ts';
import { corrupted, corruptions, hostileValues } from '../../../test/support/runtime/hostile.ts';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { thing } from '../../../test/support/runtime/scripted-source.ts';
import { things } from '../../../test/support/runtime/stub-api.ts';
import { isOwn } from '../api/errors.ts';
import type { APIRequest, APIResponse } from '../api/transport.ts';
import { InformerFactoryBase } from '../cache/factory.ts';
import { byLabel, byOwner } from '../cache/store/indices.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { tableText } from '../dynamic/tables/table-text.ts';
import { RESTClient } from '../rest/client.ts';
import { condition } from '../watch/wait/condition.ts';
import { until } from '../watch/wait/until.ts';

/** Responses of a server, with arbitrary data. */
interface Script {
  readonly list?: unknown;
  readonly get?: unknown;
  readonly delete?: unknown;
  readonly events?: readonly unknown[];
  readonly status?: number;
}

const metadata = { resourceVersion: '5' };
const object = {
  ...thing('a', 3, {
    labels: { app: 'web' },
    annotations: { a: 'b' },
    finalizers: ['example.com/f'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u-o', controller: true }],
  }),
  status: { conditions: [{ type: 'Ready', status: 'False', reason: 'Down' }], observedGeneration: 1 },
};
const table = {
  apiVersion: 'meta.k8s.io/v1',
  kind: 'Table',
  metadata,
  columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }],
  rows: [
    { cells: ['a'], object: { apiVersion: 'v1', kind: 'PartialObjectMetadata', metadata: object.metadata } },
  ],
};
const list = (item: unknown) => ({
  apiVersion: 'example.com/v1',
  kind: 'ThingList',
  metadata,
  items: [item],
});

/** After the last event, the stream stays open without data. */
async function* streamed(events: readonly unknown[]): AsyncGenerator<Uint8Array> {
  for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
  await new Promise(() => undefined);
}

function server(script: Script): RESTClient {
  const transport = async ({ method, path, query }: APIRequest): Promise<APIResponse> => {
    const headers = { 'content-type': 'application/json' };
    const common = { status: script.status ?? 200, headers, cancel: () => undefined };
    if (query.some(([name]) => name === 'watch')) return { ...common, body: streamed(script.events ?? []) };
    const response =
      method === 'DELETE' ? script.delete : path.endsWith('/things') ? script.list : script.get;
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(JSON.stringify(response));
    }
    return { ...common, body: body() };
  };
  return new RESTClient({ server: 'http://stub' }, { transport });
}

const timeoutMs = 60_000;
const onRetry = (): void => undefined;
const limits = { timeoutMs, onRetry };

/** Every public call that waits, watches or reads, with a timeout. */
const calls: Readonly<Record<string, (rest: RESTClient) => Promise<unknown>>> = {
  get: (rest) => client(rest).get('a', { timeoutMs }),
  delete: (rest) => client(rest).delete('a', { timeoutMs }),
  list: (rest) => client(rest).list({ timeoutMs }),
  waitFor: (rest) => client(rest).waitFor('a', condition('Ready'), limits),
  deleteAndWait: (rest) => client(rest).deleteAndWait('a', limits),
  until: (rest) => until(client(rest), ({ object }) => condition('Ready')(object), limits),
  watch: async (rest) => {
    for await (const event of client(rest).watch(limits)) condition('Ready')(event.object);
  },
  table: async (rest) => tableText(await client(rest).table({ timeoutMs }), { wide: true, namespaces: true }),
  watchTable: async (rest) => {
    for await (const event of client(rest).watchTable(limits)) tableText(event.object, { namespaces: true });
  },
  informer: async (rest) => {
    const factory = new InformerFactoryBase({ rest });
    factory.on('error', () => undefined);
    const informer = factory.of(things);
    const owner = informer.addIndex('owner', byOwner);
    const app = informer.addIndex('app', byLabel('app'));
    informer.handle({
      add: (each) => {
        // Violates the rules for handlers, but must not end the process.
        Reflect.deleteProperty(each, 'metadata');
        throw each;
      },
    });
    await factory.start();
    try {
      await factory.waitForSync({ timeoutMs, handlers: true });
      informer.lister.list({ labelSelector: 'app in (web),!other,n notin (a)' });
      return [owner.values(), app.values()];
    } finally {
      await factory.stop();
    }
  },
};

function client(rest: RESTClient) {
  return new DynamicClient(rest)
    .resource({ group: 'example.com', version: 'v1', resource: 'things' })
    .namespace('shop');
}

/** Returns the error of a call, once all of its limits are over, or `undefined` if it resolves. */
async function failureOf(call: (rest: RESTClient) => Promise<unknown>, script: Script): Promise<unknown> {
  let settled = false;
  const failure = call(server(script)).then(
    () => undefined,
    (error: unknown) => error ?? 'nothing',
  );
  void failure.then(() => {
    settled = true;
  });
  // A call that never settles fails by the timeout of the test.
  while (!settled) {
    await settle(3);
    // A timer that throws fails the test here.
    vi.advanceTimersByTime(timeoutMs / 10);
  }
  return failure;
}

/** Expected names of errors. */
const names = ['TimeoutError', 'DecodeError', 'ApiError', 'TransportError'];

async function expectNoRawError(call: (rest: RESTClient) => Promise<unknown>, script: Script): Promise<void> {
  const failure = await failureOf(call, script);
  if (failure === undefined || names.some((name) => isOwn(failure, name))) return;
  throw new Error(
    `${failure instanceof Error ? failure.stack : String(failure)} for ${JSON.stringify(script)}`,
  );
}

/** Scripts in which all parts contain the same object. */
const scripts: Readonly<Record<string, (item: unknown) => Script>> = {
  list: (item) => ({ list: list(item), get: item, delete: item }),
  event: (item) => ({
    list: list(object),
    get: object,
    delete: object,
    events: [{ type: 'MODIFIED', object: item }],
  }),
  body: (item) => ({ list: item, get: item, delete: item, events: [item] }),
  'failed body': (item) => ({ list: item, get: item, delete: item, events: [item], status: 422 }),
};

const status = {
  apiVersion: 'v1',
  kind: 'Status',
  status: 'Failure',
  code: 422,
  reason: 'Invalid',
  message: 'no',
  metadata: { continue: 'c' },
  details: { name: 'a', uid: 'u', retryAfterSeconds: 1, causes: [{ field: 'f', message: 'm', reason: 'r' }] },
};

describe('responses of any shape', { timeout: 30_000 }, () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const whole = { list, status: () => status, table: () => table };
  describe.each(Object.keys(calls))('%s settles, with an error of this package if any', (name) => {
    const call = calls[name] ?? (() => Promise.reject(new Error(name)));

    it.each(hostileValues.map((value) => [JSON.stringify(value), value]))(
      'for %s everywhere',
      async (_, value) => {
        for (const script of Object.values(scripts)) await expectNoRawError(call, script(value));
      },
    );

    it('for each hostile value at each place of an object', async () => {
      const random = new Seeded(name.length);
      for (const script of Object.values(scripts)) {
        for (const { value } of corruptions(object)) {
          if (random.chance(1 / 25)) await expectNoRawError(call, script(value));
        }
      }
    });

    it('for lists, tables and statuses with hostile places', async () => {
      const random = new Seeded(15);
      for (const make of Object.values(whole)) {
        for (let round = 0; round < 15; round += 1) {
          for (const script of [scripts['body'], scripts['failed body']]) {
            const body = corrupted(make(object), random.next);
            if (script !== undefined) await expectNoRawError(call, script(body));
          }
        }
      }
    });
  });
});
