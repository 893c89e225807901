import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { recordingText } from '../../view/recording.fixture.ts';
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

test('the source has the document of the recording, for the position that the page has', async () => {
  const seen: (string | undefined)[] = [];
  const url = await served(({ url: path, headers: { authorization } }, response) => {
    seen.push(`${path} ${authorization}`);
    response.writeHead(200, { etag: '"7"' }).end(recordingText());
  });
  const source = recordingSource({ url, token: 'secret' });
  const { status, tag, body } = await source('');
  expect([status, tag, JSON.parse(body).type]).toEqual([200, '"7"', 'kgen view']);
  expect(body).not.toContain('aHVudGVyMg');
  expect(await source(tag)).toEqual({ status: 304, tag: '"7"', body: '' });
  expect(seen[0]).toBe('/debug/recording Bearer secret');
});

test.each([
  ['another status', 404, 'the operator has no recording: it responds with 404'],
  ['another text', 200, 'the operator does not run'],
])('the source has a reason for %s', async (_, code, reason) => {
  const url = await served((_request, response) => response.writeHead(code).end('other'));
  expect(await recordingSource({ url, token: '' })('')).toEqual({ status: 503, tag: '', body: reason });
});

test('the source has a reason while the operator does not run', async () => {
  const source = recordingSource({ url: 'http://127.0.0.1:9/debug/recording', token: '' });
  expect(await source('')).toMatchObject({ status: 503, body: 'the operator does not run' });
});
