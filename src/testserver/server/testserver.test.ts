import { DynamicClient } from '@kgen/runtime/dynamic';
import { load } from 'js-yaml';
import { describe, expect, onTestFinished, test } from 'vitest';
import { array, at, type Json, object, text } from '../../schema/values/json.ts';
import { readYaml } from '../../schema/values/wire.ts';
import { call, crd, create, foosPath, next, type Reply, start, watch } from '../client.fixture.ts';
import type { CrdSource } from './crds.ts';
import { startTestServer } from './testserver.ts';

describe('startTestServer', () => {
  test('returns a configuration for HTTP, and a kubeconfig of the same user for HTTPS', async () => {
    const server = await start();
    expect(server.config).toMatchObject({ server: server.url, namespace: 'default' });
    expect(server.url).toMatch(/^http:/);
    const file = load(server.kubeconfig) as Json;
    expect(at(array(file, 'clusters')[0], 'cluster', 'server')).toMatch(/^https:/);
    expect(at(array(file, 'users')[0], 'user', 'token')).toBe(server.config.auth?.token);
  });

  test.each([true, false])(
    'publishes its authority in each namespace with the option https %s',
    async (https) => {
      const server = await startTestServer({ https });
      onTestFinished(() => server.stop());
      const dynamic = new DynamicClient(server.config);
      onTestFinished(() => dynamic.close());
      const maps = dynamic.resource({ group: '', version: 'v1', resource: 'configmaps' });
      const map = await maps.namespace('default').get('kube-root-ca.crt');
      const cluster = at(array(load(server.kubeconfig) as Json, 'clusters')[0], 'cluster');
      const authority = Buffer.from(text(cluster, 'certificate-authority-data'), 'base64').toString();
      expect(map).toMatchObject({ data: { 'ca.crt': authority } });
      expect(authority).toContain('BEGIN CERTIFICATE');
    },
  );

  const listPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/foos.test.example.com';
  const withSchema = (schema: string): string =>
    crd.replace(/openAPIV3Schema: .*|openAPIV3Schema:\n[\s\S]*/, `openAPIV3Schema: ${schema}\n`);
  const exact = '{ type: object, properties: { spec: { type: integer, default: 9007199254740993 } } }';

  test.each([
    ['YAML', (): CrdSource => ({ yaml: withSchema(exact) })],
    ['an object', (): CrdSource => ({ kind: '', ...object(readYaml(withSchema(exact))) })],
  ])('keeps integers beyond 2^53 in definitions from %s', async (_, source) => {
    const server = await startTestServer({ crds: [source()] });
    onTestFinished(() => server.stop());
    const headers = { Authorization: `Bearer ${server.config.auth?.token}` };
    const response = await fetch(server.url + listPath, { headers });
    expect(await response.text()).toContain('"default":9007199254740993');
  });

  test('warns about unknown keywords in the schema of a definition', async () => {
    const warned: string[] = [];
    const note = ({ name, message }: Error): void =>
      void (name === 'TestServerWarning' && warned.push(message));
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const server = await startTestServer({ crds: [{ yaml: withSchema('{ type: object, requird: [a] }') }] });
    onTestFinished(() => server.stop());
    await expect
      .poll(() => warned)
      .toEqual(['foos.test.example.com: unknown field "spec.versions[0].schema.openAPIV3Schema.requird"']);
  });

  test.each([
    [
      'a definition that the API refuses',
      { yaml: crd.replace('foos.test.example.com }', 'bars.test.example.com }') },
      /^crds\[0\]:2: cannot create CustomResourceDefinition bars/,
    ],
    [
      'an old version of the API',
      { yaml: crd.replace('io/v1\n', 'io/v1beta1\n') },
      /apiextensions\.k8s\.io\/v1 only/,
    ],
    ['broken YAML', { yaml: 'a: [' }, /crds\[0\]/],
    ['a file that is not there', '/nowhere/at/all.yaml', /all\.yaml/],
  ])('rejects %s', async (_name, source, message) => {
    await expect(startTestServer({ crds: [source] })).rejects.toThrow(message);
  });

  test("evaluates rules with functions of Kubernetes' libraries", async () => {
    const server = await start();
    const reply = await create(server, 'a', {}, { odd: 'https://y' });
    expect([reply.code, text(reply.body, 'reason')]).toEqual([422, 'Invalid']);
    expect(text(reply.body, 'message')).toContain('url(self.odd)');
    expect((await create(server, 'a', {}, { odd: 'https://x' })).code).toBe(201);
  });

  test('responds with 413 to a body over 3 MiB', async () => {
    const server = await start();
    const reply = await create(server, 'a', { annotations: { big: 'x'.repeat(3 * 1024 * 1024) } });
    expect([reply.code, text(reply.body, 'reason')]).toEqual([413, 'RequestEntityTooLarge']);
  });

  test('logs requests without credentials', async () => {
    const server = await start();
    await call(server, `${foosPath}?limit=3`);
    expect(server.requests).toMatchObject([
      { method: 'GET', path: foosPath, query: { limit: '3' }, userAgent: 'unit/1', user: 'kubernetes-admin' },
    ]);
    expect(JSON.stringify(server.requests)).not.toContain(server.config.auth?.token);
  });

  test('stores a property called __proto__', async () => {
    const server = await start();
    const body = JSON.parse(
      '{"apiVersion":"test.example.com/v1","kind":"Foo","metadata":{"name":"p","labels":{"__proto__":"x"}},"spec":{"__proto__":{"polluted":1}}}',
    ) as Json;
    const reply = await call(server, foosPath, { method: 'POST', body });
    expect(reply.code).toBe(422);
    expect(reply.headers.get('warning')).toContain('spec.__proto__');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('closes open watches on stop, and a second stop does nothing', async () => {
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

describe('faults of the test server', () => {
  test('failNext fails the configured number of requests with the configured status', async () => {
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
      await call(server, foosPath),
      await create(server, 'a'),
      await create(server, 'a'),
    ];
    expect(replies.map((reply) => reply.code)).toEqual([429, 200, 429, 201]);
    expect(replies[0]?.headers.get('retry-after')).toBe('3');
  });

  test('a list with expired pages continues with the token of the 410', async () => {
    const server = await start();
    for (const name of ['a', 'b', 'c']) await create(server, name);
    const first = await call(server, `${foosPath}?limit=1`);
    const page = (reply: Reply): string =>
      `${foosPath}?limit=5&continue=${encodeURIComponent(text(reply.body, 'metadata', 'continue'))}`;
    await create(server, 'd');
    server.faults.compact();
    const gone = await call(server, page(first));
    expect([gone.code, text(gone.body, 'reason')]).toEqual([410, 'Expired']);
    const rest = await call(server, page(gone));
    expect(array(rest.body, 'items').map((item) => text(item, 'metadata', 'name'))).toEqual(['b', 'c', 'd']);
  });
});
