import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type PageRequest, servePage, statusOf } from './server.ts';

const valid: PageRequest = { method: 'GET', url: '/?token=secret', host: '127.0.0.1:80', origin: undefined };

test.each<readonly [string, Partial<PageRequest>, number]>([
  ['the address', {}, 200],
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
