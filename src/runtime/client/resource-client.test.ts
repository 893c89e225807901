import { describe, expect, it, vi } from 'vitest';
import { holdTime, until } from '../../../test/support/runtime/no-time-passes.ts';
import { isDecodeError, isTimeoutError } from '../api/errors.ts';
import type { KubernetesList } from '../api/meta.ts';
import type { ResourceFacts } from '../api/resource.ts';
import type { APIRequest, APIResponse } from '../api/transport.ts';
import { RESTClient } from '../rest/client.ts';
import { encodeQuery } from '../rest/request/query.ts';
import { ResourceClient } from './resource-client.ts';

const myApps: ResourceFacts = {
  group: 'my.domain',
  version: 'v1',
  kind: 'MyApp',
  listKind: 'MyAppList',
  plural: 'myapps',
  singular: 'myapp',
  scope: 'Namespaced',
  verbs: [],
};

type ScriptedResponse = readonly [status: number, body: unknown] | 'never';

function response([status, body]: readonly [number, unknown]): APIResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return { status, headers: {}, body: bytes(), cancel: () => undefined };
}

/** Creates a client with scripted responses, and records its requests as one line each. */
function scripted(...responses: readonly ScriptedResponse[]) {
  const lines: string[] = [];
  const rest = new RESTClient(
    { server: 'http://unused' },
    {
      transport: ({ method, path, query }: APIRequest) => {
        const reply = responses[lines.length] ?? [500, 'the script is over'];
        lines.push(`${method} ${path.split('/myapps')[1]}?${encodeQuery(query)}`);
        return reply === 'never' ? new Promise(() => undefined) : Promise.resolve(response(reply));
      },
    },
  );
  return { client: new ResourceClient(rest, { resource: myApps, namespace: 'shop' }), lines };
}

const web = { metadata: { name: 'web', uid: 'u1', resourceVersion: '5' } };
const list = (items: readonly unknown[], metadata: object = { resourceVersion: '9' }) => ({
  metadata,
  items,
});
const missing: ScriptedResponse = [
  404,
  { kind: 'Status', status: 'Failure', reason: 'NotFound', details: { name: 'web' } },
];

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

describe('find', () => {
  it('returns the object, or undefined', async () => {
    const { client } = scripted([200, web], missing);
    expect(await client.find('web')).toEqual(web);
    expect(await client.find('web')).toBe(undefined);
  });

  it('throws if the server does not know the resource', async () => {
    const { client } = scripted([404, '404 page not found'], [403, '']);
    await expect(client.find('web')).rejects.toThrow(/404 NotFound: the server does not have this resource/);
    await expect(client.find('web')).rejects.toThrow(/get myapps shop\/web: 403/);
  });
});

describe('responses', () => {
  it('of lists have items with apiVersion and kind', async () => {
    const items = [{ metadata: { name: 'a' } }, { apiVersion: 'x/v1', kind: 'X', metadata: {} }];
    const { client } = scripted([200, list(items)], [200, { kind: 'MyAppList', items: null }]);
    expect((await client.list()).items).toEqual([
      { apiVersion: 'my.domain/v1', kind: 'MyApp', metadata: { name: 'a' } },
      { apiVersion: 'x/v1', kind: 'X', metadata: {} },
    ]);
    expect(await client.list()).toEqual({ kind: 'MyAppList', items: [], metadata: {} });
  });

  it.each([
    ['null', 'the response is null, not an object'],
    ['[]', 'the response is a list, not an object'],
    ['7', 'the response is a number, not an object'],
    ['{"items":{}}', 'the response is not a list: it has no items'],
    ['{}', 'the response is not a list: it has no items'],
    ['{"kind":"Status","status":"Success"}', 'the response is not a list: it has no items'],
    ['{"items":[1]}', 'an item of the list is a number, not an object'],
    ['{"items":[{"spec":{}}]}', 'an item of the list has no metadata'],
    ['{"items":[{"metadata":null}]}', 'an item of the list has no metadata'],
  ])('that are %s are not lists', async (body, want) => {
    const { client } = scripted([200, body]);
    const error: unknown = await client.list().catch((reason: unknown) => reason);
    expect(isDecodeError(error)).toBe(true);
    expect(error).toHaveProperty('message', `list myapps in namespace shop: ${want}`);
  });

  it('with a success code and a failure Status are errors', async () => {
    const { client } = scripted([200, { kind: 'Status', status: 'Failure', code: 500, message: 'no' }]);
    await expect(client.get('web')).rejects.toThrow('get myapps shop/web: 500: no');
  });
});

describe('invalid arguments', () => {
  it('throw without a request', async () => {
    const { client, lines } = scripted();
    await expect(client.get('')).rejects.toThrow(/the name of the MyApp is empty/);
    await expect(client.waitFor('', () => true)).rejects.toThrow(/the name of the MyApp is empty/);
    await expect(client.deleteAndWait('a/b')).rejects.toThrow(/must not contain/);
    expect(lines).toEqual([]);
  });

  /** Calls of untyped JavaScript, in which a missing name must not select all objects of a namespace. */
  const calls: readonly [
    method: keyof ResourceClient<object, KubernetesList<unknown>>,
    ...args: unknown[],
  ][] = [
    ['get'],
    ['find', undefined],
    ['delete'],
    ['delete', undefined, { propagationPolicy: 'Background' }],
    ['deleteAndWait'],
    ['patch', undefined, {}],
    ['patchStatus', undefined, {}],
    ['getScale'],
    ['patchScale', undefined, {}],
    ['waitFor', undefined, () => true],
  ];
  it.each(calls)('%s without a name never affects all objects: %j', async (method, ...args) => {
    const { client, lines } = scripted();
    const call: Promise<unknown> = Reflect.apply(client[method], client, args);
    await expect(call).rejects.toThrow(/^the name of the MyApp to \w+ is missing$/);
    expect(lines).toEqual([]);
  });

  it.each(['list', 'deleteCollection'] as const)(
    '%s throws TypeError for options that are a string',
    async (method) => {
      const { client, lines } = scripted();
      const call: Promise<unknown> = Reflect.apply(client[method], client, ['app=web']);
      await expect(call).rejects.toThrow(/the options of \w+ are not an object: "app=web"/);
      expect(lines).toEqual([]);
    },
  );
});

describe('iterate', () => {
  it('yields nothing more of a page after an abort', async () => {
    const controller = new AbortController();
    const { client } = scripted([200, list([web, web, web])]);
    const seen: unknown[] = [];
    const end = (async () => {
      for await (const object of client.iterate({ signal: controller.signal })) {
        seen.push(object);
        controller.abort('enough');
      }
    })();
    await expect(end).rejects.toBe('enough');
    expect(seen).toHaveLength(1);
  });

  const names = (objects: readonly { metadata?: { name?: string } }[]) =>
    objects.map((one) => one.metadata?.name);
  const page = (name: string, next: string | undefined, resourceVersion = '9'): ScriptedResponse => [
    200,
    list([{ metadata: { name } }], { resourceVersion, ...(next !== undefined && { continue: next }) }),
  ];

  it('yields the items of all pages', async () => {
    const { client, lines } = scripted(page('a', 't1'), page('b', 't2'), page('c', ''));
    const iteration = client.iterate({
      pageSize: 1,
      labelSelector: 'x',
      resourceVersion: '3',
      resourceVersionMatch: 'Exact',
    });
    expect(iteration.resourceVersion).toBe(undefined);
    expect(names(await collect(iteration))).toEqual(['a', 'b', 'c']);
    expect(iteration).toMatchObject({ consistent: true, resourceVersion: '9' });
    expect(lines).toEqual([
      'GET ?labelSelector=x&limit=1&resourceVersion=3&resourceVersionMatch=Exact',
      'GET ?continue=t1&labelSelector=x&limit=1',
      'GET ?continue=t2&labelSelector=x&limit=1',
    ]);
  });

  it('continues in a newer state after expiry, and reports it as inconsistent', async () => {
    const gone: ScriptedResponse = [
      410,
      { kind: 'Status', status: 'Failure', reason: 'Expired', metadata: { continue: 'new' } },
    ];
    const { client, lines } = scripted(page('a', 't1'), gone, page('b', undefined, '12'));
    const iteration = client.iterate();
    expect(names(await collect(iteration))).toEqual(['a', 'b']);
    expect(iteration).toMatchObject({ consistent: false, resourceVersion: '12' });
    expect(lines[2]).toBe('GET ?continue=new&limit=500');
  });

  it('throws if it cannot continue', async () => {
    const gone: ScriptedResponse = [410, { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 }];
    const { client } = scripted(page('a', 't1'), gone);
    await expect(collect(client.iterate())).rejects.toThrow(/410 Expired/);
    const first = scripted([
      410,
      { kind: 'Status', status: 'Failure', reason: 'Expired', metadata: { continue: 'x' } },
    ]);
    await expect(collect(first.client.iterate())).rejects.toThrow(/Expired/);
  });

  it('throws if the server repeats a page', async () => {
    const { client } = scripted(page('a', 't'), page('b', 't'));
    await expect(collect(client.iterate())).rejects.toThrow(/same page/);
  });

  it('fetches no page before its first item is requested', async () => {
    const { client, lines } = scripted(page('a', 't1'), page('b', ''));
    for await (const _ of client.iterate()) break;
    expect(lines.length).toBe(1);
  });
});

describe('deleteAndWait', () => {
  const byName = 'GET ?fieldSelector=metadata.name%3Dweb';

  it('resolves if the object does not exist', async () => {
    const { client, lines } = scripted(missing);
    await client.deleteAndWait('web', { preconditions: { uid: 'u1' } });
    expect(lines).toEqual(['DELETE /web?']);
  });

  it.each<[string, ScriptedResponse, ScriptedResponse]>([
    [
      'the object is gone',
      [200, { kind: 'Status', status: 'Success', details: { uid: 'u1' } }],
      [200, list([])],
    ],
    ['another object has its name', [200, web], [200, list([{ metadata: { ...web.metadata, uid: 'u2' } }])]],
  ])('resolves when %s', async (_, deleted, found) => {
    const { client, lines } = scripted(deleted, found);
    await client.deleteAndWait('web');
    expect(lines.map((line) => line.slice(0, byName.length))).toEqual(['DELETE /web?', byName]);
  });

  it('recognizes another object with its name after a deletion without a body', async () => {
    const other = {
      apiVersion: 'my.domain/v1',
      kind: 'MyApp',
      metadata: { ...web.metadata, uid: 'u2', resourceVersion: '6' },
    };
    const { client, lines } = scripted(
      [204, ''],
      [200, list([web])],
      [200, `${JSON.stringify({ type: 'MODIFIED', object: other })}\n`],
    );
    await client.deleteAndWait('web');
    expect(lines).toHaveLength(3);
  });

  it('has one timeout for deletion and wait', async () => {
    const held = {
      ...web,
      metadata: { ...web.metadata, deletionTimestamp: '2024-01-31T12:00:00Z', finalizers: ['a.io/x', 'b'] },
    };
    holdTime();
    const { client, lines } = scripted([200, web], [200, list([held])], 'never');
    const waiting = client.deleteAndWait('web', { timeoutMs: 20 }).catch((reason: unknown) => reason);
    await until(() => lines.length === 3);
    vi.advanceTimersByTime(20);
    const error: unknown = await waiting;
    expect(isTimeoutError(error)).toBe(true);
    expect(error).toHaveProperty(
      'message',
      'delete and wait for myapps shop/web: not deleted within 20 ms; last seen: resourceVersion 5, ' +
        'being deleted since 2024-01-31T12:00:00Z, held by finalizers a.io/x b',
    );
  });

  it('does not wait in a dry run', async () => {
    const { client, lines } = scripted([200, web]);
    await client.deleteAndWait('web', { dryRun: 'All' });
    expect(lines.length).toBe(1);
  });

  it('rejects if the deletion fails', async () => {
    const { client } = scripted([409, { kind: 'Status', status: 'Failure', reason: 'Conflict', code: 409 }]);
    await expect(client.deleteAndWait('web')).rejects.toThrow('delete myapps shop/web: 409 Conflict');
  });
});

describe('watch', () => {
  it('rejects with TimeoutError after timeoutMs', async () => {
    holdTime();
    const { client } = scripted([200, list([web])], 'never');
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { type, object } of client.watch({ timeoutMs: 20 }))
        seen.push(`${type} ${object.metadata.name}`);
    })();
    const end = watching.catch((reason: unknown) => reason);
    await until(() => seen.length === 1);
    vi.advanceTimersByTime(20);
    expect(isTimeoutError(await end)).toBe(true);
    expect(seen).toEqual(['ADDED web']);
  });
});
