import { setTimeout } from 'node:timers/promises';
import { load } from 'js-yaml';
import { afterEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer, type TestServerOptions } from './testserver.ts';
import { array, at, type Json, type JsonObject, object, strings, text } from './values/json.ts';

const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: foos.test.example.com }
spec:
  group: test.example.com
  scope: Namespaced
  names: { kind: Foo, plural: foos }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: { type: integer }
                odd: { type: string }
              x-kubernetes-validations:
                - { rule: "!has(self.odd) || url(self.odd).getHost() == 'x'" }
`;

const FOOS = '/apis/test.example.com/v1/namespaces/default/foos';
const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(options: TestServerOptions = { crds: [{ yaml: CRD }] }): Promise<TestServer> {
  const server = await startTestServer(options);
  servers.push(server);
  return server;
}

interface Call {
  readonly method?: string;
  readonly body?: Json;
  readonly type?: string;
}

interface Reply {
  readonly code: number;
  readonly body: JsonObject;
  readonly headers: Headers;
}

function fetchFrom(
  server: TestServer,
  path: string,
  { method = 'GET', body, type }: Call = {},
): Promise<Response> {
  return fetch(server.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${server.config.auth?.token}`,
      'Content-Type': type ?? 'application/json',
      'User-Agent': 'unit/1',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function call(server: TestServer, path: string, options: Call = {}): Promise<Reply> {
  const response = await fetchFrom(server, path, options);
  const content = await response.text();
  const body = content.startsWith('{') ? (JSON.parse(content) as JsonObject) : { text: content };
  return { code: response.status, body, headers: response.headers };
}

function create(
  server: TestServer,
  name: string,
  metadata: JsonObject = {},
  spec: JsonObject = {},
): Promise<Reply> {
  const body = { apiVersion: 'test.example.com/v1', kind: 'Foo', metadata: { name, ...metadata }, spec };
  return call(server, FOOS, { method: 'POST', body });
}

/** Opens a watch; its events are read one by one. */
async function watch(server: TestServer, query: string): Promise<AsyncGenerator<JsonObject>> {
  return events(await fetchFrom(server, `${FOOS}?watch=true&${query}`));
}

async function* events(response: Response): AsyncGenerator<JsonObject> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as JsonObject;
  }
}

async function next(events: AsyncGenerator<JsonObject>): Promise<string> {
  const { value, done } = await events.next();
  return done ? 'end' : `${text(value, 'type')} ${text(value, 'object', 'metadata', 'name')}`.trim();
}

/** Polls until a GET answers with `code`. */
async function until(server: TestServer, path: string, code: number): Promise<Reply> {
  const reply = await call(server, path);
  if (reply.code === code) return reply;
  await setTimeout(5);
  return until(server, path, code);
}

describe('startTestServer', () => {
  test('gives a config, and a kubeconfig that says the same', async () => {
    const server = await start();
    expect(server.config).toMatchObject({ server: server.url, namespace: 'default' });
    const file = load(server.kubeconfig) as Json;
    expect(at(array(file, 'clusters')[0], 'cluster', 'server')).toBe(server.url);
    expect(at(array(file, 'users')[0], 'user', 'token')).toBe(server.config.auth?.token);
  });

  test('answers 401 without its token, but for health and version', async () => {
    const server = await start();
    const codes = await Promise.all(
      [FOOS, '/apis', '/healthz', '/readyz', '/livez', '/version'].map(async (path) => {
        const response = await fetch(server.url + path, { headers: { Authorization: 'Bearer wrong' } });
        await response.text();
        return response.status;
      }),
    );
    expect(codes).toEqual([401, 401, 200, 200, 200, 200]);
  });

  test.each([
    [
      'a definition that the API refuses',
      { yaml: CRD.replace('foos.test.example.com }', 'bars.test.example.com }') },
      /cannot install bars/,
    ],
    [
      'an old version of the API',
      { yaml: CRD.replace('io/v1\n', 'io/v1beta1\n') },
      /apiextensions\.k8s\.io\/v1 only/,
    ],
    ['broken YAML', { yaml: 'a: [' }, /crds\[0\]/],
    ['a file that is not there', '/nowhere/at/all.yaml', /all\.yaml/],
  ])('rejects %s', async (_name, source, message) => {
    await expect(startTestServer({ crds: [source] })).rejects.toThrow(message);
  });

  test('a rule that cannot be evaluated here is 501, and names the rule', async () => {
    const server = await start();
    const reply = await create(server, 'a', {}, { odd: 'https://x' });
    expect(reply.code).toBe(501);
    expect(text(reply.body, 'reason')).toBe('NotImplemented');
    expect(text(reply.body, 'message')).toContain('url(self.odd)');
    expect((await create(server, 'a')).code).toBe(201);
  });

  test.each(['/openapi/v3', '/apis/test.example.com/v1/watch/foos'])('%s is 501', async (path) => {
    const server = await start();
    expect((await call(server, path)).code).toBe(501);
  });

  test('a body over 3 MiB is 413', async () => {
    const server = await start();
    const reply = await create(server, 'a', { annotations: { big: 'x'.repeat(3 * 1024 * 1024) } });
    expect([reply.code, text(reply.body, 'reason')]).toEqual([413, 'RequestEntityTooLarge']);
  });

  test('logs requests without credentials', async () => {
    const server = await start();
    await call(server, `${FOOS}?limit=3`);
    expect(server.requests).toEqual([
      { method: 'GET', path: FOOS, query: { limit: '3' }, userAgent: 'unit/1' },
    ]);
    expect(JSON.stringify(server.requests)).not.toContain(server.config.auth?.token);
  });

  test('a property called __proto__ is a property', async () => {
    const server = await start();
    const body = JSON.parse(
      '{"apiVersion":"test.example.com/v1","kind":"Foo","metadata":{"name":"p","labels":{"__proto__":"x"}},"spec":{"__proto__":{"polluted":1}}}',
    ) as Json;
    const reply = await call(server, FOOS, { method: 'POST', body });
    expect(reply.code).toBe(422);
    expect(reply.headers.get('warning')).toContain('spec.__proto__');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('stop ends open watches, and a second stop does nothing', async () => {
    const server = await start();
    const stream = await watch(server, '');
    await create(server, 'a');
    expect(await next(stream)).toBe('ADDED a');
    const rest = expect(stream.next()).rejects.toThrow();
    await server.stop();
    await rest;
    await server.stop();
  });
});

describe('watches', () => {
  test('see every change in order, from any version', async () => {
    const server = await start();
    const first = await create(server, 'a');
    const stream = await watch(server, `resourceVersion=${text(first.body, 'metadata', 'resourceVersion')}`);
    await create(server, 'b');
    await call(server, `${FOOS}/a`, {
      method: 'PATCH',
      body: { spec: { size: 1 } },
      type: 'application/merge-patch+json',
    });
    await call(server, `${FOOS}/a`, { method: 'DELETE' });
    expect([await next(stream), await next(stream), await next(stream)]).toEqual([
      'ADDED b',
      'MODIFIED a',
      'DELETED a',
    ]);
    server.faults.endWatches();
    expect(await next(stream)).toBe('end');
  });

  test('an object that leaves the selection is deleted for it, one that enters is added', async () => {
    const server = await start();
    const stream = await watch(server, 'labelSelector=on%3Dyes');
    const label = (name: string, on: string): Promise<Reply> =>
      call(server, `${FOOS}/${name}`, {
        method: 'PATCH',
        body: { metadata: { labels: { on } } },
        type: 'application/merge-patch+json',
      });
    await create(server, 'a', { labels: { on: 'yes' } });
    await create(server, 'b');
    await label('a', 'no');
    await label('b', 'yes');
    expect([await next(stream), await next(stream), await next(stream)]).toEqual([
      'ADDED a',
      'DELETED a',
      'ADDED b',
    ]);
  });

  test('bookmarks carry the latest version', async () => {
    const server = await start();
    const stream = await watch(
      server,
      'allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    );
    const start1 = await stream.next();
    expect(at(start1.value, 'object', 'metadata', 'annotations', 'k8s.io/initial-events-end')).toBe('true');
    const created = await create(server, 'a');
    expect(await next(stream)).toBe('ADDED a');
    server.faults.sendBookmarks();
    const { value } = await stream.next();
    expect(text(value, 'type')).toBe('BOOKMARK');
    expect(text(value, 'object', 'metadata', 'resourceVersion')).toBe(
      text(created.body, 'metadata', 'resourceVersion'),
    );
  });

  test('a forgotten version is an ERROR event in a 200 answer', async () => {
    const server = await start();
    await create(server, 'a');
    server.faults.compact();
    const stream = await watch(server, 'resourceVersion=2');
    const { value } = await stream.next();
    expect([text(value, 'type'), at(value, 'object', 'code'), text(value, 'object', 'reason')]).toEqual([
      'ERROR',
      410,
      'Expired',
    ]);
    expect(await next(stream)).toBe('end');
  });

  test('can be cut at the socket', async () => {
    const server = await start();
    const stream = await watch(server, '');
    await create(server, 'a');
    await next(stream);
    const rest = expect(stream.next()).rejects.toThrow();
    expect(server.faults.cutWatches()).toBe(1);
    await rest;
  });
});

describe('faults', () => {
  test('failNext answers as told, as often as told, and does nothing', async () => {
    const server = await start();
    server.faults.failNext({
      times: 2,
      status: 429,
      retryAfterSeconds: 3,
      reason: 'TooManyRequests',
      match: (request) => request.method === 'POST',
    });
    const replies = [
      await create(server, 'a'),
      await call(server, FOOS),
      await create(server, 'a'),
      await create(server, 'a'),
    ];
    expect(replies.map((reply) => reply.code)).toEqual([429, 200, 429, 201]);
    expect(replies[0]?.headers.get('retry-after')).toBe('3');
  });

  test('a list whose pages expired goes on with the token of the 410', async () => {
    const server = await start();
    for (const name of ['a', 'b', 'c']) await create(server, name);
    const first = await call(server, `${FOOS}?limit=1`);
    const page = (reply: Reply): string =>
      `${FOOS}?limit=5&continue=${encodeURIComponent(text(reply.body, 'metadata', 'continue'))}`;
    await create(server, 'd');
    server.faults.compact();
    const gone = await call(server, page(first));
    expect([gone.code, text(gone.body, 'reason')]).toEqual([410, 'Expired']);
    const rest = await call(server, page(gone));
    expect(array(rest.body, 'items').map((item) => text(item, 'metadata', 'name'))).toEqual(['b', 'c', 'd']);
  });
});

describe('controllers', () => {
  const ownedBy = (owner: Reply, blockOwnerDeletion: boolean): JsonObject => ({
    ownerReferences: [
      {
        apiVersion: 'test.example.com/v1',
        kind: 'Foo',
        name: text(owner.body, 'metadata', 'name'),
        uid: text(owner.body, 'metadata', 'uid'),
        blockOwnerDeletion,
      },
    ],
  });
  const drop = (server: TestServer, name: string, propagationPolicy: string): Promise<Reply> =>
    call(server, `${FOOS}/${name}`, { method: 'DELETE', body: { propagationPolicy } });

  test('background: the dependents of a deleted owner go after it', async () => {
    const server = await start();
    const owner = await create(server, 'owner');
    await create(server, 'child', ownedBy(owner, true));
    expect((await drop(server, 'owner', 'Background')).body['status']).toBe('Success');
    await until(server, `${FOOS}/child`, 404);
  });

  test('foreground: the owner waits for its dependents', async () => {
    const server = await start();
    const owner = await create(server, 'owner');
    await create(server, 'child', { ...ownedBy(owner, true), finalizers: ['test.example.com/hold'] });
    const deleted = await drop(server, 'owner', 'Foreground');
    expect(strings(deleted.body, 'metadata', 'finalizers')).toEqual(['foregroundDeletion']);
    const child = await until(server, `${FOOS}/child`, 200);
    expect((await call(server, `${FOOS}/owner`)).code).toBe(200);
    expect(text(child.body, 'metadata', 'name')).toBe('child');
    await call(server, `${FOOS}/child`, {
      method: 'PATCH',
      body: { metadata: { finalizers: null } },
      type: 'application/merge-patch+json',
    });
    await until(server, `${FOOS}/child`, 404);
    await until(server, `${FOOS}/owner`, 404);
  });

  test('orphan: the dependents stay, without the reference', async () => {
    const server = await start();
    const owner = await create(server, 'owner');
    await create(server, 'child', ownedBy(owner, true));
    await drop(server, 'owner', 'Orphan');
    await until(server, `${FOOS}/owner`, 404);
    const child = await call(server, `${FOOS}/child`);
    expect([child.code, array(child.body, 'metadata', 'ownerReferences')]).toEqual([200, []]);
  });

  test('a deleted namespace takes its objects along and refuses new ones', async () => {
    const server = await start({ crds: [{ yaml: CRD }], namespaces: ['team'] });
    const foos = FOOS.replace('default', 'team');
    const body = {
      apiVersion: 'test.example.com/v1',
      kind: 'Foo',
      metadata: { name: 'a', finalizers: ['test.example.com/hold'] },
    };
    await call(server, foos, { method: 'POST', body });
    const deleted = await call(server, '/api/v1/namespaces/team', { method: 'DELETE' });
    expect(text(deleted.body, 'status', 'phase')).toBe('Terminating');
    const late = await call(server, foos, { method: 'POST', body: { ...body, metadata: { name: 'late' } } });
    expect([late.code, text(array(late.body, 'details', 'causes')[0], 'reason')]).toEqual([
      403,
      'NamespaceTerminating',
    ]);
    await call(server, `${foos}/a`, {
      method: 'PATCH',
      body: { metadata: { finalizers: null } },
      type: 'application/merge-patch+json',
    });
    await until(server, '/api/v1/namespaces/team', 404);
  });

  test('a definition installed through the API is established, serves, and takes its objects along when deleted', async () => {
    const server = await start({});
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const created = await call(server, path, { method: 'POST', body: load(CRD) as Json });
    expect(object(created.body, 'status')).toMatchObject({ storedVersions: ['v1'] });
    await until(server, FOOS, 200);
    const established = await call(server, `${path}/foos.test.example.com`);
    expect(
      array(established.body, 'status', 'conditions').map(
        (item) => `${text(item, 'type')}=${text(item, 'status')}`,
      ),
    ).toEqual(['NamesAccepted=True', 'Established=True']);
    await create(server, 'a');
    await call(server, `${path}/foos.test.example.com`, { method: 'DELETE' });
    await until(server, `${path}/foos.test.example.com`, 404);
    expect((await call(server, FOOS)).code).toBe(404);
  });
});
