import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { LogHandler, LogLine, LogRequest } from '../call/stream-handlers.ts';
import { start } from '../client.fixture.ts';
import type { TestServer } from '../server/testserver.ts';

const pod = (name: string, ...containers: readonly string[]): { readonly kind: string } => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
  ...{ spec: { containers: containers.map((container) => ({ name: container, image: 'a' })) } },
});

async function startWith(handler?: LogHandler): Promise<TestServer> {
  const server = await start({ objects: [pod('one', 'a'), pod('two', 'a', 'b')] });
  if (handler !== undefined) server.onLogs(handler);
  return server;
}

async function get(server: TestServer, query: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${server.config.auth?.token}` };
  return fetch(`${server.url}/api/v1/namespaces/default/pods/${query}`, { headers });
}

/** A promise that is resolved from outside. */
function gate(): { readonly promise: Promise<void>; resolve(): void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, resolve: () => open() };
}

const at = (seconds: number): Date => new Date(Date.UTC(2020, 0, 1, 0, 0, seconds));
const lines: readonly LogLine[] = [0, 1, 2, 3].map((second) => ({
  text: `line ${second}`,
  time: at(second),
}));

describe('onLogs', () => {
  test.each([
    ['one/log', 'line 0\nline 1\nline 2\nline 3\n'],
    ['one/log?container=a', 'line 0\nline 1\nline 2\nline 3\n'],
    ['one/log?tailLines=2', 'line 2\nline 3\n'],
    ['one/log?tailLines=0', ''],
    ['one/log?tailLines=9', 'line 0\nline 1\nline 2\nline 3\n'],
    ['one/log?sinceTime=2020-01-01T00:00:02Z', 'line 2\nline 3\n'],
    ['one/log?sinceSeconds=1', ''],
    ['one/log?sinceTime=2020-01-01T00:00:01Z&tailLines=2&limitBytes=9', 'line 2\nli'],
    ['one/log?timestamps=true&tailLines=1', '2020-01-01T00:00:03.000000000Z line 3\n'],
  ])('writes the lines that %s selects', async (query, want) => {
    const response = await get(await startWith(() => lines), query);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain']);
    expect(await response.text()).toBe(want);
  });

  test('passes the container and the options to the handler', async () => {
    const requests: LogRequest[] = [];
    const server = await startWith((request) => {
      requests.push(request);
      return [];
    });
    await (await get(server, 'two/log?container=b&previous=true&follow=true')).text();
    expect(requests).toMatchObject([
      { namespace: 'default', pod: 'two', container: 'b', previous: true, follow: true },
    ]);
  });

  test('follows the lines of an asynchronous handler, after the last of the past ones', async () => {
    const later = gate();
    const server = await startWith(async function* () {
      yield* lines;
      await later.promise;
      yield 'new 1';
      yield 'new 2';
    });
    const response = await get(server, 'one/log?follow=true&tailLines=1');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    later.resolve();
    let read = '';
    for (;;) {
      const step = await reader?.read();
      if (step === undefined || step.done) break;
      read += step.value;
    }
    expect(read).toBe('line 3\nnew 1\nnew 2\n');
  });

  test.each(['the pod is deleted', 'the client disconnects', 'the server stops'])(
    'ends a log that is followed when %s',
    async (event) => {
      const aborted = gate();
      const server = await startWith(async function* ({ signal }) {
        signal.addEventListener('abort', () => aborted.resolve());
        yield 'first';
        await new Promise(() => undefined);
      });
      const response = await get(server, 'one/log?follow=true');
      if (event === 'the pod is deleted') {
        await fetch(`${server.url}/api/v1/namespaces/default/pods/one?gracePeriodSeconds=0`, {
          method: 'DELETE',
          headers: { Authorization: `Bearer ${server.config.auth?.token}` },
        });
        expect(await response.text()).toBe('first\n');
      } else if (event === 'the client disconnects') await response.body?.cancel();
      else {
        const rest = expect(response.text()).rejects.toThrow();
        await server.stop();
        await rest;
      }
      await aborted.promise;
    },
  );

  test('responds with 500 if the handler throws, and interrupts a response that began', async () => {
    const server = await startWith(({ container }) => {
      if (container === 'a') throw new Error('no log today');
      return (async function* () {
        yield 'first';
        await setTimeout(1);
        throw new Error('later');
      })();
    });
    const failed = await get(server, 'one/log');
    expect([failed.status, await failed.text()]).toEqual([500, expect.stringContaining('no log today')]);
    const interrupted = await get(server, 'two/log?container=b');
    await expect(interrupted.text()).rejects.toThrow();
    expect((await get(server, 'one')).status).toBe(200);
  });
});

describe('requests for logs', () => {
  test('receive lines as messages of a WebSocket', async () => {
    const server = await startWith(() => ['a', 'b']);
    const url = `${server.url.replace('http', 'ws')}/api/v1/namespaces/default/pods/one/log`;
    const headers = { Authorization: `Bearer ${server.config.auth?.token}` };
    for (const protocols of [['binary.k8s.io'], []]) {
      const socket = new WebSocket(url, protocols, { headers });
      const messages: string[] = [];
      socket.on('message', (data: Buffer) => messages.push(data.toString()));
      const [code] = await once(socket, 'close');
      expect([messages, code, socket.protocol]).toEqual([['a\n', 'b\n'], 1000, protocols[0] ?? '']);
    }
  });

  test('select the only container of a pod that has init containers, too', async () => {
    const initContainers = [{ name: 'first', image: 'a' }];
    const server = await start({
      objects: [{ ...pod('one'), ...{ spec: { containers: [{ name: 'a', image: 'a' }], initContainers } } }],
    });
    server.onLogs(({ container }) => [container]);
    expect(await (await get(server, 'one/log')).text()).toBe('a\n');
  });

  test.each([
    ['none/log', 404, 'pods "none" not found'],
    ['one/log?container=x', 400, 'container x is not valid for pod one'],
    ['two/log', 400, 'a container name must be specified for pod two, choose one of: [a b]'],
    [
      'one/log?tailLines=-1',
      422,
      'PodLogOptions "one" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'one/log?sinceSeconds=0',
      422,
      'PodLogOptions "one" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0',
    ],
    [
      'one/log?limitBytes=0',
      422,
      'PodLogOptions "one" is invalid: limitBytes: Invalid value: 0: must be greater than 0',
    ],
    [
      'one/log?sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z',
      422,
      'PodLogOptions "one" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    [
      'one/log?sinceTime=x',
      400,
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    ['one/log?stream=Stdout', 422, 'PodLogOptions "one" is invalid: stream: Forbidden: may not be specified'],
  ])('responds to %s as a real server', async (query, code, message) => {
    const response = await get(await startWith(() => lines), query);
    const body = (await response.json()) as { readonly message: string };
    expect([response.status, body.message]).toEqual([code, message]);
  });

  test('result in 501 without a handler', async () => {
    const response = await get(await startWith(), 'one/log');
    expect([response.status, await response.text()]).toEqual([
      501,
      expect.stringContaining('server.onLogs()'),
    ]);
  });
});
