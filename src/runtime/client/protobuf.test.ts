import { describe, expect, it } from 'vitest';
import type { KubernetesList, KubernetesObject } from '../api/meta.ts';
import type { RESTClientOptions } from '../rest/client-options.ts';
import type { RESTClientStats } from '../rest/observe/stats.ts';
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

interface ConfigMap extends KubernetesObject {
  data?: Record<string, string>;
  brandNew?: string;
}

class ConfigMaps extends ObjectClient<ConfigMap, KubernetesList<ConfigMap>> {}

function clientOf({ rest }: TestClient, resource = configMaps().resource): ConfigMaps {
  return new ConfigMaps(rest, { resource, namespace: 'shop' });
}

const path = '/api/v1/namespaces/shop/configmaps';
const get = inProtobuf(configMapBytes());
const newer = configMapBytes({ brandNew: 'x' });
const newerJson = configMapJson({ brandNew: 'x' });
const web = { metadata: { name: 'web' }, data: { a: 'b' } };
const stored = configMapJson();
const statusOf = (status: number, reason: string): ScriptedResponse => refused(status, reason, 'no');

interface Case {
  readonly responses: readonly ScriptedResponse[];
  readonly does: (client: ConfigMaps) => Promise<unknown>;
  /** Result of the last call. */
  readonly gives?: unknown;
  readonly sent: readonly string[];
  readonly options?: RESTClientOptions;
  readonly stats?: Partial<NonNullable<RESTClientStats['protobuf']>>;
}

async function inTurn(...calls: readonly (() => Promise<unknown>)[]): Promise<unknown> {
  let value: unknown;
  for (const call of calls) value = await call();
  return value;
}

const twice = (call: () => Promise<unknown>): Promise<unknown> => inTurn(call, call);

const cases: Readonly<Record<string, Case>> = {
  'an object in protobuf': {
    responses: [get],
    does: (c) => c.get('web'),
    gives: stored,
    sent: [`GET ${path}/web protobuf`],
    stats: { responses: 1, repeated: 0, newer: [] },
  },
  'a list in protobuf, whose items have apiVersion and kind': {
    responses: [listInProtobuf(configMapBytes(), configMapBytes({ name: 'api', data: { a: 'b' } }))],
    does: async (c) => (await c.list()).items,
    gives: [stored, configMapJson({ name: 'api', data: { a: 'b' } })],
    sent: [`GET ${path} protobuf`],
  },
  'a server with JSON responses': {
    responses: [inJson(stored), inJson(stored)],
    does: (c) =>
      inTurn(
        () => c.get('web'),
        () => c.update(web),
      ),
    gives: stored,
    sent: [`GET ${path}/web protobuf`, `PUT ${path}/web protobuf < json`],
    stats: { responses: 0, bodies: 0, repeated: 0 },
  },
  'a media type with parameters, in upper case': {
    responses: [
      inProtobuf(configMapBytes(), 'ConfigMap', { type: 'Application/Vnd.Kubernetes.Protobuf ; Q="1"' }),
    ],
    does: (c) => c.get('web'),
    gives: stored,
    sent: [`GET ${path}/web protobuf`],
  },
  'bodies are protobuf after an object of the resource in protobuf': {
    responses: [inProtobuf(configMapBytes(), 'ConfigMap', { status: 201 }), get, get],
    does: (c) =>
      inTurn(
        () => c.create(web),
        () => c.create(web),
        () => c.update(web),
      ),
    gives: stored,
    sent: [
      `POST ${path} protobuf < json`,
      `POST ${path} protobuf < protobuf`,
      `PUT ${path}/web protobuf < protobuf`,
    ],
    stats: { responses: 3, bodies: 2 },
  },
  'a Status does not enable protobuf bodies': {
    responses: [inProtobuf(Buffer.alloc(0), 'Status'), get],
    does: (c) =>
      inTurn(
        () => c.delete('web'),
        () => c.update(web),
      ),
    sent: [`DELETE ${path}/web protobuf`, `PUT ${path}/web protobuf < json`],
  },
  'patch and apply are JSON, with protobuf responses': {
    responses: [get, get, get],
    does: (c) =>
      inTurn(
        () => c.get('web'),
        () => c.patch('web', { data: { a: 'b' } }),
        () => c.apply(web, { fieldManager: 'me' }),
      ),
    gives: stored,
    sent: [
      `GET ${path}/web protobuf`,
      `PATCH ${path}/web protobuf < strategic-merge-patch+json`,
      `PATCH ${path}/web?fieldManager=me&force=false protobuf < apply-patch+yaml`,
    ],
  },
  'options of a deletion': {
    responses: [get, get],
    does: (c) =>
      inTurn(
        () => c.get('web'),
        () => c.delete('web', { propagationPolicy: 'Orphan' }),
      ),
    gives: stored,
    sent: [`GET ${path}/web protobuf`, `DELETE ${path}/web protobuf < protobuf`],
  },
  'fieldValidation requires JSON bodies': {
    responses: [get, get, get],
    does: (c) =>
      inTurn(
        () => c.get('web'),
        () => c.update(web, { fieldValidation: 'Strict' }),
        () => c.update(web, { fieldValidation: 'Ignore' }),
      ),
    sent: [
      `GET ${path}/web protobuf`,
      `PUT ${path}/web?fieldValidation=Strict protobuf < json`,
      `PUT ${path}/web?fieldValidation=Ignore protobuf < protobuf`,
    ],
  },
  'a member that protobuf cannot encode is sent as JSON': {
    responses: [get, get],
    does: (c) =>
      inTurn(
        () => c.get('web'),
        () => c.update({ ...web, brandNew: 'x' }),
      ),
    sent: [`GET ${path}/web protobuf`, `PUT ${path}/web protobuf < json`],
    stats: { bodies: 0, repeated: 0 },
  },
  '406 switches to JSON permanently': {
    responses: [statusOf(406, 'NotAcceptable'), inJson(stored), inJson(stored)],
    does: (c) => twice(() => c.get('web')),
    gives: stored,
    sent: [`GET ${path}/web protobuf`, `GET ${path}/web json`, `GET ${path}/web json`],
    stats: { responses: 0, repeated: 1 },
  },
  '415 switches to JSON bodies permanently': {
    responses: [get, statusOf(415, 'UnsupportedMediaType'), get, get],
    does: (c) =>
      inTurn(
        () => c.get('web'),
        () => c.update(web),
        () => c.update(web),
      ),
    gives: stored,
    sent: [
      `GET ${path}/web protobuf`,
      `PUT ${path}/web protobuf < protobuf`,
      `PUT ${path}/web protobuf < json`,
      `PUT ${path}/web protobuf < json`,
    ],
    stats: { responses: 3, bodies: 0, repeated: 1 },
  },
  '400 for the first protobuf body is retried as JSON': {
    responses: [get, inJson({ kind: 'Oops' }, 400), get, get],
    does: (c) =>
      inTurn(
        () => c.get('web'),
        () => c.update(web),
        () => c.update(web),
      ),
    gives: stored,
    sent: [
      `GET ${path}/web protobuf`,
      `PUT ${path}/web protobuf < protobuf`,
      `PUT ${path}/web protobuf < json`,
      `PUT ${path}/web protobuf < json`,
    ],
  },
  'an unknown field in an object': {
    responses: [inProtobuf(newer), inJson(newerJson), inJson(newerJson), inJson(newerJson)],
    does: (c) =>
      inTurn(
        () => c.get('web'),
        () => c.get('web'),
        () => c.update(web),
      ),
    gives: newerJson,
    sent: [
      `GET ${path}/web protobuf`,
      `GET ${path}/web json`,
      `GET ${path}/web json`,
      `PUT ${path}/web json < json`,
    ],
    stats: { repeated: 1, newer: [{ apiVersion: 'v1', kind: 'ConfigMap', field: '99' }] },
  },
  'an unknown field in a list': {
    responses: [
      listInProtobuf(configMapBytes(), newer),
      inJson({ kind: 'ConfigMapList', metadata: {}, items: [newerJson] }),
    ],
    does: async (c) => (await c.list({ limit: 5, continue: 'abc' })).items,
    gives: [newerJson],
    sent: [`GET ${path}?continue=abc&limit=5 protobuf`, `GET ${path}?continue=abc&limit=5 json`],
    stats: { repeated: 1, newer: [{ apiVersion: 'v1', kind: 'ConfigMap', field: '99 in items[1]' }] },
  },
  'an unknown field in a created object': {
    responses: [inProtobuf(newer), inJson(newerJson)],
    does: (c) => c.create(web),
    gives: newerJson,
    sent: [`POST ${path} protobuf < json`, `GET ${path}/web json`],
  },
  'the patched object was deleted meanwhile': {
    responses: [inProtobuf(newer), statusOf(404, 'NotFound')],
    does: (c) => c.patch('web', {}),
    gives: stored,
    sent: [`PATCH ${path}/web protobuf < strategic-merge-patch+json`, `GET ${path}/web json`],
  },
  'the updated object was replaced meanwhile': {
    responses: [inProtobuf(newer), inJson(configMapJson({ uid: 'u2' }))],
    does: (c) => c.update(web),
    gives: stored,
    sent: [`PUT ${path}/web protobuf < json`, `GET ${path}/web json`],
  },
  'a dry run is repeated, as there is not an object to fetch': {
    responses: [inProtobuf(newer), inJson(newerJson)],
    does: (c) => c.create(web, { dryRun: 'All' }),
    gives: newerJson,
    sent: [`POST ${path}?dryRun=All protobuf < json`, `POST ${path}?dryRun=All json < json`],
  },
  'a dry run of a deletion': {
    responses: [inProtobuf(newer), inJson(newerJson)],
    does: (c) => c.delete('web', { dryRun: 'All' }),
    gives: newerJson,
    sent: [`DELETE ${path}/web protobuf < json`, `DELETE ${path}/web json < json`],
  },
  'a list of deleted objects': {
    responses: [listInProtobuf(newer)],
    does: async (c) => ((await c.deleteCollection()) as KubernetesList<unknown>).items,
    gives: [stored],
    sent: [`DELETE ${path} protobuf`],
  },
  'a kind that was not requested': {
    responses: [inProtobuf(configMapBytes(), 'Surprise'), inJson(stored), inJson(stored)],
    does: (c) => twice(() => c.get('web')),
    gives: stored,
    sent: [`GET ${path}/web protobuf`, `GET ${path}/web json`, `GET ${path}/web json`],
    stats: { newer: [] },
  },
  'headers of the caller': {
    responses: [inJson(stored), inJson(stored)],
    does: (c) =>
      inTurn(
        () => c.get('web', { headers: { Accept: 'application/json' } }),
        () => c.update(web, { headers: { 'Content-Type': 'application/json' } }),
      ),
    gives: stored,
    sent: [`GET ${path}/web json`, `PUT ${path}/web json < json`],
  },
  'encoding json': {
    responses: [inJson(stored), inJson(stored)],
    does: (c) =>
      inTurn(
        () => c.get('web'),
        () => c.update(web),
      ),
    gives: stored,
    options: { encoding: 'json' },
    sent: [`GET ${path}/web json`, `PUT ${path}/web json < json`],
  },
};

describe('protobuf', () => {
  it.each(Object.entries(cases))('%s', async (_, { responses, does, gives, sent, options, stats }) => {
    const server = scripted(responses, options);
    const value = await does(clientOf(server));
    if (gives !== undefined) expect(value).toEqual(gives);
    expect(server.lines()).toEqual(sent);
    if (stats !== undefined) expect(server.rest.stats().protobuf).toMatchObject(stats);
  });
});
