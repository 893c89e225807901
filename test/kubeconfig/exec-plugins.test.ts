import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, RESTClient } from '@kgen/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';

let dir = '';
let server: Server;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kgen-programs-'));
  server = createServer(({ headers: { authorization } }, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ authorization }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await rm(dir, { recursive: true });
});

/** Prints its variable as the token. */
const program = `
const { apiVersion } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { token: 'of-' + process.env.PROFILE } }));
`;

it('runs one exec plugin per profile of the users of a cluster', async () => {
  const user = (profile: string): object => ({
    name: profile,
    user: {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        interactiveMode: 'Never',
        command: process.execPath,
        args: ['-e', program],
        env: [{ name: 'PROFILE', value: profile }],
      },
    },
  });
  const { port } = server.address() as AddressInfo; // A server that listens on a port has an address of this form.
  const kubeconfig = join(dir, 'config');
  const cluster = { name: 'c', cluster: { server: `http://127.0.0.1:${port}` } };
  await writeFile(
    kubeconfig,
    JSON.stringify({ clusters: [cluster], users: [user('admin'), user('viewer')] }),
  );
  const seen: unknown[] = [];
  for (const name of ['admin', 'viewer']) {
    const rest = new RESTClient(await loadConfig({ kubeconfig, cluster: 'c', user: name }));
    seen.push(await rest.get('/'));
    await rest.close();
  }
  expect(seen).toEqual([{ authorization: 'Bearer of-admin' }, { authorization: 'Bearer of-viewer' }]);
});
