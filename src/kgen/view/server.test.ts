import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type PageRequest, servePage, statusOf } from './server.ts';

const valid: PageRequest = {
  ...{ method: 'GET', url: '/?token=secret', host: '127.0.0.1:80' },
  ...{ origin: undefined, contentType: undefined },
};
const action: PageRequest = {
  ...{ method: 'POST', url: '/act?token=secret', host: '127.0.0.1:80' },
  ...{ origin: 'http://127.0.0.1:80', contentType: 'application/json; charset=utf-8' },
};

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

test.each<readonly [string, Partial<PageRequest>, number]>([
  ['of the page', {}, 200],
  ['without an origin', { origin: undefined }, 403],
  ['of another origin', { origin: 'http://attacker.example' }, 403],
  ['without the token', { url: '/act' }, 403],
  ['of a form', { contentType: 'text/plain' }, 415],
  ['without a type', { contentType: undefined }, 415],
  ['by GET', { method: 'GET' }, 405],
])('responds to an action %s', (_, change, status) => {
  expect(statusOf({ ...action, ...change }, 80, 'secret')).toBe(status);
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

test('a live page receives what has happened in its sources since its tags, and performs actions', async () => {
  const { url, close } = await servePage('page', {
    sources: {
      operator: async (after) => ({ tag: '"2"', text: `after ${after}` }),
      cluster: async () => ({ problem: 'missing' }),
    },
    act: async (given) => ({ isDone: true, message: JSON.stringify(given) }),
  });
  onTestFinished(close);
  const document = url.replace('/?', '/document?');
  const response = await fetch(`${document}&after.operator=${encodeURIComponent('"1"')}`);
  expect(await response.json()).toEqual({
    sources: [
      { name: 'operator', tag: '"2"', text: 'after "1"' },
      { name: 'cluster', problem: 'missing' },
    ],
    hasActions: true,
  });
  const post = async (body: string): Promise<Response> =>
    fetch(url.replace('/?', '/act?'), {
      ...{ method: 'POST', body },
      headers: { origin: new URL(url).origin, 'content-type': 'application/json' },
    });
  expect(await (await post('{"name":"scale"}')).json()).toEqual({
    ...{ isDone: true, message: '{"name":"scale"}' },
  });
  expect([(await post('{')).status, (await post(`"${'x'.repeat(5 * 1024 * 1024)}"`)).status]).toEqual([
    400, 400,
  ]);
  expect(await (await fetch(url)).text()).toBe('page');
});

test('another page has no document, and a page of a manager no actions', async () => {
  const pages = [await servePage('page'), await servePage('page', { sources: {} })];
  for (const { close } of pages) onTestFinished(close);
  const statuses = await Promise.all(
    pages.map(async ({ url }) => {
      const headers = { origin: new URL(url).origin, 'content-type': 'application/json' };
      const acted = await fetch(url.replace('/?', '/act?'), { method: 'POST', body: '{}', headers });
      return [(await fetch(url.replace('/?', '/document?'))).status, acted.status];
    }),
  );
  expect(statuses).toEqual([
    [404, 404],
    [200, 404],
  ]);
});
