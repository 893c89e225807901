import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { type CertificateAuthority, createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, listen, open, runProgram } from './support.ts';

let authority: CertificateAuthority;
let pair: KeyPair;
beforeAll(async () => {
  authority = await createAuthority();
  pair = await authority.issueServer('api', { names: [], addresses: ['127.0.0.1'] });
});

/** Sends requests, opens watches, closes the client during some of them, and prints the open handles. */
const program = `
  import { RESTClient } from '@kgen/runtime';
  const [server, silent] = JSON.parse(process.env.SERVERS ?? '');
  const watch = { method: 'GET', path: '/watch', query: [], headers: {}, operation: { verb: 'watch', resource: 'things' } } as const;
  async function main() {
    void [process.stdin, process.stdout, process.stderr];
    const before = new Set(process.getActiveResourcesInfo());
    const tls = { ca: process.env.CA ?? '' };
    const rest = new RESTClient({ server, tls });
    await Promise.all(Array.from({ length: 60 }, () => rest.get('/quick')));
    const streams = await Promise.all(Array.from({ length: 5 }, () => rest.stream(watch)));
    const reading = streams.map(async ({ body }) => { for await (const chunk of body) void chunk; }).map((read) => read.catch((error) => error.code));
    const pending = rest.get('/slow').catch((error) => error.code);
    // The client of a server to which no connection succeeds.
    const hanging = new RESTClient({ server: silent, tls });
    const never = hanging.get('/').catch((error) => error.code);
    await rest.get('/quick');
    await Promise.all([rest.close(), hanging.close()]);
    await new Promise((resolve) => setImmediate(resolve));
    const left = process.getActiveResourcesInfo().filter((name) => !before.has(name) && name !== 'Immediate');
    process.stdout.write(JSON.stringify({ left, codes: await Promise.all([...reading, pending, never]) }));
  }
  void main();
`;

describe('a closed client', () => {
  it('leaves nothing open', async () => {
    const server = createHttpsServer(pair, (request, response) => {
      if (request.url === '/quick') response.end('{}');
      else if (request.url === '/watch') response.write('x');
    });
    const port = await listen(server);
    const silent = await listen(createServer());
    const { stdout, stderr, code } = await runProgram(program, {
      SERVERS: JSON.stringify([`https://127.0.0.1:${port}`, `https://127.0.0.1:${silent}`]),
      CA: authority.cert,
    });
    expect(stderr).toBe('');
    const closed = Array.from({ length: 7 }, () => 'CLIENT_CLOSED');
    expect(JSON.parse(stdout)).toEqual({ left: [], codes: closed });
    expect(code).toBe(0);
  });

  it('does not keep the process alive', async () => {
    const server = createHttpsServer(pair, (_, response) => response.end('{}'));
    const idle = `
      import { RESTClient } from '@kgen/runtime';
      const rest = new RESTClient({ server: process.env.SERVER ?? '', tls: { ca: process.env.CA ?? '' } });
      void rest.get('/').then(() => console.log('done'));
    `;
    const ended = await runProgram(idle, {
      SERVER: `https://127.0.0.1:${await listen(server)}`,
      CA: authority.cert,
    });
    expect(ended).toEqual({ stdout: 'done\n', stderr: '', code: 0 });
  });
});

describe('connection limits', () => {
  it('use at most 50 connections for any number of requests', async () => {
    let opened = 0;
    const server = createHttpsServer(pair, (_, response) => response.end('{}'));
    server.on('secureConnection', () => {
      opened += 1;
    });
    const rest = open({ server: `https://127.0.0.1:${await listen(server)}`, tls: { ca: authority.cert } });
    let left = 3000;
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await rest.get('/');
      }
    };
    await Promise.all(Array.from({ length: 120 }, work));
    expect(opened).toBeLessThanOrEqual(50);
    expect(opened).toBeGreaterThan(1);
  });

  it('keep connections after requests that were aborted while they waited', async () => {
    let opened = 0;
    const waiting: (() => void)[] = [];
    const server = createHttpsServer(pair, (request, response) => {
      if (request.url === '/quick') response.end('{}');
      else waiting.push(() => response.end('{}'));
      if (waiting.length === 50) server.emit('full');
    });
    server.on('secureConnection', () => {
      opened += 1;
    });
    const full = new Promise((resolve) => server.once('full', resolve));
    const rest = open({ server: `https://127.0.0.1:${await listen(server)}`, tls: { ca: authority.cert } });
    const slow = Array.from({ length: 50 }, () => rest.get('/slow'));
    await full;
    const enough = new AbortController();
    const given = Array.from({ length: 300 }, () => failure(rest.get('/quick', { signal: enough.signal })));
    const expected = rest.get('/quick');
    await new Promise((resolve) => setImmediate(resolve));
    enough.abort(new Error('enough'));
    expect((await Promise.all(given)).map(({ message }) => message)).toEqual(given.map(() => 'enough'));
    for (const end of waiting) end();
    await Promise.all([...slow, expected]);
    expect(opened).toBe(50);
  });

  it('keep connections of 200 watches separate from requests', async () => {
    const server = createHttpsServer(pair, (request, response) => {
      if (request.url === '/watch') response.write('x');
      else response.end('{}');
    });
    const rest = open({ server: `https://127.0.0.1:${await listen(server)}`, tls: { ca: authority.cert } });
    const watch = {
      method: 'GET',
      path: '/watch',
      query: [],
      headers: {},
      operation: { verb: 'watch', resource: 'things' },
    } as const;
    const streams = await Promise.all(Array.from({ length: 200 }, () => rest.stream(watch)));
    expect(await Promise.all(Array.from({ length: 60 }, () => rest.get('/')))).toHaveLength(60);
    for (const stream of streams) stream.cancel();
  });
});
