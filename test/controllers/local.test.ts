/** Managers as `kgen run` and `kgen dev` start them: beside others on the same machine. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../src/kgen/project/local/ports.ts';
import { world } from './support.ts';

afterEach(() => vi.unstubAllEnvs());

/** Returns a port that is in use until the test ends. */
async function takenPort(): Promise<number> {
  const port = await freePort();
  const server = createServer().listen(port);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return port;
}

it('listens on free ports in place of taken ones, and serves its records to the user of the machine', async () => {
  const port = await freePort();
  vi.stubEnv('KGEN_RECONCILES', `${port}`);
  const taken = await takenPort();
  const { manager, run } = await world({ metrics: { port: taken }, health: { port: taken } });
  void run();
  await expect.poll(() => manager.ports.metrics).toBeDefined();
  expect([manager.ports.metrics, manager.ports.health]).not.toContain(taken);
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
  expect((await get('/debug/reconciles')).status).toBe(200);
  expect((await get('/metrics')).status).toBe(404);
});

it('serves its recording to the command that has started it, with the token only', async () => {
  const port = await freePort();
  vi.stubEnv('KGEN_RECONCILES', `${port}`);
  vi.stubEnv('KGEN_RECORDING_TOKEN', 'secret');
  const { manager, run } = await world({ metrics: { port: 0 } });
  void run();
  await expect.poll(() => manager.ports.metrics).toBeDefined();
  const get = (query: string, token: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/debug/recording${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await get('', 'other')).status).toBe(401);
  const first = await get('', 'secret');
  expect(await first.text()).toMatch(/^\{"type":"kgen recording","version":1,.*"reason":"live"/);
  const tag = first.headers.get('etag') ?? '';
  expect(tag).not.toBe('');
  const after = `?after=${encodeURIComponent(tag)}`;
  const next = await get(after, 'secret');
  expect(next.status).toBe(200);
  expect(await next.text()).toMatch(
    /^\{"type":"kgen recording increment",.*\n(?:.*\n)*\{"type":"state",.*\}\n$/,
  );
});

it('does not serve a recording with values of Secrets', async () => {
  const port = await freePort();
  vi.stubEnv('KGEN_RECONCILES', `${port}`);
  vi.stubEnv('KGEN_RECORDING_TOKEN', 'secret');
  const { manager, run } = await world({ metrics: { port: 0 }, recorder: { includeSecrets: true } });
  void run();
  await expect.poll(() => manager.ports.metrics).toBeDefined();
  const headers = { authorization: 'Bearer secret' };
  const response = await fetch(`http://127.0.0.1:${port}/debug/recording`, { headers });
  expect(response.status).toBe(403);
  expect(await response.text()).toContain('remove the option recorder.includeSecrets');
});

it('has no recording without a token', async () => {
  const port = await freePort();
  vi.stubEnv('KGEN_RECONCILES', `${port}`);
  const { manager, run } = await world({ metrics: { port: 0 } });
  void run();
  await expect.poll(() => manager.ports.metrics).toBeDefined();
  expect((await fetch(`http://127.0.0.1:${port}/debug/recording`)).status).toBe(404);
});

it('fails for a taken port as a process of its own', async () => {
  const taken = await takenPort();
  const { run } = await world({ metrics: { port: taken } });
  await expect(run()).rejects.toThrow(`endpoint metrics cannot listen on :${taken}`);
});

it('chooses the stated port of webhooks if it is free', async () => {
  const port = await freePort();
  expect(await freePort(port)).toBe(port);
  const taken = await takenPort();
  expect(await freePort(taken)).not.toBe(taken);
});
