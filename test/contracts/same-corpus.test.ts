/** Definitions of other projects: a server that has them breaks no client of them. */
import { RESTClient } from '@kgen/runtime';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { type Drift, driftsOf, type KnownResource } from 'kgen/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readServedApi } from '../../src/testing/contract-tests/served.ts';
import { clientsOf, descriptorOf } from '../support/clients.ts';

const corpus = `${process.env['KGEN_CORPUS']}/crds`;
let server: TestServer;
let clients: readonly KnownResource[];

beforeAll(async () => {
  server = await startTestServer({ crds: [corpus], controllers: false });
  clients = await clientsOf([corpus]);
});
afterAll(() => server.stop());

test.each([
  ['definitions', {}],
  ['published schemas', { impersonate: { user: 'reader' } }],
])('have no drifts from their own %s', async (_, user) => {
  const rest = new RESTClient({ ...server.config, ...user }, { onWarning: () => undefined });
  const api = await readServedApi(rest, clients.map(descriptorOf));
  await rest.close();
  expect(clients.length).toBeGreaterThan(40);
  expect(api.resources.filter(({ schema }) => schema !== undefined).length).toBe(clients.length);
  const drifts: readonly Drift[] = clients.flatMap((client) => driftsOf(client, api));
  expect(drifts.filter(({ kind }) => kind !== 'deprecated')).toEqual([]);
});
