import { describe, expect, it } from 'vitest';
import type { RESTRequest } from '../api/transport.ts';
import { closedSignals } from './abort/abort-on-close.ts';
import { RESTClient } from './client.ts';
import { type RESTInterceptor, wrapRESTClient } from './wrap-client.ts';

function clients(interceptor: Partial<RESTInterceptor> = {}) {
  const sent: string[] = [];
  const seen: RESTRequest[] = [];
  const rest = new RESTClient(
    { server: 'http://127.0.0.1:1', namespace: 'shop' },
    {
      transport: async ({ method, path, signal }) => {
        signal?.throwIfAborted();
        sent.push(`${method} ${path}`);
        const body = (async function* () {
          yield Buffer.from('{"kind":"X"}');
        })();
        const headers = { 'content-type': 'application/json' };
        return { status: 200, headers, body, cancel: () => undefined };
      },
    },
  );
  const wrapped = wrapRESTClient(rest, {
    request: (request, send) => {
      seen.push(request);
      return send();
    },
    stream: (request, send) => {
      seen.push(request);
      return send();
    },
    ...interceptor,
  });
  return { rest, wrapped, sent, seen };
}

describe('a wrapped client', () => {
  it.each<[name: string, call: (rest: RESTClient) => Promise<unknown>, want: string]>([
    ['request', (rest) => rest.request({ path: '/version' }), 'GET /version'],
    ['get', (rest) => rest.get('/a/{b}', { path: { b: 'c' } }), 'GET /a/c'],
    ['post', (rest) => rest.post('/a', { body: {} }), 'POST /a'],
    ['put', (rest) => rest.put('/a', { body: {} }), 'PUT /a'],
    ['patch', (rest) => rest.patch('/a', { body: {} }), 'PATCH /a'],
    ['delete', (rest) => rest.delete('/a'), 'DELETE /a'],
  ])('%s passes through the interceptor', async (_, call, want) => {
    const { wrapped, sent, seen } = clients();
    expect(await call(wrapped)).toEqual({ kind: 'X' });
    expect(sent).toEqual([want]);
    expect(seen.map(({ method = 'GET', path }) => `${method} ${path}`)).toEqual([want]);
  });

  it('streams pass through the interceptor', async () => {
    const { wrapped, sent, seen } = clients();
    const { body } = await wrapped.stream({ path: '/metrics' });
    const chunks: string[] = [];
    for await (const chunk of body) chunks.push(String(chunk));
    expect({ chunks, sent, seen: seen.length }).toEqual({
      chunks: ['{"kind":"X"}'],
      sent: ['GET /metrics'],
      seen: 1,
    });
  });

  it('returns the value of the interceptor without a request', async () => {
    const { wrapped, sent } = clients({ request: async () => 'own' });
    expect(await wrapped.patch('/a', { body: {} })).toBe('own');
    expect(sent).toEqual([]);
  });

  it('sends with the signal of the interceptor', async () => {
    const reason = new Error('stopped');
    const { wrapped } = clients({ request: (_, send) => send({ signal: AbortSignal.abort(reason) }) });
    await expect(wrapped.request({ path: '/version' })).rejects.toBe(reason);
  });

  it('shares namespace, statistics and the signal of closing, and closes both', async () => {
    const { rest, wrapped } = clients();
    expect(wrapped.namespace).toBe('shop');
    expect(wrapped.stats()).toEqual(rest.stats());
    expect(closedSignals.get(wrapped)).toBe(closedSignals.get(rest));
    const { close } = wrapped;
    await close();
    expect(closedSignals.get(rest)?.aborted).toBe(true);
  });

  it('rejects invalid calls instead of throwing', async () => {
    const { wrapped } = clients();
    await expect(wrapped.delete('/a/')).rejects.toThrow(TypeError);
  });
});
