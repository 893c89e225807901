import { ArmedFaults, type FaultOptions } from '@kgen/testserver/internal/http/faults';
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import { VirtualTime } from '@kgen/testserver/internal/server/virtual-time';
import { Store } from '@kgen/testserver/internal/store/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { itemOutlives, ServedServices, withItems } from './served-services.ts';
import { simulation } from './service.ts';

const zones = simulation.service(
  'zones',
  {
    'GET /': (_, items) => items.entries(),
    'GET /:name': ({ params }, items) => items.get(params.name) ?? new Response('none', { status: 404 }),
    'PUT /:name': ({ params, body }, items) => items.set(params.name, body),
    'POST /': ({ body }, items) => items.add(body),
    'DELETE /:name': ({ params }, items) => ({ deleted: items.delete(params.name) }),
    'POST /broken': () => {
      throw new Error('broken');
    },
  },
  { items: { root: { ttl: 60 } }, outlives: (name) => name === 'root' },
);

let store: Store;
let faults: ArmedFaults;
let time: VirtualTime;
let logged: LoggedRequest[];
let services: ServedServices;

beforeEach(() => {
  [store, faults, time, logged] = [new Store(), new ArmedFaults(), new VirtualTime(), []];
  store.replace(withItems(new Map(), [zones]), 1);
  services = new ServedServices({
    ...{ services: [zones], store, faults, time },
    onRequest: (request) => logged.push(request),
  });
});

async function send(method: string, path: string, body = '', type = 'application/json'): Promise<string> {
  const request = new Request(`http://zones${path}`, { method, headers: { 'content-type': type } });
  const found = services.find(new URL(request.url));
  if (found === undefined) throw new Error('no service');
  const response = await services.respond({ ...found, request, body });
  return `${response.status} ${await response.text()}`;
}

describe('a service', () => {
  it('responds with values, texts, responses and nothing', async () => {
    expect(await send('GET', '/')).toBe('200 [["root",{"ttl":60}]]');
    expect(await send('GET', '/root')).toBe('200 {"ttl":60}');
    expect(await send('GET', '/a')).toBe('404 none');
    expect(await send('PUT', '/a', '{"ttl":1}')).toBe('204 ');
    expect(await send('PUT', '/b', 'text', 'text/plain')).toBe('204 ');
    expect(await send('POST', '/', '1')).toBe('200 item-1');
    expect(await send('GET', '/')).toBe(
      '200 [["a",{"ttl":1}],["b","text"],["item-1",1],["root",{"ttl":60}]]',
    );
    expect(await send('DELETE', '/a')).toBe('200 {"deleted":true}');
    expect(await send('DELETE', '/a')).toBe('200 {"deleted":false}');
    expect(await send('DELETE', '/item-1')).toBe('200 {"deleted":true}');
    expect(await send('POST', '/', '2')).toBe('200 item-2');
  });

  it('names the routes for a request without one', async () => {
    expect(await send('PATCH', '/a')).toMatch(/^404 the service zones has no route PATCH \/a, only GET \/, /);
  });

  it('names a handler that fails', async () => {
    await expect(send('POST', '/broken')).rejects.toThrow(
      'the handler of POST /broken of the service zones failed',
    );
  });

  it('logs requests with the status of their responses', async () => {
    await send('PUT', '/a', '{}');
    expect(logged).toMatchObject([{ verb: 'PUT', resource: 'zones', name: '/a', status: 204 }]);
  });

  it('does not change an item that is set to its value', async () => {
    await send('PUT', '/root', '{"ttl":60}');
    expect(store.get('zones (service)', 'root')).not.toHaveProperty('metadata.resourceVersion');
  });

  it('is found by its address only', () => {
    expect(services.find(new URL('http://other/a'))).toBeUndefined();
    expect(services.resources).toEqual(['zones (service)']);
  });

  it('decides which items may stay', () => {
    const item = (name: string) => itemOutlives([zones], 'zones (service)', { metadata: { name }, value: 1 });
    expect([item('root'), item('a')]).toEqual([true, false]);
    expect(itemOutlives([zones], 'pods', {})).toBeUndefined();
  });
});

describe('a fault', () => {
  it.each<[title: string, fault: FaultOptions, result: string | RegExp, isExecuted: boolean]>([
    ['with a status', { status: 503 }, /^503 the simulation responds with 503/, false],
    ['of throttling', { status: 429, retryAfterSeconds: 1 }, /^429/, false],
    ['before a request', { cut: 'before' }, /fetch failed: PUT zones\/a: the connection was cut/, false],
    ['after a request', { cut: 'after' }, /fetch failed: PUT zones\/a: the connection was cut/, true],
    ['of latency', { delayMs: 5_000 }, '204 ', true],
  ])('%s', async (_, fault, result, isExecuted) => {
    faults.add({ ...fault, match: ({ resource }) => resource === 'zones' });
    const sent = send('PUT', '/a', '1').catch(
      ({ message, cause }: TypeError) => `${message}: ${(cause as Error).message}`,
    );
    await time.advance(10_000);
    expect(await sent).toMatch(result);
    expect(store.get('zones (service)', 'a') !== undefined).toBe(isExecuted);
  });
});
