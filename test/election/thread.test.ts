/** Elections in a worker thread, against an HTTP server with one lease. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { type ClusterConfig, isForbidden } from '@kgen/runtime';
import { LeaderElector, type LeaderElectorOptions, runElectionWorker } from '@kgen/runtime/election';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { LeaseServer } from '../../src/runtime/control/election/lease-server.fixture.ts';
import { bundleSources, type SourceBundle } from '../support/source-bundle.ts';

const names = { name: 'operator', namespace: 'shop', identity: 'me' };
/** Longer than a test: none of them is about a lease that expires. */
const limits = { leaseDurationMs: 120_000, renewDeadlineMs: 90_000 };

let bundle: SourceBundle;
beforeAll(async () => {
  bundle = await bundleSources({ election: 'src/runtime/exports/election.ts' });
});
afterAll(() => bundle.remove());

/** Starts an HTTP server in front of a lease. */
async function serve(leases: LeaseServer): Promise<ClusterConfig> {
  const server = createServer((request, response) => void respond(leases, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address with one.
  return { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function respond(
  leases: LeaseServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request);
  const { client } = leases;
  const options = { body: body === '' ? undefined : JSON.parse(body) };
  const send = (status: number, content: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  };
  try {
    const path = request.url ?? '';
    if (request.method === 'GET') send(200, await client.get(path));
    else if (request.method === 'POST') send(201, await client.post(path, options));
    else send(200, await client.put(path, options));
  } catch (error) {
    const { code = 500, reason = '' } = Object(error);
    send(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason });
  }
}

/** Starts an election. */
function start(config: ClusterConfig, options: Partial<LeaderElectorOptions> = {}) {
  const elector = new LeaderElector(config, {
    ...names,
    ...limits,
    workerFile: pathToFileURL(join(bundle.folder, 'election-worker.js')),
    ...options,
  });
  const errors: unknown[] = [];
  elector.on('error', (error) => errors.push(error));
  const [stop, cut] = [new AbortController(), new AbortController()];
  const ended = elector.run({ signal: stop.signal, releaseSignal: cut.signal });
  ended.catch(() => undefined);
  onTestFinished(() => stop.abort());
  return { elector, errors, stop, cut, ended };
}

test('leads, renews and releases the lease in a worker thread', async () => {
  const leases = new LeaseServer();
  const { elector, stop, ended } = start(await serve(leases), { retryPeriodMs: 50, thread: true });
  await elector.leading;
  elector.fence.check();
  expect(elector.stats()).toMatchObject({ isLeader: true, isThread: true });
  await vi.waitFor(() => expect(elector.stats().renewals).toBeGreaterThan(2), { timeout: 10_000 });
  expect(elector.leader).toBe('me');
  const { signal } = elector.fence;
  stop.abort();
  expect(signal.reason).toMatchObject({ name: 'LeadershipLostError', reason: 'stopped' });
  await ended;
  expect(leases.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
});

test('ends at once while the thread waits for the release', async () => {
  const leases = new LeaseServer();
  const { elector, stop, cut, ended } = start(await serve(leases), {
    renewDeadlineMs: 600_000,
    thread: true,
    leaseDurationMs: 900_000,
  });
  await elector.leading;
  const releasing = new Promise<void>((resolve) => {
    leases.onRequest = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
  stop.abort();
  await releasing;
  cut.abort();
  await expect(ended).resolves.toBeUndefined();
  expect(leases.spec?.holderIdentity).toBe('me');
});

test('reports failed requests of the thread with their class', async () => {
  const leases = new LeaseServer();
  leases.onRequest = () => {
    throw { code: 403, reason: 'Forbidden' };
  };
  const { elector, errors, stop, ended } = start(await serve(leases));
  await vi.waitFor(() => expect(errors).not.toEqual([]), { timeout: 10_000 });
  expect(isForbidden(errors[0])).toBe(true);
  expect(elector.isLeader).toBe(false);
  stop.abort();
  await ended;
});

/** Returns the URL of a module with this code. */
const moduleOf = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

test.each([
  { how: 'exits', code: 'process.exit(3)' },
  { how: 'throws', code: 'throw new Error("mistake")' },
  { how: 'ends without an election', code: '' },
])('loses leadership if the thread $how', async ({ code }) => {
  const lead = `import { parentPort } from 'node:worker_threads';
    parentPort.postMessage({ type: 'leading', transitions: 0 });`;
  const { elector, errors, ended } = start(
    { server: 'http://stub' },
    { workerFile: moduleOf(`${lead} ${code}`) },
  );
  await expect(ended).rejects.toMatchObject({ name: 'LeadershipLostError', reason: 'threadFailed' });
  expect(elector.fence.signal.aborted).toBe(true);
  expect(() => elector.fence.check()).toThrow('the thread that renews it has failed');
  expect(errors).toHaveLength(1);
});

test('runs on the main thread, with a warning, if the build lacks the program of the worker', async () => {
  const leases = new LeaseServer();
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  // The sources do not contain the compiled worker.
  const { LeaderElector: Source } = await import('../../src/runtime/exports/election.ts');
  const elector = new Source(await serve(leases), { ...names, ...limits });
  const errors: unknown[] = [];
  elector.on('error', (error) => errors.push(error));
  const stop = new AbortController();
  const ended = elector.run({ signal: stop.signal });
  await elector.leading;
  expect(elector.stats()).toMatchObject({ isThread: false, isLeader: true, failures: 0 });
  expect(errors).toEqual([]);
  const [text, name] = warn.mock.calls[0] ?? [];
  expect(name).toBe('ElectionWarning');
  expect(text).toMatch(/^leader election: the lease is renewed on the main thread, where /);
  stop.abort();
  await ended;
  expect(leases.spec?.holderIdentity).toBe('');
});

test.each([
  { what: 'tokens of an issuer', auth: { oidc: { issuerUrl: 'https://issuer', clientId: 'kgen' } } },
  {
    what: 'a plugin that prompts',
    auth: {
      exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'login', interactiveMode: 'Always' },
    },
  },
] as const)('requires the main thread for $what', ({ auth }) => {
  const create = (): unknown =>
    new LeaderElector({ server: 'https://stub', auth }, { ...names, thread: true });
  expect(create).toThrow(/^thread: true requires /);
});

test('refuses the executable of the process as the module of the worker', () => {
  const options = { ...names, workerFile: pathToFileURL(process.execPath) };
  expect(() => new LeaderElector({ server: 'http://stub' }, options)).toThrow(
    /^leader election: workerFile is the executable of this process, .*; omit it/,
  );
});

test('does not start a program in its own worker again', async () => {
  const election = pathToFileURL(join(bundle.folder, 'election.js'));
  const program = `import { LeaderElector } from '${election}';
    new LeaderElector({ server: 'http://stub' }, { name: 'operator' });`;
  const { errors, ended } = start({ server: 'http://stub' }, { workerFile: moduleOf(program) });
  await expect(ended).rejects.toMatchObject({ name: 'LeadershipLostError', reason: 'threadFailed' });
  expect(errors.map(String)).toEqual([
    expect.stringContaining('TypeError: leader election: workerFile is the program itself; omit it'),
  ]);
});

test('runElectionWorker throws outside of a worker of an elector', () => {
  expect(() => runElectionWorker()).toThrow(TypeError);
});
