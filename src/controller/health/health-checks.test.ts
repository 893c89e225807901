import { describe, expect, it } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { type EndpointResponse, respond } from './endpoint.ts';
import { type HealthCheck, HealthChecks, healthEndpoint } from './health-checks.ts';

const ignore = (): void => undefined;

interface World {
  readonly get: (target: string, method?: string) => Promise<EndpointResponse>;
  readonly healthz: HealthChecks;
  readonly clock: FakeClock;
  readonly logged: object[];
}

function world(checks: Readonly<Record<string, HealthCheck>> = {}): World {
  const clock = new FakeClock();
  const logged: object[] = [];
  const log = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (fields: object) => void logged.push(fields),
  };
  const healthz = new HealthChecks({ log, environment: { clock } });
  for (const [name, check] of Object.entries(checks)) healthz.add(name, check);
  const endpoint = healthEndpoint({ healthz, readyz: new HealthChecks() });
  const get: World['get'] = (target, method = 'GET') => {
    const [path = '', query] = target.split('?');
    const request = { method, path, query: new URLSearchParams(query), authorization: undefined };
    return respond(endpoint, request, log);
  };
  return { get, healthz, clock, logged };
}

const fail = (): never => {
  throw new Error('secret');
};
const pass = (): boolean => true;

describe('health endpoint', () => {
  it.each<[string, Readonly<Record<string, HealthCheck>>, number, string]>([
    ['/healthz', {}, 200, 'ok'],
    ['/healthz?verbose', {}, 200, '[+]ping ok\nhealthz check passed\n'],
    ['/healthz/ping', { a: fail }, 200, 'ok'],
    ['/readyz', { a: fail }, 200, 'ok'],
    ['/healthz', { a: pass, b: pass }, 200, 'ok'],
    ['/healthz?verbose=1', { a: pass, b: pass }, 200, '[+]a ok\n[+]b ok\nhealthz check passed\n'],
    ['/healthz', { a: pass, b: fail }, 500, '[+]a ok\n[-]b failed: reason withheld\nhealthz check failed\n'],
    ['/healthz?exclude=b', { a: pass, b: fail }, 200, 'ok'],
    [
      '/healthz?exclude=b&verbose',
      { a: pass, b: fail },
      200,
      '[+]a ok\n[+]b excluded: ok\nhealthz check passed\n',
    ],
    ['/healthz?exclude=b&exclude=c', { a: pass, b: fail, c: fail }, 200, 'ok'],
    [
      '/healthz?exclude=<x>&verbose',
      { a: pass },
      200,
      '[+]a ok\nwarn: some health checks cannot be excluded: no matches\nhealthz check passed\n',
    ],
    ['/healthz/a', { a: pass, b: fail }, 200, 'ok'],
    ['/healthz/b', { a: pass, b: fail }, 500, '[-]b failed: reason withheld\n'],
    ['/healthz/c', { a: pass }, 404, 'not found\n'],
    ['/healthzz', {}, 404, 'not found\n'],
    ['/', {}, 404, 'not found\n'],
    [
      '/healthz',
      { a: () => Promise.reject(undefined) },
      500,
      '[-]a failed: reason withheld\nhealthz check failed\n',
    ],
  ])('responds to %s with the checks %o with %i', async (target, checks, status, body) => {
    const response = await world(checks).get(target);
    expect([response.status, response.body]).toEqual([status, body]);
    expect(response.headers['x-content-type-options']).toBe('nosniff');
  });

  it('logs the reason of a failure, which the response does not contain', async () => {
    const { get, logged } = world({ a: fail });
    expect((await get('/healthz')).body).not.toContain('secret');
    expect(logged).toEqual([{ check: 'a', error: new Error('secret') }]);
  });

  it('fails a check that does not settle within 5 s, and shares running checks', async () => {
    let calls = 0;
    const { get, clock } = world({
      a: () => {
        calls += 1;
        return new Promise(() => undefined);
      },
    });
    const responses = Array.from({ length: 50 }, () => get('/healthz'));
    await clock.advance(5000);
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(responses.map(() => 500));
    expect(calls).toBe(1);
    expect(clock.armed).toBe(0);
  });

  it('removes a check', async () => {
    const { get, healthz } = world();
    const remove = healthz.add('a', fail);
    expect((await get('/healthz')).status).toBe(500);
    remove();
    expect((await get('/healthz')).status).toBe(200);
  });

  it.each(['', 'a/b', 'a b', 'known'])('throws TypeError for a check with the name %j', (name) => {
    const { healthz } = world({ known: pass });
    expect(() => healthz.add(name, pass)).toThrow(TypeError);
  });

  it.each(['POST', 'DELETE', 'PUT', 'OPTIONS'])('refuses %s', async (method) => {
    expect((await world().get('/healthz', method)).status).toBe(405);
  });

  it('has no timer after a response', async () => {
    const { get, clock } = world({ a: pass });
    await get('/healthz');
    await settle();
    expect(clock.armed).toBe(0);
  });
});
