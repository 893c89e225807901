import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { enveloped, field, frameBytes, message } from '../../../test/support/runtime/protobuf-bytes.ts';
import { isDecodeError } from '../api/errors.ts';
import { isNotFound } from '../api/failure-reasons.ts';
import type { KubernetesList, KubernetesObject } from '../api/meta.ts';
import type { APIRequest } from '../api/transport.ts';
import { RESTClient } from '../rest/client.ts';
import { type AttemptTrace, attemptChannel } from '../rest/observe/observe.ts';
import { ObjectClient } from './object-client.ts';
import {
  configMapBytes,
  configMapJson,
  configMaps,
  inJson,
  inProtobuf,
  listInProtobuf,
  refused,
  type ScriptedResponse,
  scripted,
  type TestClient,
} from './protobuf.fixture.ts';
import { watchRequest } from './requests/verb-requests.ts';

interface ConfigMap extends KubernetesObject {
  data?: Record<string, string>;
}

class ConfigMaps extends ObjectClient<ConfigMap, KubernetesList<ConfigMap>> {}

const { resource } = configMaps();
const target = { resource, namespace: 'shop' };
const clientOf = ({ rest }: TestClient): ConfigMaps => new ConfigMaps(rest, target);
const path = '/api/v1/namespaces/shop/configmaps';
const get = inProtobuf(configMapBytes());
const newer = configMapBytes({ brandNew: 'x' });
const newerJson = configMapJson({ brandNew: 'x' });

function textOf({ body = '' }: APIRequest): string {
  return Buffer.from(body).toString('latin1');
}

describe('error responses', () => {
  it('are decoded from protobuf, regardless of the request', async () => {
    const lost = refused(404, 'NotFound', 'configmaps "web" not found');
    const server = scripted([lost, lost]);
    const error = await clientOf(server)
      .get('web')
      .catch((reason: unknown) => reason);
    expect(isNotFound(error)).toBe(true);
    expect(error).toMatchObject({
      message: 'get configmaps shop/web: 404 NotFound: configmaps "web" not found',
      status: { kind: 'Status', reason: 'NotFound' },
    });
    await expect(server.rest.get('/version')).rejects.toThrow('configmaps "web" not found');
  });

  it('without a readable body have the message of their code', async () => {
    const garbage = { ...refused(500, '', ''), body: Buffer.from('k8s\0 secret token') };
    const server = scripted([garbage, { ...garbage, body: Buffer.from('\xff secret token') }]);
    for (const text of [/500 InternalError: internal server error$/, /500 InternalError/]) {
      const error = await clientOf(server)
        .patch('web', {})
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'ApiError', message: expect.stringMatching(text) });
      expect(String(error)).not.toContain('secret');
    }
  });

  it('with a success code are errors', async () => {
    const { rest } = scripted([{ ...refused(409, 'Conflict', 'was changed'), status: 200 }]);
    const call = new ConfigMaps(rest, target).delete('web');
    await expect(call).rejects.toMatchObject({ name: 'ApiError', reason: 'Conflict' });
  });

  it('that cannot be decoded are not retried', async () => {
    const server = scripted([{ ...get, body: get.body.subarray(0, -20) }]);
    const error = await clientOf(server)
      .get('web')
      .catch((reason: unknown) => reason);
    expect(isDecodeError(error)).toBe(true);
    expect(error).toMatchObject({ kind: 'ConfigMap', operation: { verb: 'get' } });
    expect(server.requests).toHaveLength(1);
  });
});

describe('streams', () => {
  const stream = (...frames: readonly Uint8Array[]): ScriptedResponse => ({
    status: 200,
    type: 'application/vnd.kubernetes.protobuf;stream=watch',
    body: message(...frames.map((object) => frameBytes('ADDED', enveloped('v1', 'ConfigMap', object)))),
  });
  const watching = watchRequest(target, {}, { resourceVersion: '5' });
  /** Returns a frame without its length. */
  const frameOf = (object: Uint8Array, kind = 'ConfigMap'): Uint8Array =>
    message(field(1, 'ADDED'), field(2, field(1, enveloped('v1', kind, object))));

  it('have a decoder for their frames, and switch to JSON at the first unknown field', async () => {
    const server = scripted([stream(), stream(), inJson({})]);
    const { readFrame, headers } = await server.rest.stream(watching);
    expect(headers['content-type']).toContain('stream=watch');
    expect(readFrame?.(frameOf(configMapBytes()))).toEqual({ type: 'ADDED', object: configMapJson() });
    expect(server.warnings).toEqual([]);
    expect(readFrame?.(frameOf(newer))).toBeUndefined();
    expect(() => readFrame?.(Buffer.of(0xff))).toThrow(/WatchEvent/);
    expect(server.warnings).toHaveLength(1);
    expect((await server.rest.stream(watching)).readFrame).toBeUndefined();
    expect(server.lines()).toEqual([
      `GET ${path}?resourceVersion=5&watch=true protobuf`,
      `GET ${path}?resourceVersion=5&watch=true json`,
    ]);
  });

  it('of an unexpected kind are requested as JSON the next time', async () => {
    const server = scripted([stream(), inJson({})]);
    const { readFrame } = await server.rest.stream(watching);
    expect(readFrame?.(frameOf(configMapBytes(), 'Surprise'))).toBeUndefined();
    await server.rest.stream(watching);
    expect(server.lines()[1]).toMatch(/ json$/);
  });

  it('are resumed in JSON', async () => {
    const event = { type: 'MODIFIED', object: newerJson };
    const lines = { ...inJson({}), body: Buffer.from(`${JSON.stringify(event)}\n`) };
    const server = scripted([stream(configMapBytes(), newer), lines]);
    const seen: unknown[] = [];
    for await (const { type, object } of clientOf(server).watch({ resourceVersion: '5' })) {
      seen.push([type, object]);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([
      ['ADDED', configMapJson()],
      ['MODIFIED', newerJson],
    ]);
  });

  it('in protobuf that was not requested cannot be decoded', async () => {
    const { rest } = scripted([stream()], { encoding: 'json' });
    expect((await rest.stream(watching)).readFrame).toBeUndefined();
  });
});

describe('a client', () => {
  it('reports once that the server is newer', async () => {
    const server = scripted([
      get,
      inProtobuf(newer),
      inProtobuf(newer),
      inJson(newerJson),
      inJson(newerJson),
    ]);
    const client = clientOf(server);
    await client.get('web');
    expect(server.warnings).toEqual([]);
    expect(await Promise.all([client.get('web'), client.get('web')])).toEqual([newerJson, newerJson]);
    expect(server.warnings).toEqual([
      {
        agent: '@kgen/runtime',
        text: expect.stringMatching(
          /^the server is newer than this program: v1 ConfigMap has the unknown field 99\b/,
        ),
      },
    ]);
    expect(server.rest.stats().protobuf).toMatchObject({ responses: 3, repeated: 2 });
  });

  it('sends an object as it was at the time of the call', async () => {
    const server = scripted([get, refused(415, 'UnsupportedMediaType', 'no'), get, get]);
    const client = clientOf(server);
    await client.get('web');
    const object = { metadata: { name: 'web' }, data: { a: 'before' } };
    const first = client.update(object);
    object.data.a = 'meanwhile';
    await first;
    const second = client.update(object);
    object.data.a = 'after';
    await second;
    expect(
      server.requests.slice(1).map((request) => /before|meanwhile|after/.exec(textOf(request))?.[0]),
    ).toEqual(['before', 'before', 'meanwhile']);
  });

  it('repeats the same bytes in a retry', async () => {
    const busy: ScriptedResponse = { ...refused(429, 'TooManyRequests', 'later'), retryAfter: '0' };
    const server = scripted([get, busy, get]);
    const client = clientOf(server);
    await client.get('web');
    await client.update({ metadata: { name: 'web' }, data: { a: 'b' } });
    const [, first, second] = server.requests;
    expect(first?.body).toBeInstanceOf(Uint8Array);
    expect(second?.body).toBe(first?.body);
  });

  it('is observed with one call for several attempts', async () => {
    const attempts: string[] = [];
    const see = (trace: unknown): void => {
      const { attempt, method, after, operation } = trace as AttemptTrace;
      attempts.push(`${attempt} ${method} ${operation.verb} after ${after}`);
    };
    subscribe(attemptChannel, see);
    try {
      await clientOf(scripted([inProtobuf(newer), inJson(newerJson)])).patch('web', {});
      await clientOf(scripted([refused(406, 'NotAcceptable', 'no'), inJson(newerJson)])).get('web');
    } finally {
      unsubscribe(attemptChannel, see);
    }
    expect(attempts).toEqual([
      '1 PATCH patch after undefined',
      '2 GET get after 200',
      '1 GET get after undefined',
      '2 GET get after 406',
    ]);
  });

  it('throws TypeError for unknown encodings', () => {
    const config = { server: 'http://unused' };
    // @ts-expect-error no such encoding
    expect(() => new RESTClient(config, { encoding: 'yaml' })).toThrow(
      /must be 'protobuf' or 'json', got yaml/,
    );
  });

  it('returns the written object if it cannot be fetched', async () => {
    const server = scripted([inProtobuf(newer), refused(403, 'Forbidden', 'no'), listInProtobuf()]);
    expect(await clientOf(server).create({ metadata: { name: 'web' } })).toEqual(configMapJson());
    expect(server.lines()[1]).toBe(`GET ${path}/web json`);
  });

  it('returns the written object if its name is not valid in a path', async () => {
    const server = scripted([inProtobuf(configMapBytes({ name: 'a/b', brandNew: 'x' }))]);
    expect(await clientOf(server).create({ metadata: { name: 'a' } })).toEqual(
      configMapJson({ name: 'a/b' }),
    );
    expect(server.requests).toHaveLength(1);
  });
});
