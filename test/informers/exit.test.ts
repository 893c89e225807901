/** A program with informers exits by itself once they are stopped: no remaining handle keeps it running. */
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';

let server: TestServer;
beforeAll(async () => {
  const crd = new URL('../../crds/myapp.yaml', import.meta.url);
  server = await startTestServer({ crds: [crd], namespaces: ['shop'] });
});
afterAll(() => server.stop());

const program = `
import { InformerFactory } from '@kgen/runtime';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
const client = new DynamicClient(await parseKubeconfig(process.env.KUBECONFIG_TEXT));
const apps = client.resource({ group: 'my.domain', version: 'v1', resource: 'myapps' }).namespace('shop');
const name = 'app-' + process.pid;
await apps.create({ apiVersion: 'my.domain/v1', kind: 'MyApp', metadata: { name }, spec: { appName: name, version: '1' } });
const informers = new InformerFactory(client, { namespace: 'shop' });
const informer = informers.of({ group: 'my.domain', version: 'v1', resource: 'myapps' });
const missing = informers.of({ group: 'my.domain', version: 'v1', resource: 'missings' });
informers.on('error', () => undefined);
const added = [];
const registration = informer.handle({ add: ({ metadata }) => void added.push(metadata.name) }, { resyncMs: 60_000 });
informer.handle({ add: () => new Promise(() => undefined) });
const controller = new AbortController();
await informers.start({ signal: controller.signal });
await registration.synced;
`;

test.each([
  ['stop()', 'await informers.stop();'],
  ['its signal', 'controller.abort();'],
  ['stop(), start() and stop()', 'await informers.stop(); await informers.start(); await informers.stop();'],
  ['closing the client', 'await client.close();'],
])('exits after %s', async (_, end) => {
  const code = `${program}${end}\nconsole.log(added.includes(name), informer.lister.get('shop', name)?.spec.version);`;
  const env = { KUBECONFIG_TEXT: server.kubeconfig };
  expect(await runProgram(code, { env })).toEqual({ stdout: 'true 1\n', stderr: '' });
});
