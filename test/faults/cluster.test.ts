/**
 * `kgen --from-cluster` against servers with random responses to some of its requests. `KGEN_FUZZ_SEED` and
 * `KGEN_FUZZ_ROUNDS` select the rounds; `KGEN_SEED=7 npx vitest run test/faults/cluster.test.ts` repeats one
 * of them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TransportError } from '@kgen/runtime';
import type { APIRequest, APIResponse, Transport } from '@kgen/runtime/rest';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { crdsPath, FakeCluster, replies } from '../../src/kgen/cluster/cluster.fixture.ts';
import { loadCluster } from '../../src/kgen/cluster/load.ts';
import { formatProblem } from '../../src/kgen/common/problems.ts';
import { campaign, type Random, randomOf } from '../support/random.ts';
import { anyReply, type Reply } from './random/replies.ts';
import { anyValue } from './random/values.ts';

const rounds = process.env['CI'] === undefined ? 300 : 3000;
const replayed = process.env['KGEN_SEED'];
const seeds =
  replayed === undefined ? campaign('clusters with random responses', { rounds }) : [Number(replayed)];

const folder = mkdtempSync(join(tmpdir(), 'kgen-hostile-cluster-'));
const kubeconfig = join(folder, 'config');

beforeAll(() => {
  const config = {
    'current-context': 'fake',
    contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake' } }],
    clusters: [{ name: 'fake', cluster: { server: 'https://fake.invalid' } }],
    users: [{ name: 'fake', user: { token: 'sesame' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // Fake timers do not replace the internal timers of Node.js.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms);
    return controller.signal;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Paths that are requested from a cluster, some of which get random responses. */
const paths: readonly [string, ...string[]] = [
  '/version',
  '/api',
  '/apis',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis/apps/v1',
  '/openapi/v3/apis/example.com/v1',
  '/openapi/v2',
  crdsPath,
  `${crdsPath}/widgets.example.com`,
];

/** Returns the body of a valid cluster with one value replaced. */
function damaged(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return anyValue(random);
  const entries = Object.entries(value);
  if (entries.length === 0) return anyValue(random);
  const [at = ''] = entries[random.int(entries.length)] ?? [];
  const changed = entries.map(([key, item]) => [key, key === at ? damaged(item, random) : item]);
  return Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
}

function respond(
  { status, headers, body }: Reply,
  random: Random,
  signal: AbortSignal | undefined,
): APIResponse {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield body;
    if (random.chance(0.05)) throw new TransportError('cut off');
    // Bodies of real transports end with the signal of the request.
    if (random.chance(0.02)) {
      signal?.throwIfAborted();
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    }
  }
  // Later headers of a name replace earlier ones, since only their values matter here.
  return {
    status: Number(status),
    headers: Object.fromEntries(headers),
    body: chunks(),
    cancel: () => undefined,
  };
}

async function wholeOf({ body }: APIResponse): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Creates a transport of a cluster with random responses for some paths, and valid ones for others. */
function hostile(random: Random): Transport {
  const good = new FakeCluster(replies()).transport;
  const bad = new Set(random.some(paths, 3));
  if (bad.size === 0) bad.add(random.pick(paths));
  return async (request: APIRequest): Promise<APIResponse> => {
    if (!bad.has(request.path)) return good(request);
    if (random.chance(0.4)) return respond(anyReply(random), random, request.signal);
    const response = await good(request);
    const body = Buffer.from(JSON.stringify(damaged(await wholeOf(response), random)));
    return respond(
      { status: '200', headers: Object.entries(response.headers), body },
      random,
      request.signal,
    );
  };
}

interface Outcome {
  readonly found?: Awaited<ReturnType<typeof loadCluster>>;
  readonly error?: unknown;
}

async function outcomeOf(seed: number): Promise<Outcome> {
  const random = randomOf(seed);
  // Some rounds begin with the cache of earlier ones.
  const cacheFolder = join(folder, `cache-${random.int(20)}`);
  const options = { kubeconfig, cacheFolder, transport: hostile(random), needsDocuments: random.chance(0.5) };
  let outcome: Outcome | undefined;
  void loadCluster(options).then(
    (found) => {
      outcome = { found };
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  // A round that never settles ends by the time limit of the test.
  while (outcome === undefined) {
    for (let turn = 0; turn < 20 && outcome === undefined; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
    if (outcome === undefined) vi.advanceTimersByTime(5000);
  }
  return outcome;
}

it('generates a client, or fails with an error of one sentence', async () => {
  const failures: string[] = [];
  let refused = 0;
  for (const seed of seeds) {
    const { found, error } = await outcomeOf(seed);
    if (found === undefined) {
      failures.push(`KGEN_SEED=${seed}: ${error instanceof Error ? error.stack : String(error)}`);
      continue;
    }
    const lines = found.problems.map(formatProblem);
    const isRefused = found.problems.some(({ severity }) => severity === 'error');
    if (isRefused) refused += 1;
    if (!isRefused && found.value.api === undefined)
      failures.push(`KGEN_SEED=${seed}: nothing, and no error`);
    for (const line of lines) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a terminal.
      if (!/^[^\u0000-\u001f\u007f-\u009f]{10,3000}$/.test(line) || line.includes('sesame')) {
        failures.push(`KGEN_SEED=${seed}: ${JSON.stringify(line)}`);
      }
    }
  }
  expect(failures).toEqual([]);
  // A sufficiently long run has both outcomes.
  if (seeds.length >= 300) expect(refused > 20 && refused < seeds.length - 20).toBe(true);
}, 900_000);
