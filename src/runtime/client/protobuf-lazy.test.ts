import { expect, it, vi } from 'vitest';
import { ObjectClient } from './object-client.ts';
import {
  configMapBytes,
  configMapJson,
  configMaps,
  inJson,
  inProtobuf,
  scripted,
} from './protobuf.fixture.ts';

/** Names of the loaded modules. */
const loaded = vi.hoisted((): string[] => []);

vi.mock('../rest/protobuf/negotiator.ts', (original) => {
  loaded.push('negotiator');
  return original();
});
vi.mock('../rest/protobuf/bodies.ts', (original) => {
  loaded.push('protobuf-bodies');
  return original();
});

const object = configMapJson();
const web = { metadata: { name: 'web' } };
const { resource, loads } = configMaps();

it('loads no protobuf code for a client with JSON encoding', async () => {
  const { rest, lines } = scripted([inJson(object), inJson(object)], { encoding: 'json' });
  const client = new ObjectClient(rest, { resource, namespace: 'shop' });
  await client.get('web');
  await client.update(web);
  expect(lines().filter((line) => line.includes('protobuf'))).toEqual([]);
  expect([rest.stats().protobuf, loads(), ...loaded]).toEqual([undefined, 0]);
});

it('loads no protobuf code for paths, and for resources without codecs', async () => {
  const { protobuf: _, ...custom } = resource;
  const { rest, lines } = scripted([inJson(object), inJson(object)]);
  await rest.get('/version');
  await new ObjectClient(rest, { resource: custom, namespace: 'shop' }).get('web');
  expect(lines().filter((line) => line.includes('protobuf'))).toEqual([]);
  expect([rest.stats().protobuf, loads(), ...loaded]).toEqual([undefined, 0]);
});

it('loads no codecs before the first response', async () => {
  const { rest } = scripted([inJson(object), inProtobuf(configMapBytes())]);
  const client = new ObjectClient(rest, { resource, namespace: 'shop' });
  await client.get('web');
  expect([loads(), ...loaded]).toEqual([0, 'negotiator']);
  await client.get('web');
  expect([loads(), ...loaded]).toEqual([1, 'negotiator', 'protobuf-bodies']);
});
