import type { RESTRequest } from '@kgen/runtime/rest';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { metricsEndpoint } from './metrics-endpoint.ts';
import { ScrapeAccess } from './scrape-access.ts';

interface World {
  readonly access: ScrapeAccess;
  readonly clock: FakeClock;
  readonly requests: RESTRequest[];
  /** Returns the status of a response: 200 if the request is allowed. */
  readonly status: (authorization?: string, path?: string) => Promise<number>;
  readonly responses: {
    user: object | undefined;
    allowed: unknown;
    denied?: unknown;
    error?: Error;
    hold?: Promise<void>;
  };
}

const ignore = (): void => undefined;

function world(): World {
  const clock = new FakeClock();
  const requests: RESTRequest[] = [];
  const responses: World['responses'] = { user: { username: 'jane', groups: ['dev'] }, allowed: true };
  const request = async (sent: RESTRequest): Promise<unknown> => {
    requests.push(sent);
    await responses.hold;
    if (responses.error !== undefined) throw responses.error;
    const { user, allowed, denied } = responses;
    return sent.path.endsWith('tokenreviews')
      ? { status: { authenticated: user !== undefined, user } }
      : { status: { allowed, denied } };
  };
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const access = new ScrapeAccess({ rest: { request }, environment: { clock }, log });
  const status: World['status'] = async (authorization, path = '/metrics') =>
    (await access.refusalOf(authorization, path))?.status ?? 200;
  return { access, clock, requests, status, responses };
}

describe('ScrapeAccess', () => {
  it('reviews the token, and the access of its user to the path', async () => {
    const { status, requests } = world();
    expect(await status('Bearer t1')).toBe(200);
    expect(requests.map(({ method, path, body }) => [method, path, JSON.parse(String(body))])).toEqual([
      [
        'POST',
        '/apis/authentication.k8s.io/v1/tokenreviews',
        { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', spec: { token: 't1' } },
      ],
      [
        'POST',
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        {
          kind: 'SubjectAccessReview',
          apiVersion: 'authorization.k8s.io/v1',
          spec: { user: 'jane', groups: ['dev'], nonResourceAttributes: { path: '/metrics', verb: 'get' } },
        },
      ],
    ]);
  });

  it.each([undefined, '', 'Basic dTpw', 'Bearer', 'Bearer ', 'Bearer a b', `Bearer ${'x'.repeat(9000)}`])(
    'refuses %j with 401 without a review',
    async (authorization) => {
      const { status, requests } = world();
      expect(await status(authorization)).toBe(401);
      expect(requests).toEqual([]);
    },
  );

  it('refuses an unknown token with 401, and a user without permission with 403', async () => {
    const { status, responses } = world();
    responses.user = undefined;
    expect(await status('Bearer t1')).toBe(401);
    responses.user = { username: 'joe' };
    responses.allowed = false;
    expect(await status('Bearer t2')).toBe(403);
    responses.user = { username: 'kim' };
    responses.allowed = true;
    responses.denied = true;
    expect(await status('Bearer t3')).toBe(403);
    responses.user = { username: 'liz' };
    responses.denied = false;
    responses.allowed = 'yes';
    expect(await status('Bearer t4')).toBe(403);
  });

  it.each([
    ['a token', 60_000, true, ['tokenreviews']],
    ['a permission', 300_000, true, ['tokenreviews', 'subjectaccessreviews']],
    ['a refusal', 30_000, false, ['subjectaccessreviews']],
  ])('caches %s for %i ms', async (_, ms, allowed, expected) => {
    const { status, requests, clock, responses } = world();
    responses.allowed = allowed;
    await status('Bearer t1');
    await clock.advance(Math.min(ms, 60_000) - 1);
    await status('Bearer t1');
    const known = requests.length;
    await clock.advance(ms - Math.min(ms, 60_000) + 1);
    await status('Bearer t1');
    expect(requests.slice(known).map(({ path }) => path.split('/').at(-1))).toEqual(expected);
  });

  it('responds with 500 if the server does not decide, and asks again', async () => {
    const { status, responses } = world();
    responses.error = new Error('down');
    expect(await status('Bearer t1')).toBe(500);
    delete responses.error;
    expect(await status('Bearer t1')).toBe(200);
  });

  it('shares concurrent reviews of a token, and limits those of a flood of tokens to 8', async () => {
    const { status, requests, responses } = world();
    let release = ignore;
    responses.hold = new Promise((resolve) => {
      release = resolve;
    });
    const same = Array.from({ length: 100 }, () => status('Bearer t'));
    const flood = Array.from({ length: 100 }, (__, index) => status(`Bearer t${index}`));
    await settle();
    expect(requests.length).toBe(8);
    release();
    expect(new Set(await Promise.all(same))).toEqual(new Set([200]));
    expect((await Promise.all(flood)).filter((code) => code === 500).length).toBeGreaterThanOrEqual(93);
  });
});

describe('metricsEndpoint', () => {
  const request = { method: 'GET', path: '/metrics', query: new URLSearchParams(), authorization: undefined };

  it('returns the metrics of the registry, and 404 for other paths', async () => {
    const endpoint = metricsEndpoint({ registry: new Registry() });
    expect(await endpoint(request)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    });
    expect(await endpoint({ ...request, path: '/metrics/x' })).toMatchObject({ status: 404 });
  });

  it('returns no metrics without access', async () => {
    const endpoint = metricsEndpoint({ registry: new Registry(), access: world().access });
    expect(await endpoint(request)).toMatchObject({ status: 401 });
    expect(await endpoint({ ...request, authorization: 'Bearer t' })).toMatchObject({ status: 200 });
  });

  it('shares one scrape between concurrent requests', async () => {
    let scrapes = 0;
    const registry = new Registry();
    const metrics = registry.metrics.bind(registry);
    registry.metrics = () => {
      scrapes += 1;
      return metrics();
    };
    const endpoint = metricsEndpoint({ registry });
    await Promise.all(Array.from({ length: 20 }, () => endpoint(request)));
    expect(scrapes).toBe(1);
    await endpoint(request);
    expect(scrapes).toBe(2);
  });
});
