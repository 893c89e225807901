import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type PageRequest, servePage, statusOf } from './server.ts';

const valid: PageRequest = { method: 'GET', url: '/?token=secret', host: '127.0.0.1:80', origin: undefined };

test.each<readonly [string, Partial<PageRequest>, number]>([
  ['the address', {}, 200],
  ['the document', { url: '/document?token=secret&after=1' }, 200],
  ['the document without the token', { url: '/document?after=1' }, 403],
  ['localhost', { host: 'localhost:80' }, 200],
  ['its own origin', { origin: 'http://127.0.0.1:80' }, 200],
  ['another host, which resolves to 127.0.0.1', { host: 'attacker.example:80' }, 421],
  ['another port', { host: '127.0.0.1:81' }, 421],
  ['no host', { host: undefined }, 421],
  ['another origin', { origin: 'http://attacker.example' }, 403],
  ['the opaque origin of a sandbox', { origin: 'null' }, 403],
  ['another method', { method: 'POST' }, 405],
  ['another path', { url: '/other?token=secret' }, 404],
  ['no token', { url: '/' }, 403],
  ['a part of the token', { url: '/?token=secre' }, 403],
  ['an empty token', { url: '/?token=' }, 403],
])('responds to %s', (_, change, status) => {
  expect(statusOf({ ...valid, ...change }, 80, 'secret')).toBe(status);
});

async function statusFor(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

test('a page is served with its token only, until it is closed', async () => {
  const { url, close } = await servePage('<p>page</p>');
  onTestFinished(close);
  const response = await fetch(url);
  expect(await response.text()).toBe('<p>page</p>');
  expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
  const refused = await fetch(new URL('/', url));
  expect([refused.status, await refused.text()]).toEqual([403, '403\n']);
  expect(await statusFor(url, { Host: 'attacker.example' })).toBe(421);
  expect(await statusFor(url, { Origin: 'http://attacker.example' })).toBe(403);
  await close();
  await expect(fetch(url)).rejects.toThrow();
});

test('a live page receives the document of its source, for its tag', async () => {
  const { url, close } = await servePage('page', async (tag) =>
    tag === '"2"' ? { status: 304, tag, body: '' } : { status: 200, tag: '"2"', body: `after ${tag}` },
  );
  onTestFinished(close);
  const get = (tag: string): Promise<Response> =>
    fetch(`${url.replace('/?', '/document?')}&after=${encodeURIComponent(tag)}`);
  const first = await get('"1"');
  expect([first.status, first.headers.get('etag'), await first.text()]).toEqual([200, '"2"', 'after "1"']);
  expect((await get('"2"')).status).toBe(304);
  expect(await (await fetch(url)).text()).toBe('page');
});

test('another page has no document', async () => {
  const { url, close } = await servePage('page');
  onTestFinished(close);
  expect((await fetch(url.replace('/?', '/document?'))).status).toBe(404);
});
