/** Requests by `fetch` of recorded reconciles, and their replay. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Manager, type ManagerOptions, type RecorderOptions } from '@kgen/controller';
import { type ClusterConfig, InformerFactory, RESTClient, resource } from '@kgen/runtime';
import { type ReplayReport, replay } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type MyApp, myApps } from '../../generated/crds/my.domain/v1/index.ts';

/** `read` reads the app from the API server. */
type Reconcile = (app: MyApp, url: string, read: () => Promise<unknown>) => Promise<string>;

/** Handles the requests of the service by the first segment of their paths. */
const handlers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  count: (_, response) => {
    count += 1;
    response.end(String(count));
  },
  json: (_, response) => {
    response.setHeader('content-type', 'application/json').setHeader('x-page', '2');
    response.setHeader('set-cookie', 'session=cookie-of-the-service').setHeader('x-auth-token', 'x-token-1');
    response.end(JSON.stringify({ address: '10.0.0.1', access_token: 'Sl.AB9cdefghijklmnopqrstu' }));
  },
  binary: (_, response) => void response.end(Buffer.from([0, 255, 128, 7])),
  empty: (_, response) => void response.writeHead(204).end(),
  echo: (request, response) => void request.pipe(response),
  redirect: (_, response) => void response.writeHead(302, { location: '/count?after=redirect' }).end(),
  lost: (request) => void request.socket.destroy(),
  cut: (_, response) => {
    response.setHeader('content-length', '100').write('the first part');
    setImmediate(() => response.destroy());
  },
  large: (_, response) => void response.end('x'.repeat(400_000)),
  never: () => undefined,
};
let count = 0;
let url = '';
const service = createServer((request, response) => {
  const [, name = ''] = new URL(request.url ?? '', 'http://service').pathname.split('/');
  const handle = handlers[name];
  if (handle === undefined) response.writeHead(404).end('no such path');
  else handle(request, response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  // seam: it listens on a port.
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});

afterAll(() => {
  service.closeAllConnections();
  service.close();
});

/** Returns an operator that writes the result of `reconcile` to the status of each app. */
function operatorOf(reconcile: Reconcile) {
  return (config: ClusterConfig, options: ManagerOptions): Manager => {
    const manager = new Manager(config, { name: 'fetching', ...options });
    const apps = resource(manager.rest, myApps);
    const controller = new Controller<MyApp>({
      name: 'fetching',
      for: new InformerFactory(manager).of(myApps),
      reconcile: async (app) => {
        const { name = '', namespace = '' } = app.metadata;
        const [type, status, lastTransitionTime] = ['Ready', 'True', '2026-01-01T00:00:00Z'] as const;
        const message = await reconcile(app, url, () => apps.in(namespace).get(name));
        const condition = { type, status, reason: 'Fetched', message, lastTransitionTime };
        await apps
          .in(namespace)
          .applyStatus(
            { metadata: { name }, status: { conditions: [condition] } },
            { fieldManager: 'fetching', force: true },
          );
        return undefined;
      },
    });
    return manager.add(controller);
  };
}

interface Recorded {
  readonly file: string;
  readonly content: string;
  /** Message of the status of the app. */
  readonly message: string;
  /** Entries of requests by `fetch`. */
  readonly entries: readonly Record<string, unknown>[];
}

/** Records the reconcile of one app. */
async function record(reconcile: Reconcile, own: Partial<RecorderOptions> = {}): Promise<Recorded> {
  const directory = mkdtempSync(join(tmpdir(), 'kgen-replay-'));
  const server = await startTestServer({ crds: ['crds/myapp.yaml'] });
  const ignore = (): void => undefined;
  const manager = operatorOf(reconcile)(server.config, {
    recorder: { directory, ...own },
    handleSignals: false,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  const stop = new AbortController();
  const ended = manager.run({ signal: stop.signal });
  const rest = new RESTClient(server.config);
  onTestFinished(async () => {
    stop.abort();
    await ended;
    await rest.close();
    await server.stop();
    rmSync(directory, { recursive: true });
  });
  const apps = resource(rest, myApps).in('default');
  await apps.create({ metadata: { name: 'web' }, spec: { appName: 'shop', version: '1' } });
  const messageOf = async () => (await apps.get('web')).status?.conditions?.[0]?.message;
  await expect.poll(messageOf).toBeDefined();
  const file = join(directory, 'recording.jsonl');
  await manager.record(file);
  const content = readFileSync(file, 'utf8');
  const lines: Record<string, unknown>[] = content
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const entries = lines.filter(({ type }) => String(type).startsWith('fetch'));
  return { file, content, message: (await messageOf()) ?? '', entries };
}

const text = async (response: Response): Promise<string> => `${response.status} ${await response.text()}`;

/** Reconciles whose replays depend on every part of the recorded responses. */
const rounds: readonly (readonly [string, Reconcile])[] = [
  ['a body of text', async (_, at) => text(await fetch(`${at}/count`))],
  [
    'several responses of one address, in their order',
    async (_, at) => {
      const first = await text(await fetch(`${at}/count`));
      return `${first} ${await text(await fetch(new URL(`${at}/count`)))}`;
    },
  ],
  [
    'requests at the same time',
    async (_, at) => {
      const sent = ['/count?a', '/none', '/count?b'].map((path) => fetch(`${at}${path}`));
      return (await Promise.all((await Promise.all(sent)).map(text))).join(' ');
    },
  ],
  ['a missing path', async (_, at) => text(await fetch(new Request(`${at}/none`)))],
  [
    'JSON and headers',
    async (_, at) => {
      const response = await fetch(`${at}/json`);
      const { address } = (await response.json()) as { readonly address: string };
      return `${address} ${response.headers.get('x-page')} ${response.ok}`;
    },
  ],
  [
    'bytes, of a clone',
    async (_, at) => {
      const response = (await fetch(`${at}/binary`)).clone();
      return Buffer.from(await response.arrayBuffer()).toString('hex');
    },
  ],
  [
    'a stream',
    async (_, at) => {
      const { body } = await fetch(`${at}/binary`);
      const parts: string[] = [];
      for await (const part of body ?? []) parts.push(Buffer.from(part).toString('hex'));
      return parts.join('');
    },
  ],
  ['no body', async (_, at) => String((await fetch(`${at}/empty`)).body)],
  [
    'a body that is not read',
    async (_, at) => {
      const { status, bodyUsed } = await fetch(`${at}/count`);
      return `${status} ${bodyUsed}`;
    },
  ],
  [
    'a redirect',
    async (_, at) => {
      const response = await fetch(`${at}/redirect`);
      return `${response.redirected} ${response.url.replace(at, '')} ${(await response.text()) !== ''}`;
    },
  ],
  [
    'a lost connection',
    async (_, at) => {
      const error: unknown = await fetch(`${at}/lost`).catch((each: unknown) => each);
      const { message, cause } = error as Error;
      return `${error instanceof TypeError} ${message} ${(cause as Error).message}`;
    },
  ],
  [
    'a body that is cut off',
    async (_, at) => {
      const response = await fetch(`${at}/cut`);
      return `${response.status} ${await response.text().catch((each: unknown) => String(each))}`;
    },
  ],
  [
    'a time limit',
    async (_, at) =>
      String(await fetch(`${at}/never`, { signal: AbortSignal.timeout(20) }).catch((each: unknown) => each)),
  ],
  ['an invalid address', async () => String(await fetch('nowhere').catch(({ name }: Error) => name))],
  [
    'a request to the API server between head and body',
    async ({ spec }, at, read) => {
      const response = await fetch(`${at}/count?of=${spec.appName}`);
      await read();
      return text(response);
    },
  ],
];

it.each(rounds)('a replay repeats %s', { timeout: 60_000 }, async (_, reconcile) => {
  const { file, message, entries } = await record(reconcile);
  expect(message).not.toBe('');
  const before = count;
  const { isEqual, text: report } = await replay(file, operatorOf(reconcile));
  expect([isEqual, report]).toEqual([true, expect.stringContaining('all as recorded')]);
  expect(count).toBe(before);
  if (reconcile !== rounds.at(-2)?.[1]) expect(entries.length).toBeGreaterThan(1);
});

const differences: readonly (readonly [string, Reconcile, Partial<ReplayReport['difference']>])[] = [
  [
    'another address',
    async (_, at) => text(await fetch(`${at}/json?page=2`)),
    {
      kind: 'request',
      lines: [
        expect.stringMatching(/^GET .*\/count by fetch$/),
        expect.stringMatching(/^sent GET .*\/json\?page by fetch in place of it$/),
      ],
    },
  ],
  [
    'another method',
    async (_, at) => text(await fetch(`${at}/count`, { method: 'put' })),
    {
      kind: 'request',
      lines: [expect.anything(), expect.stringMatching(/^sent PUT .* by fetch in place of it$/)],
    },
  ],
  [
    'a request that was not recorded',
    async (_, at) => `${await text(await fetch(`${at}/count`))}${await text(await fetch(`${at}/count`))}`,
    {
      kind: 'request',
      lines: [
        expect.stringMatching(/^PATCH /),
        expect.stringMatching(/^sent GET .* by fetch in place of it$/),
        expect.stringContaining('is not recorded:'),
        expect.stringContaining('create the client after the Manager'),
      ],
    },
  ],
  [
    'a missing request',
    async () => '',
    {
      kind: 'request',
      lines: [
        expect.stringMatching(/^GET .*\/count by fetch$/),
        expect.stringMatching(/^sent PATCH .* in place of it$/),
      ],
    },
  ],
];

it.each(differences)('a replay reports %s', { timeout: 60_000 }, async (_, changed, difference) => {
  const { file } = await record(async (__, at) => text(await fetch(`${at}/count`)));
  expect(await replay(file, operatorOf(changed))).toMatchObject({ isEqual: false, difference });
});

it('contains no credentials of requests and responses', { timeout: 60_000 }, async () => {
  const token = 'Bq.7token-of-the-header';
  const { file, content, entries } = await record(async (_, at) => {
    const headers = { authorization: `Bearer ${token}`, cookie: 'id=cookie-of-the-operator' };
    const target = `${at}/json?access_token=token-in-the-url&page=2`;
    const response = await fetch(target, { method: 'POST', headers, body: 'body-of-the-request' });
    return `${((await response.json()) as { readonly address: string }).address} of ${token} at ${target}`;
  });
  for (const secret of [token, 'cookie-of', 'token-in-the-url', 'body-of-the-request', 'x-token-1', 'Sl.AB9'])
    expect(content.split('\n').filter((line) => line.includes(secret))).toEqual([]);
  expect(entries).toMatchObject([
    { type: 'fetch', method: 'POST', url: `${url}/json?access_token=(redacted)&page=2` },
    { type: 'fetched', status: 200, headers: { 'x-page': '2', 'x-auth-token': '(redacted)' } },
    { type: 'fetched body', body: '{"address":"10.0.0.1","access_token":"(redacted)"}' },
  ]);
  const reconcile: Reconcile = async (_, at) => {
    const response = await fetch(`${at}/json?access_token=another&page=2`, { method: 'POST' });
    return `${((await response.json()) as { readonly address: string }).address} of`;
  };
  // The message that the operator writes quotes its token.
  expect((await replay(file, operatorOf(reconcile))).difference).toMatchObject({
    kind: 'request',
    lines: [expect.stringMatching(/^PATCH/), expect.stringContaining('message is "10.0.0.1 of"')],
  });
});

it('has bodies of requests on request, and compares them', { timeout: 60_000 }, async () => {
  const reconcileOf =
    (body: string): Reconcile =>
    async (_, at) =>
      String((await fetch(`${at}/echo`, { method: 'POST', body })).status);
  const { file, entries } = await record(reconcileOf('one'), { includeRequestBodies: true });
  expect(entries[0]).toMatchObject({ type: 'fetch', body: 'one' });
  expect(await replay(file, operatorOf(reconcileOf('one')))).toMatchObject({ isEqual: true });
  expect((await replay(file, operatorOf(reconcileOf('two')))).difference).toMatchObject({
    lines: [expect.anything(), 'body is "two", recorded "one"'],
  });
});

it('ends where a body was too large', { timeout: 60_000 }, async () => {
  const reconcile: Reconcile = async (_, at) =>
    text(await fetch(`${at}/large`)).then(({ length }) => `${length}`);
  const { file, content } = await record(reconcile, { maxBytes: 1024 * 1024 });
  expect(content.length).toBeLessThan(100_000);
  expect((await replay(file, operatorOf(reconcile))).difference).toMatchObject({
    kind: 'omitted content',
    lines: [
      expect.stringMatching(/^the response to GET .*\/large by fetch has 400000 bytes/),
      expect.anything(),
    ],
  });
});

it('a body that the recorded operator did not read is an error of the replayed one', {
  timeout: 60_000,
}, async () => {
  const { file } = await record(async (_, at) => String((await fetch(`${at}/count`)).status));
  const { difference } = await replay(
    file,
    operatorOf(async (_, at) => text(await fetch(`${at}/count`))),
  );
  expect(difference?.lines.join('\n')).toContain('did not read this body: record again');
});

it('a manager that does not record, or has stopped, leaves fetch as it is', async () => {
  const real = globalThis.fetch;
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const without = new Manager(server.config, { handleSignals: false });
  expect(globalThis.fetch).toBe(real);
  const recorder = { directory: tmpdir() };
  const managers = [1, 2].map(() => new Manager(server.config, { recorder, handleSignals: false }));
  expect(globalThis.fetch).not.toBe(real);
  for (const manager of [without, ...managers]) await manager.run({ signal: AbortSignal.abort() });
  expect(globalThis.fetch).toBe(real);
});
