/** Clients with external credentials, against a server that accepts some of them. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  type AuthConfig,
  type ClusterConfig,
  type ExecConfig,
  isUnauthorized,
  RESTClient,
} from '@kgen/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startIssuer } from '../support/oidc-issuer.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kgen-auth-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Seen {
  readonly method: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

async function seen(request: IncomingMessage): Promise<Seen> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, headers } = request;
  return { method, authorization: headers.authorization, body: Buffer.concat(chunks).toString() };
}

/** Starts a server that responds with 401 to credentials that it does not accept. */
async function serve(knows: (authorization: string | undefined) => boolean) {
  const requests: Seen[] = [];
  const server = createServer(async (request, response) => {
    const one = await seen(request);
    requests.push(one);
    const status = knows(one.authorization) ? 200 : 401;
    const refusal = {
      kind: 'Status',
      status: 'Failure',
      code: 401,
      reason: 'Unauthorized',
      message: 'who is it?',
    };
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(status === 200 ? { ok: true } : refusal));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

interface Plugin {
  readonly exec: ExecConfig;
  /** Number of runs so far. */
  readonly runs: () => Promise<number>;
  /** Process id of its last run. */
  readonly pid: () => Promise<number>;
}

/** Creates a plugin that runs a script, in which `run` is the number of its runs. */
async function plugin(script: string): Promise<Plugin> {
  const path = join(folder, `${randomUUID()}.mjs`);
  await writeFile(
    path,
    `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
writeFileSync(import.meta.filename + '.pid', String(process.pid));
appendFileSync(import.meta.filename + '.runs', 'x');
const run = readFileSync(import.meta.filename + '.runs', 'utf8').length;
const answer = (status) => console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status }));
${script}`,
  );
  return {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: [path],
      interactiveMode: 'Never',
    },
    runs: async () => (await readFile(`${path}.runs`, 'utf8').catch(() => '')).length,
    pid: async () => Number(await readFile(`${path}.pid`, 'utf8')),
  };
}

function clientOf(server: string, auth: AuthConfig, more: Partial<ClusterConfig> = {}): RESTClient {
  const client = new RESTClient({ server, auth, ...more });
  cleanups.push(() => client.close());
  return client;
}

describe('a client with an exec plugin', () => {
  it('runs it once for many calls, and again after a 401', async () => {
    const state = { token: 'Bearer run-1' };
    const { url, requests } = await serve((authorization) => authorization === state.token);
    const { exec, runs } = await plugin(`answer({ token: 'run-' + run });`);
    const client = clientOf(url, { exec });
    await Promise.all(Array.from({ length: 20 }, () => client.get('/x')));
    expect(await runs()).toBe(1);
    state.token = 'Bearer run-2';
    requests.length = 0;
    await Promise.all(Array.from({ length: 20 }, (_, n) => client.post('/x', { body: { n } })));
    expect(await runs()).toBe(2);
    const done = requests.filter(({ authorization }) => authorization === 'Bearer run-2');
    expect(done.map(({ body }) => body).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => JSON.stringify({ n })).sort(),
    );
  });

  it('runs it once more for any number of rejected calls', async () => {
    const known = new Set(['Bearer run-1']);
    const { url, requests } = await serve((authorization) => known.has(authorization ?? ''));
    const go = join(folder, randomUUID());
    const { exec, runs } = await plugin(`
      import { existsSync } from 'node:fs';
      const tell = () => existsSync(${JSON.stringify(go)}) ? answer({ token: 'run-' + run }) : setTimeout(tell, 10);
      if (run === 1) answer({ token: 'run-1' }); else tell();
    `);
    const client = clientOf(url, { exec });
    await client.get('/x');
    known.clear();
    known.add('Bearer run-2');
    requests.length = 0;
    const controller = new AbortController();
    const gone = client.get('/gone', { signal: controller.signal }).catch((reason: unknown) => reason);
    const calls = Array.from({ length: 100 }, (_, n) => client.put('/x', { body: { n } }));
    await expect.poll(runs).toBe(2);
    controller.abort('enough');
    expect(await gone).toBe('enough');
    await writeFile(go, '');
    expect(await Promise.all(calls)).toHaveLength(100);
    expect(await runs()).toBe(2);
    const done = requests.filter(
      ({ method, authorization }) => method === 'PUT' && known.has(authorization ?? ''),
    );
    expect(new Set(done.map(({ body }) => body)).size).toBe(100);
    expect(done).toHaveLength(100);
  });

  it('rejects with the 401 of the server for an unknown credential', async () => {
    const { url, requests } = await serve(() => false);
    const { exec, runs } = await plugin(`answer({ token: 'sesame-' + run });`);
    const error: unknown = await clientOf(url, { exec })
      .get('/x')
      .catch((reason: unknown) => reason);
    expect(isUnauthorized(error)).toBe(true);
    expect(requests.map(({ authorization }) => authorization)).toEqual([
      'Bearer sesame-1',
      'Bearer sesame-2',
    ]);
    expect(await runs()).toBe(2);
    expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain('sesame');
  });

  it('sends nothing if the plugin fails', async () => {
    const { url, requests } = await serve(() => true);
    const { exec } = await plugin(`process.exit(1);`);
    const client = clientOf(url, { exec });
    await expect(client.post('/x', { body: {} })).rejects.toMatchObject({ name: 'ConfigError' });
    expect(requests).toEqual([]);
  });

  it('terminates a plugin that hangs when the client closes', async () => {
    const { url, requests } = await serve(() => true);
    const { exec, runs, pid } = await plugin(`setInterval(() => {}, 1000);`);
    cleanups.push(async () => process.kill(await pid(), 'SIGKILL'));
    const client = clientOf(url, { exec });
    const want = { name: 'TransportError', code: 'CLIENT_CLOSED' };
    const calls = [client.get('/x'), client.post('/x', { body: {}, timeoutMs: 60_000 })].map((call) =>
      expect(call).rejects.toMatchObject(want),
    );
    await expect.poll(runs, { timeout: 10_000 }).toBe(1);
    await client.close();
    await Promise.all(calls);
    await expect(client.get('/x')).rejects.toMatchObject(want);
    expect(requests).toEqual([]);
  });

  it('terminates a plugin that hangs when the call aborts, and leaves nothing open', async () => {
    const { url } = await serve(() => true);
    const { exec, runs, pid } = await plugin(`setInterval(() => {}, 1000);`);
    cleanups.push(async () => process.kill(await pid(), 'SIGKILL'));
    const client = clientOf(url, { exec });
    await expect(client.get('/x', { timeoutMs: 500 })).rejects.toMatchObject({
      name: 'TimeoutError',
      message: `get /x: timed out after 500 ms: waiting for the exec plugin "${process.execPath}"`,
    });
    await expect.poll(runs, { timeout: 10_000 }).toBe(1);
    const controller = new AbortController();
    const call = client.stream({
      method: 'GET',
      path: '/x',
      query: [],
      headers: {},
      operation: { verb: 'watch', resource: 'pods' },
      signal: controller.signal,
    });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await client.close();
    expect(process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap')).toEqual([]);
  });
});

describe('a client with OIDC tokens', () => {
  it('refreshes them after their expiry and after a 401', async () => {
    const issuer = await startIssuer();
    cleanups.push(() => issuer.close());
    const state = { refused: '' };
    const { url, requests } = await serve((authorization) => authorization !== state.refused);
    const client = clientOf(url, {
      oidc: {
        issuerUrl: issuer.url,
        clientId: issuer.clientId,
        idToken: issuer.idToken({ exp: 1 }),
        refreshToken: issuer.refreshToken(),
        ca: issuer.ca,
      },
    });
    await client.get('/x');
    state.refused = requests[0]?.authorization ?? '';
    expect(state.refused).toMatch(/^Bearer ey/);
    await Promise.all([client.get('/x'), client.post('/x', { body: {} })]);
    expect(issuer.requested.filter(({ endpoint }) => endpoint === 'token')).toHaveLength(2);
  });
});

it('inspects clients without their credentials', async () => {
  const { exec } = await plugin(`answer({ token: 'sesame' });`);
  const { url } = await serve(() => true);
  const client = clientOf(url, { exec: { ...exec, env: [{ name: 'A', value: 'sesame' }] } });
  await client.get('/x');
  const printed = inspect(client, { depth: 9 }) + JSON.stringify(client);
  expect(printed).not.toContain('sesame');
});
