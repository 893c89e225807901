import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { recordingSource } from './live-page.ts';

/** Returns the address of a server. */
async function served(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${address instanceof Object ? address.port : 0}/debug/recording`;
}

test('the source has the recording since the position that the page has', async () => {
  const seen: (string | undefined)[] = [];
  const url = await served(({ url: path, headers: { authorization } }, response) => {
    seen.push(`${path} ${authorization}`);
    response.writeHead(200, { etag: '"7"' }).end('lines');
  });
  const source = recordingSource({ url, token: 'secret' });
  expect(await source('')).toEqual({ tag: '"7"', text: 'lines' });
  await source('"7"');
  expect(seen).toEqual(['', '%227%22'].map((after) => `/debug/recording?after=${after} Bearer secret`));
});

test.each([
  [404, 'the operator has no recording: it responds with 404'],
  [403, 'the reason'],
])('the source has a reason for status %d', async (code, problem) => {
  const url = await served((_request, response) => response.writeHead(code).end('the reason\n'));
  expect(await recordingSource({ url, token: '' })('')).toEqual({ problem });
});

test('the source has a reason while the operator does not run', async () => {
  const source = recordingSource({ url: 'http://127.0.0.1:9/debug/recording', token: '' });
  expect(await source('')).toEqual({ problem: 'the operator does not run' });
});
