import { ConfigError, loadConfig, TransportError } from '@kgen/runtime';
import type { Transport } from '@kgen/runtime/rest';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import {
  FakeCluster,
  failure,
  load,
  type Replies,
  type Reply,
  replies,
  temporaryFolder,
} from './cluster.fixture.ts';
import { loadCluster } from './load.ts';

const page: Reply = { type: 'text/html; charset=utf-8', body: '<!doctype html><title>Sign in</title>' };
const everywhere = (reply: Reply): Replies =>
  Object.fromEntries(Object.keys(replies()).map((path) => [path, reply]));

/** Returns the only problem of a cluster. */
async function refusal(given: Replies): Promise<string> {
  const { value, problems } = await load(new FakeCluster(given), { cacheFolder: temporaryFolder() });
  expect(value).toBeUndefined();
  expect(problems).toHaveLength(1);
  return problems.map(formatProblem).join('\n');
}

describe('a server that is not a Kubernetes API', () => {
  test.each<{ name: string; given: Replies; want: string }>([
    {
      name: 'a login page',
      given: everywhere(page),
      want: 'error: get /apis: the response is "text/html" and not JSON: is there a proxy or a login page in between? Check the server of the context',
    },
    {
      name: 'a redirect to a login page',
      given: everywhere({ status: 302, body: '', headers: { location: 'https://login.example.com' } }),
      want: 'error: get /apis: the server redirects to another address (302), which is not followed: is there a login page in between?',
    },
    {
      name: 'a web server',
      given: {},
      want: 'error: get /apis: no Kubernetes API found at the server of the context (404): check its address',
    },
    {
      name: 'JSON of something else',
      given: everywhere({ body: { hello: 'world' } }),
      want: 'error: get /apis: the response is JSON but lists no API groups: is this a Kubernetes API?',
    },
    {
      name: 'a list',
      given: everywhere({ body: [] }),
      want: 'error: get /apis: the response is JSON but lists no API groups: is this a Kubernetes API?',
    },
    {
      name: 'garbage',
      given: everywhere({ body: '\u0000\u0001{"a":' }),
      want: 'error: get /apis: the response is incomplete or not JSON (7 bytes): try again, and check the server of the context',
    },
    {
      name: 'nothing at all',
      given: everywhere({ body: '' }),
      want: 'error: get /apis: the response is incomplete or not JSON (0 bytes): try again, and check the server of the context',
    },
    {
      name: 'an expired token',
      given: everywhere(failure(401, 'Unauthorized', 'Unauthorized')),
      want: 'error: the server does not accept the credentials (401): they may have expired; log in again, or choose another context',
    },
    {
      name: 'a user without discovery rights',
      given: everywhere(failure(403, 'Forbidden', 'no')),
      want: 'error: get /apis: 403 Forbidden: no: the user needs the permissions of the cluster role system:discovery',
    },
    {
      name: 'a server that is down',
      given: everywhere(failure(500, 'InternalError', 'oh')),
      want: 'error: get /apis: 500 InternalError: oh',
    },
  ])('$name', async ({ given, want }) => {
    expect(await refusal(given)).toBe(want);
  });

  test('is abandoned if its response is endless', async () => {
    const part = Buffer.alloc(8 * 1024 * 1024, '[');
    let parts = 0;
    async function* body(): AsyncGenerator<Uint8Array, void> {
      for (; parts < 1000; parts += 1) yield part;
    }
    const transport: Transport = async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: body(),
      cancel: () => undefined,
    });
    const { problems } = await load({ transport }, { cacheFolder: temporaryFolder() });
    expect(problems.map(formatProblem)).toEqual([
      expect.stringContaining('get /apis: the response has more than'),
    ]);
    expect(parts).toBeLessThan(200);
  });

  test('is quoted in part if its message is endless', async () => {
    expect((await refusal(everywhere(failure(500, 'InternalError', 'x'.repeat(9999))))).length).toBeLessThan(
      400,
    );
  });
});

describe('documents', () => {
  const at = (path: string, reply: Reply): Replies => ({ ...replies(), [path]: reply });
  test.each<{ name: string; given: Replies; want: string }>([
    {
      name: 'that do not exist',
      given: { ...replies(), '/openapi/v3': failure(404, 'NotFound') },
      want: 'error: the server has neither /openapi/v3 nor /openapi/v2',
    },
    {
      name: 'of an expired token',
      given: at('/openapi/v3', failure(401, 'Unauthorized')),
      want: 'error: the server does not accept the credentials (401)',
    },
    {
      name: 'that may not be read',
      given: {
        ...at('/openapi/v3', failure(403, 'Forbidden', 'no')),
        '/openapi/v2': failure(403, 'Forbidden', 'no'),
      },
      want: 'error: get /openapi/v2: 403 Forbidden: no: the user needs the permissions of the cluster role system:discovery',
    },
  ])('$name', async ({ given, want }) => {
    expect((await refusal(given)).slice(0, want.length)).toBe(want);
  });
});

describe('a connection', () => {
  const failing = (error: unknown): { readonly transport: Transport } => ({
    transport: () => Promise.reject(error),
  });

  test.each([
    {
      name: 'that is refused',
      error: new TransportError('the connection was refused; is the server running at that address?'),
      want: 'error: the connection was refused; is the server running at that address?',
    },
    {
      name: 'to a server with another certificate',
      error: new TransportError("the server's certificate is signed by an authority that is not trusted"),
      want: "error: the server's certificate is signed by an authority that is not trusted",
    },
    {
      name: 'whose user has to log in first',
      error: new ConfigError(
        `the plugin failed; it said:\nno session${'.'.repeat(400)}\n  run: tool login\n`,
      ),
      want: `error: the plugin failed; it said: no session${'.'.repeat(400)}; run: tool login`,
    },
    {
      name: 'without a response',
      error: new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
      want: 'error: get /apis: the server does not respond in time',
    },
  ])('$name', async ({ error, want }) => {
    const { problems } = await load(failing(error), { cacheFolder: temporaryFolder() });
    expect(problems.map(formatProblem)).toEqual([want]);
  });

  test('rejects with internal errors of kgen', async () => {
    await expect(
      load(failing(new RangeError('a mistake')), { cacheFolder: temporaryFolder() }),
    ).rejects.toThrow('a mistake');
  });
});

describe('a kubeconfig', () => {
  test('throws for an unknown context and lists the contexts', async () => {
    const { problems } = await load(new FakeCluster(replies()), {
      cacheFolder: temporaryFolder(),
      context: 'other',
    });
    expect(problems.map(formatProblem)).toEqual([
      expect.stringContaining('no context "other"; existing: "fake"'),
    ]);
  });

  test('throws for a file that does not exist, with its name', async () => {
    const kubeconfig = `${temporaryFolder()}/none`;
    await expect(loadConfig({ kubeconfig })).rejects.toThrow(/^kubeconfig .* not found$/);
    const { value, problems } = await loadCluster({ kubeconfig, needsDocuments: false });
    expect(value).toEqual({ crds: [], documents: [], sources: 0, skipped: 0 });
    expect(problems.map(formatProblem)).toEqual([`error: kubeconfig ${kubeconfig} not found`]);
  });
});

test('excludes credentials from messages', async () => {
  const cluster = new FakeCluster(everywhere(page));
  const { problems } = await load(cluster, { cacheFolder: temporaryFolder() });
  expect(cluster.requests[0]?.headers['authorization']).toBe('Bearer secret-token');
  expect(JSON.stringify(problems)).not.toContain('secret-token');
});
