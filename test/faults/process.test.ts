/** Properties of a whole process: its output and the resources that it holds. */
import { expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';

/** Source of a server that acts according to the path, and of the exit of a test program. */
const server = `
import { createServer } from 'node:http';
import { RESTClient } from '@kgen/runtime';

const pod = JSON.stringify({ kind: 'Pod', metadata: { name: 'web' }, filler: 'x'.repeat(2000) });
const refused = new Set();
const acts = {
  ok: (_, response) => response.end(pod),
  wait: ({ url }, response) => {
    if (refused.delete(url)) return response.end(pod);
    refused.add(url);
    response.writeHead(429, { 'retry-after': '0' }).end();
  },
  missing: (_, response) => response.writeHead(404).end('{"kind":"Status","status":"Failure","reason":"NotFound"}'),
  page: (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
  half: (_, response) => {
    response.writeHead(200, { 'content-length': pod.length }).write(pod.slice(0, 100));
    setImmediate(() => response.destroy());
  },
  reset: (request) => request.socket.resetAndDestroy(),
  stall: () => undefined,
  warn: (_, response) => response.writeHead(200, { warning: '299 - "old"' }).end(pod),
};
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://h');
  acts[pathname.slice(1)](request, response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = 'http://127.0.0.1:' + server.address().port;
const emptied = async () => {
  while (process.getActiveResourcesInfo().includes('TCPSocketWrap')) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};
`;

const leaking = `
${server}
const names = Object.keys(acts);
const held = () => process.getActiveResourcesInfo().sort();
const heap = () => {
  for (let turn = 0; turn < 5; turn += 1) global.gc();
  return process.memoryUsage().heapUsed;
};
const outcomes = {};
async function use(count) {
  const rest = new RESTClient({ server: url, auth: { token: 'sesame' } }, { onWarning: () => undefined, rateLimit: { qps: 1e6, burst: 100 } });
  const controller = new AbortController();
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const name = names[left % names.length];
      // Writes are not retried, so that resets do not wait.
      const method = name === 'reset' ? 'post' : 'get';
      const options = { query: { left }, timeoutMs: name === 'stall' ? 5 : 60_000, signal: controller.signal };
      const outcome = await rest[method]('/' + name, options).then(() => 'ok', (error) => error.name);
      outcomes[name + ' ' + outcome] = (outcomes[name + ' ' + outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  await rest.close();
  await emptied();
}
await use(4000);
const before = { held: held(), heap: heap() };
await use(4000);
await use(0);
const after = { held: held(), heap: heap() };
server.close();
console.log(JSON.stringify({ before, after, outcomes }));
`;

it('holds no resources after thousands of successful and failed requests', async () => {
  const { stdout, stderr } = await runProgram(leaking, { flags: ['--expose-gc'] });
  expect(stderr).toBe('');
  // The output of the program above.
  const { before, after, outcomes } = JSON.parse(stdout) as {
    readonly before: { readonly held: readonly string[]; readonly heap: number };
    readonly after: { readonly held: readonly string[]; readonly heap: number };
    readonly outcomes: Readonly<Record<string, number>>;
  };
  expect(Object.keys(outcomes).sort()).toEqual([
    'half TransportError',
    'missing ApiError',
    'ok ok',
    'page ApiError',
    'reset TransportError',
    'stall TimeoutError',
    'wait ok',
    'warn ok',
  ]);
  expect(after.held).toEqual(before.held);
  // A quarter of a kilobyte per request: a leaked error, body or listener per request would take more.
  expect(after.heap - before.heap).toBeLessThan(1_000_000);
}, 90_000);

const logging = `
${server}
const rest = new RESTClient({ server: url, auth: { token: 'sesame' } });
await rest.get('/wait', { query: { access_token: 'sesame', limit: 5 } });
await rest.post('/missing', { body: { secret: 'sesame' }, headers: { 'x-secret': 'sesame' } }).catch(() => undefined);
await rest.close();
server.close();
`;

it('logs a line per attempt with NODE_DEBUG, without secrets', async () => {
  const { stderr } = await runProgram(logging, { env: { NODE_DEBUG: 'kgen' } });
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace(/\d+ ms/, 'N ms')
        .replace(/127\.0\.0\.1:\d+/, 'h')
        .replace(/^KGEN \d+: /, ''),
    );
  expect(lines).toEqual([
    'GET http://h/wait?access_token=hidden&limit=5 429 in N ms (get /wait)',
    'GET http://h/wait?access_token=hidden&limit=5 200 in N ms (get /wait), attempt 2 after 429',
    'POST http://h/missing 404 in N ms (post /missing)',
  ]);
  expect((await runProgram(logging)).stderr).toBe('');
});
