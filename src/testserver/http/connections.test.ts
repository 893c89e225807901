import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { rounds } from '../../../test/support/seeds.ts';
import { createDefaultRoles } from '../access/default-roles.ts';
import { StreamHandlers } from '../call/stream-handlers.ts';
import { start } from '../client.fixture.ts';
import { realEnvironment } from '../environment/environment.ts';
import { Authenticator } from '../identity/authenticator.ts';
import { Tokens } from '../identity/tokens.ts';
import { administrator } from '../identity/user.ts';
import { RequestMetrics } from '../request/metrics.ts';
import { NeedLog } from '../request/needs.ts';
import { Store } from '../store/store.ts';
import { ArmedFaults } from './faults.ts';
import { requestHandler } from './listener.ts';
import { WritableLog } from './request-log.ts';
import { Watches } from './watches.ts';

const run = promisify(execFile);
const connections = rounds(10_000, 2000);

/** Opens connections, sends a request on each, and prints how many succeeded while all of them are open. */
const client = `
const [url, count] = process.argv.slice(1);
const { hostname, port } = new URL(url);
const { connect } = require('node:net');
const one = () => new Promise((resolve) => {
  const socket = connect(Number(port), hostname, () => socket.write('GET /readyz HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'));
  socket.on('error', () => resolve(false));
  socket.once('data', (chunk) => resolve(String(chunk).startsWith('HTTP/1.1 200 OK')));
});
(async () => {
  let succeeded = 0;
  // In groups, because the queue of connections that wait to be accepted is limited.
  for (let opened = 0; opened < Number(count); opened += 250) {
    const replies = await Promise.all(Array.from({ length: 250 }, one));
    succeeded += replies.filter(Boolean).length;
  }
  console.log(succeeded);
  process.exit();
})();
`;

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function responseOf(socket: Socket, request: string): Promise<string> {
  socket.write(request);
  const [chunk] = await once(socket, 'data');
  return String(chunk);
}

test('serves thousands of connections at once', { timeout: 60_000 }, async () => {
  const server = await start({});
  const { stdout } = await run(process.execPath, ['-e', client, server.url, String(connections)]);
  expect(stdout).toBe(`${connections}\n`);
});

test.each(['GET / HTTP/9.9\r\n\r\n', '\u0000\u0001\u0002\r\n\r\n', 'GET /readyz HTTP/1.1\r\n\r\n'])(
  'responds with 400 to the malformed request %j, and to later ones',
  async (request) => {
    const server = await start({});
    expect(await responseOf(await open(server.url), request)).toMatch(/^HTTP\/1\.1 400 /);
    const next = await responseOf(await open(server.url), 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(next).toMatch(/^HTTP\/1\.1 200 /);
  },
);

test('responds with 504 to a body that takes more than a minute, and closes the connection', async () => {
  const timers: { readonly ms: number; readonly fire: () => void }[] = [];
  const environment = {
    ...realEnvironment,
    timer: (ms: number, fire: () => void) => {
      timers.push({ ms, fire });
      return () => undefined;
    },
  };
  const store = new Store();
  const authenticator = new Authenticator(new Tokens(store, environment));
  const [streams, needs, metrics] = [new StreamHandlers(), new NeedLog(), new RequestMetrics()];
  const state = { store, environment, authenticator, streams, needs, metrics };
  const token = authenticator.addUser(administrator);
  createDefaultRoles(state);
  const watches = new Watches(state, { everyMs: 1 });
  const handler = requestHandler({ state, watches, faults: new ArmedFaults(), log: new WritableLog() });
  const server = createServer(handler).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const headers = `Host: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100`;
  socket.write(`POST /api/v1/namespaces HTTP/1.1\r\n${headers}\r\n\r\n{`);
  await expect.poll(() => timers.some(({ ms }) => ms === 60_000)).toBe(true);
  const closed = once(socket, 'close');
  const reply = once(socket, 'data');
  timers.find(({ ms }) => ms === 60_000)?.fire();
  expect(String((await reply)[0])).toMatch(/^HTTP\/1\.1 504 [\s\S]*Connection: close/);
  await closed;
});

test('survives clients that disconnect in the middle of a request', async () => {
  const server = await start();
  for (const request of [
    'GET /version HT',
    'POST /api/v1/namespaces HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{',
  ]) {
    const socket = await open(server.url);
    socket.write(request);
    socket.resetAndDestroy();
  }
  const reply = await responseOf(await open(server.url), 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(reply).toMatch(/^HTTP\/1\.1 200 /);
});
