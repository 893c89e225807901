/** Property: no value of a Secret is in recordings, explanations and spans, in whichever form it was sent. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Controller, Manager } from '@kgen/controller';
import { type Secret, secrets } from '@kgen/kubernetes/core/v1';
import { InformerFactory, RESTClient, resource } from '@kgen/runtime';
import type { RESTRequest, Transport } from '@kgen/runtime/rest';
import { startTestServer } from '@kgen/testserver';
import { trace } from '@opentelemetry/api';
import { expect, it, onTestFinished } from 'vitest';
import { type MyApp, myApps } from '../../generated/crds/my.domain/v1/index.ts';
import { type Random, randomOf } from '../support/random.ts';
import { seedsOf } from '../support/seeds.ts';

const marker = 'hunter2-is-no-password';
const ignore = (): void => undefined;
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const path = '/api/v1/namespaces/default/secrets';

/** Registers an SDK whose spans keep the text of all calls. */
function recordedSpans(): readonly string[] {
  const calls: string[] = [];
  const span: object = new Proxy(
    {},
    {
      get: (_, name) =>
        name === 'isRecording'
          ? () => true
          : (...values: readonly unknown[]) => void calls.push(`${String(name)} ${textOf(values)}`),
    },
  );
  const tracer = {
    startSpan: () => span,
    startActiveSpan: (_: string, __: object, work: (span: object) => unknown) => work(span),
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer as never });
  onTestFinished(() => trace.disable());
  return calls;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each instanceof Error ? `${each.stack} ${each.message}` : each,
  );
}

/** Returns a Secret with the marker in some of its values. */
function secretOf(name: string, random: Random): Secret {
  const base64 = Buffer.from(marker).toString('base64');
  const metadata = {
    name,
    ...(random.chance(0.5) && { annotations: { note: marker, [lastApplied]: `{"data":{"a":"${base64}"}}` } }),
  };
  return {
    metadata,
    ...(random.chance(0.7) && { data: { a: base64 } }),
    ...(random.chance(0.7) && { stringData: { b: marker } }),
  };
}

/** Returns a JSON patch at a random place: a value, its parents, and the whole object. */
function operationsOf(secret: Secret, random: Random): readonly object[] {
  const value = { apiVersion: 'v1', kind: 'Secret', ...secret };
  return random.pick([
    [{ op: 'add', path: '/data', value: { a: Buffer.from(marker).toString('base64') } }],
    [{ op: 'add', path: '/stringData', value: { a: marker } }],
    [{ op: 'replace', path: '/data/a', value: Buffer.from(marker).toString('base64') }],
    [{ op: 'add', path: '/metadata', value: { name: secret.metadata?.name, annotations: { note: marker } } }],
    [{ op: 'add', path: '/metadata/annotations', value: { [lastApplied]: marker } }],
    [{ op: 'replace', path: '', value }],
    [{ op: 'test', path: '/data/none', value: marker }],
  ]);
}

/** The response of a server that quotes what it has received. */
function refusal(): Awaited<ReturnType<Transport>> {
  const message = `Secret is invalid: ${marker}`;
  const causes = [{ reason: 'FieldValueInvalid', message, field: 'data[a]' }];
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    message,
  };
  const text = JSON.stringify({ ...status, details: { name: 'one', kind: 'Secret', causes } });
  const body = Readable.from([Buffer.from(text)]);
  return { status: 422, headers: { 'content-type': 'application/json' }, body, cancel: ignore };
}

/** Requests of the clients, and raw ones, each with the marker. */
function requestsOf(rest: RESTClient, random: Random): readonly (() => Promise<unknown>)[] {
  const client = resource(rest, secrets).in('default');
  const name = random.pick(['one', 'two']);
  const secret = secretOf(name, random);
  const operations = operationsOf(secret, random);
  const json = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', ...secret });
  const yaml = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\nstringData:\n  b: ${marker}\n`;
  const raw = (request: RESTRequest, type: string, body: RESTRequest['body']) => () =>
    rest.request({ ...request, headers: { 'content-type': type }, body });
  const named = { path: `${path}/${name}` };
  const apply = { ...named, method: 'PATCH', query: [['fieldManager', 'raw']] } as const;
  return [
    () => client.create(secret),
    () => client.update({ ...secret, metadata: { ...secret.metadata, name } }),
    () => client.patch(name, secret),
    () => client.apply({ ...secret, metadata: { name } }, { fieldManager: 'test', force: true }),
    () => client.get(name),
    () => client.list(),
    () => client.delete(name),
    raw({ ...named, method: 'PATCH' }, 'application/json-patch+json', JSON.stringify(operations)),
    raw({ ...named, method: 'PATCH' }, 'application/strategic-merge-patch+json', json),
    raw(apply, 'application/apply-patch+yaml', yaml),
    raw({ path, method: 'POST' }, 'application/yaml', yaml),
    raw({ path, method: 'POST' }, 'application/json', json.replace('"stringData"', '"typo"')),
    raw({ path, method: 'POST' }, 'application/json', JSON.stringify(marker)),
    raw({ path, method: 'POST' }, 'application/vnd.kubernetes.protobuf', Buffer.from(`k8s\0${marker}`)),
    () => rest.request({ path, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }),
  ];
}

it.each(seedsOf({ all: 20, few: 1 }))(
  'contain no value of a Secret: seed %i',
  { timeout: 60_000 },
  async (seed) => {
    const random = randomOf(seed);
    const spans = recordedSpans();
    const directory = mkdtempSync(join(tmpdir(), 'kgen-secrets-'));
    const server = await startTestServer({ crds: ['crds/myapp.yaml'] });
    const failures: unknown[] = [];
    let requests = 0;
    let isRefused = false;
    const transport: Transport = async (request) => {
      if (!isRefused || !request.path.startsWith(path) || request.stream === true)
        return server.transport(request);
      isRefused = false;
      return refusal();
    };
    const manager = new Manager(server.config, {
      name: 'test',
      handleSignals: false,
      recorder: { directory },
      client: { transport, encoding: random.pick(['json', 'protobuf']) },
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    });
    const informers = new InformerFactory(manager);
    const controller = new Controller({
      name: 'test',
      for: informers.of(myApps),
      watches: [{ informer: informers.of(secrets), map: () => [] }],
      reconcile: async () => {
        for (const send of requestsOf(manager.rest, random)) {
          requests += 1;
          isRefused = random.chance(0.3);
          await send().catch((error: unknown) => failures.push(error));
        }
        const quoted = failures.filter((error) => String(error).includes(marker));
        const [error] = quoted.slice(-1);
        if (random.chance(0.3)) throw new AggregateError(quoted, 'several');
        if (random.chance(0.5)) throw new Error(`failed: ${String(error)}`, { cause: error });
        throw new Error(`failed: ${error instanceof Error ? error.message : ''}`);
      },
    });
    manager.add(controller);
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    const user = new RESTClient(server.config);
    onTestFinished(async () => {
      stop.abort();
      await ended;
      await user.close();
      await server.stop();
      rmSync(directory, { recursive: true });
    });
    const app: MyApp = { metadata: { name: 'web' }, spec: { appName: 'web', version: '1' } };
    await resource(user, myApps).in('default').create(app);
    const key = { namespace: 'default', name: 'web' };
    await expect.poll(() => controller.explain(key).failures, { timeout: 30_000 }).toBeGreaterThan(2);
    expect(failures.some((error) => String(error).includes(marker))).toBe(true);
    const file = join(directory, 'recording.jsonl');
    await manager.record(file);
    const shown = [readFileSync(file, 'utf8'), textOf(controller.explain(key)), spans.join('\n')];
    expect(requests).toBeGreaterThan(40);
    expect(spans.length).toBeGreaterThan(requests);
    for (const text of shown) {
      expect(text).toContain('(redacted)');
      for (const value of [marker, Buffer.from(marker).toString('base64')])
        expect(text.split('\n').filter((line) => line.includes(value))).toEqual([]);
    }
  },
);
