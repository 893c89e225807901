import { describe, expect, it } from 'vitest';
import type { EndpointResponse } from '../health/endpoint.ts';
import { debugEndpoint } from './debug-endpoint.ts';
import { explanationOf } from './explanation.ts';
import type { ReconcileRecord } from './record.ts';
import { ReviewLog } from './review-log.ts';

const key = { namespace: 'shop', name: 'web' };

const record = (number: number): ReconcileRecord => ({
  controller: 'app',
  key,
  number,
  reconcileID: 'id',
  startedAt: `2026-01-01T00:00:0${number}.000Z`,
  queuedMs: 1,
  durationMs: 2,
  attempt: 1,
  causes: [{ type: 'requeue', count: 1 }],
  reads: [],
  writes: [],
  omitted: { causes: 0, reads: 2, writes: 0 },
  outcome: { type: 'success' },
});

const controller = {
  name: 'app',
  explain: (requested: typeof key) =>
    explanationOf({
      controller: 'app',
      key: requested,
      state: { type: 'idle' },
      cachedVersion: '7',
      failures: 0,
      total: 1,
      reconciles: [record(1)],
    }),
  reconciles: (limit: number) => [record(2), record(1)].slice(0, limit),
};

const reviews = new ReviewLog();
const review = {
  path: '/validates/example.com/v1/rings',
  operation: 'CREATE',
  kind: 'Ring.v1.example.com',
  namespace: 'shop',
  name: 'web',
  uid: 'u',
  user: 'alice',
  durationMs: 1.5,
  outcome: 'denied',
  code: 422,
  reason: 'Invalid',
  fields: ['spec.size'],
  error: '',
} as const;

const endpoint = debugEndpoint({
  controllers: () => [controller, { ...controller, name: 'other' }],
  reviews,
});

async function get(query: string, path = '/debug/reconciles'): Promise<EndpointResponse> {
  const request = { method: 'GET', path, authorization: undefined };
  return endpoint({ ...request, query: new URLSearchParams(query) });
}

describe('/debug/reconciles', () => {
  it('lists the newest reconciles as text and as JSON', async () => {
    const { body, headers } = await get('controller=app');
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toBe(
      [2, 1]
        .map((number) =>
          [
            `app shop/web #${number} at 2026-01-01T00:00:0${number}.000Z, took 2 ms, queued 1 ms: succeeded`,
            '  woken by the delay that the last reconcile requested',
            '  and 2 more reads',
            '',
          ].join('\n'),
        )
        .join(''),
    );
    const json = await get('format=json&limit=1');
    expect(json.headers['content-type']).toBe('application/json');
    expect(JSON.parse(json.body)).toEqual({ items: [record(2)] });
  });

  it('explains a key in each controller', async () => {
    const { body } = await get('key=shop/web');
    expect(body.match(/^app shop\/web: 1 reconcile; version 7 in the cache/gm)).toHaveLength(2);
    const { items } = JSON.parse((await get('key=node-1&controller=app&format=json')).body);
    expect(items).toMatchObject([{ key: { namespace: '', name: 'node-1' }, state: { type: 'idle' } }]);
  });

  it.each([
    ['controller=none', 404, 'no controller'],
    ['key=', 400, 'key must be'],
    ['key=a/b/c/d', 400, 'key must be'],
    ['limit=0', 400, 'limit must be'],
    ['limit=1001', 400, 'limit must be'],
    ['limit=many', 400, 'limit must be'],
    ['format=xml', 400, 'format must be'],
  ])('refuses %s', async (query, status, message) => {
    const response = await get(query);
    expect([response.status, response.body]).toEqual([status, expect.stringContaining(message)]);
  });
});

describe('/debug/reviews', () => {
  const at = Date.parse('2026-01-01T00:00:01.500Z');
  reviews.add(review, at);
  for (let number = 0; number < 999; number += 1)
    reviews.add({ ...review, name: `n${number}`, outcome: 'allowed', code: 200, reason: '', fields: [] }, at);

  it('lists the reviews of an object', async () => {
    const { body } = await get('key=shop/web', '/debug/reviews');
    expect(body).toBe(
      '/validates/example.com/v1/rings at 2026-01-01T00:00:01.498Z, took 1.5 ms: CREATE Ring.v1.example.com shop/web by alice: denied 422 Invalid spec.size\n',
    );
  });

  it('lists the newest first, and forgets all but 1,000', async () => {
    const names = async (query: string): Promise<readonly unknown[]> => {
      const { body } = await get(`format=json&${query}`, '/debug/reviews');
      return JSON.parse(body).items.map(({ name }: { readonly name: string }) => name);
    };
    expect(await names('limit=2')).toEqual(['n998', 'n997']);
    expect(await names('webhook=/other')).toEqual([]);
    expect((await names('limit=1000&webhook=/validates/example.com/v1/rings')).at(-1)).toBe('web');
    reviews.add({ ...review, name: 'last' }, at);
    expect((await names('limit=1000')).at(-1)).toBe('n0');
    expect((await names('limit=1'))[0]).toBe('last');
  });
});
