import { expect, it } from 'vitest';
import { enveloped, field, listBytes, metadataBytes } from '../../../test/support/runtime/protobuf-bytes.ts';
import {
  configMapBytes,
  configMapJson,
  configMaps,
  inJson,
  inProtobuf,
  type ScriptedResponse,
  scripted,
} from '../client/protobuf.fixture.ts';
import { DynamicClient } from './dynamic-client.ts';
import { MetadataClient } from './metadata/metadata-client.ts';

const custom = { group: 'my.domain', version: 'v1', resource: 'myapps' };
const path = '/apis/my.domain/v1/namespaces/shop/myapps';
const metadata = { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '7' };
const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
const bytes = field(1, metadataBytes(metadata));

function ofMeta(kind: string, object: Uint8Array): ScriptedResponse {
  return { ...inProtobuf(object), body: enveloped('meta.k8s.io/v1', kind, object) };
}

it('requests metadata in protobuf, also of custom resources', async () => {
  const { rest, lines } = scripted([
    ofMeta('PartialObjectMetadata', bytes),
    ofMeta('PartialObjectMetadataList', listBytes('9', [bytes])),
    ofMeta('PartialObjectMetadata', bytes),
    ofMeta('PartialObjectMetadata', bytes),
  ]);
  const client = new MetadataClient(rest).resource(custom).namespace('shop');
  expect(await client.get('web')).toEqual(partial);
  expect((await client.list()).items).toEqual([partial]);
  expect(await client.patch('web', {}, { type: 'merge' })).toEqual(partial);
  expect(await client.delete('web', { gracePeriodSeconds: 0 })).toEqual(partial);
  expect(lines()).toEqual([
    `GET ${path}/web protobuf`,
    `GET ${path} protobuf`,
    `PATCH ${path}/web protobuf < merge-patch+json`,
    `DELETE ${path}/web protobuf < protobuf`,
  ]);
});

it('reads JSON metadata of a server that returns whole objects', async () => {
  const wholes = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: [configMapJson()] };
  const { rest, lines, warnings } = scripted([
    inProtobuf(listBytes('9', [configMapBytes()]), 'ConfigMapList'),
    inJson(wholes),
    inJson(configMapJson()),
    ofMeta('PartialObjectMetadata', bytes),
    inProtobuf(configMapBytes()),
  ]);
  const client = new MetadataClient(rest);
  const configs = client.resource(configMaps().resource).namespace('shop');
  expect((await configs.list()).items).toEqual([partial]);
  expect(await configs.get('web')).toEqual(partial);
  // Other resources are not affected.
  expect(await client.resource(custom).namespace('shop').get('web')).toEqual(partial);
  // Whole objects are not affected.
  await new DynamicClient(rest).resource(configMaps().resource).namespace('shop').get('web');
  const forms = lines().map((line) => line.split(' ').at(-1));
  expect(forms).toEqual(['protobuf', 'json', 'json', 'protobuf', 'protobuf']);
  expect(warnings).toEqual([]);
});

it('requests metadata of writes in JSON until the server is known to support protobuf', async () => {
  const { rest, lines } = scripted([
    inJson(configMapJson()),
    inJson(configMapJson()),
    inJson(configMapJson()),
  ]);
  const configs = new MetadataClient(rest).resource(configMaps().resource).namespace('shop');
  expect(await configs.patch('web', {}, { type: 'merge' })).toEqual(partial);
  expect(await configs.delete('web')).toEqual(partial);
  // A dry run may be repeated.
  await configs.delete('web', { dryRun: 'All' });
  expect(lines().map((line) => line.split(' ')[2])).toEqual(['json', 'json', 'protobuf']);
});

it('requests unknown object types in protobuf if the descriptor has codecs', async () => {
  const { rest, lines } = scripted([inProtobuf(configMapBytes()), inJson(configMapJson())]);
  const client = new DynamicClient(rest);
  const { resource } = configMaps();
  await client.resource(resource).namespace('shop').get('web');
  await client.resource({ group: '', version: 'v1', resource: 'configmaps' }).namespace('shop').get('web');
  expect(lines().map((line) => line.split(' ').at(-1))).toEqual(['protobuf', 'json']);
});
