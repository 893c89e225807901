import { ApiError, ConfigError, RESTClient } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { Access } from '../client/accesses.ts';
import { ManagerStartError } from '../errors.ts';
import { checkAccesses } from './preflight.ts';

/** Response of a review: whether the access is allowed, an error, or none. */
type Review = boolean | Error | 'hangs' | object;

const unused = { transport: () => Promise.reject(new Error('not used')) };

/** A client whose reviews respond by `reviewOf`. */
function reviewer(reviewOf: (resource: string, namespace: string) => Review) {
  const seen = { requests: 0, open: 0, most: 0 };
  const post = async (
    _: string,
    { body, signal }: { readonly body: unknown; readonly signal: AbortSignal },
  ) => {
    seen.requests += 1;
    seen.open += 1;
    seen.most = Math.max(seen.most, seen.open);
    await new Promise((resolve) => setImmediate(resolve));
    seen.open -= 1;
    const { resource, namespace } = JSON.parse(JSON.stringify(body)).spec.resourceAttributes;
    const review = reviewOf(resource, namespace);
    if (review === 'hangs') {
      return new Promise((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    if (review instanceof Error) throw review;
    return typeof review === 'boolean' ? { status: { allowed: review } } : review;
  };
  return { seen, rest: Object.assign(new RESTClient({ server: 'http://stub' }, unused), { post }) };
}

function access(rest: RESTClient, resource: string, changes: Partial<Access> = {}): Access {
  const neededBy = ['controller shop'];
  return {
    rest,
    verb: 'list',
    group: 'apps',
    resource,
    namespace: 'shop',
    neededBy,
    ...changes,
  };
}

/** Runs a check. With `isSlow`, the time limit ends after every review had its turn of the event loop. */
async function check(
  accesses: readonly Access[],
  { stopping = new AbortController().signal, isSlow = false } = {},
) {
  const log: string[] = [];
  const timers = { started: 0, cancelled: 0 };
  const write = (_: object, message: string) => void log.push(message);
  const result = await checkAccesses(accesses, {
    clock: {
      now: () => 0,
      timer: (ms, callback) => {
        timers.started += 1;
        log.push(`limit ${ms}`);
        if (isSlow) setImmediate(() => setImmediate(callback));
        return () => {
          timers.cancelled += 1;
        };
      },
    },
    log: { debug: write, info: write, warn: write, error: write },
    stopping,
  }).catch((error: unknown) => error);
  expect(timers).toEqual({ started: 1, cancelled: 1 });
  return { result, log: log.slice(1) };
}

describe('checkAccesses', () => {
  it('names every missing permission in one error, with controller, verb, resource and namespace', async () => {
    const { rest } = reviewer((resource) => resource === 'deployments');
    const { result } = await check([
      access(rest, 'deployments'),
      access(rest, 'statefulsets', { neededBy: ['controller a', 'controller b'] }),
      access(rest, 'nodes', { group: '', namespace: undefined, verb: 'watch' }),
      access(rest, 'leases', { group: 'coordination.k8s.io', name: 'x', neededBy: ['leader election'] }),
    ]);
    expect(result).toBeInstanceOf(ManagerStartError);
    expect(String(result)).toBe(
      'ManagerStartError: missing permissions: ' +
        'controller a, controller b: list statefulsets.apps in namespace shop; ' +
        'controller shop: watch nodes in all namespaces; ' +
        'leader election: list leases.coordination.k8s.io x in namespace shop. ' +
        'Grant them by a Role or ClusterRole to the user of this program, or disable this check by checkPermissions: false',
    );
  });

  it.each<readonly [string, Review, RegExp]>([
    ['is not served', new ApiError({ code: 404, reason: 'NotFound' }), /404/],
    ['is forbidden', new ApiError({ code: 403, reason: 'Forbidden' }), /403/],
    ['fails', new ApiError({ code: 500, reason: 'InternalError' }), /500/],
    ['cannot be reached', new TypeError('fetch failed'), /fetch failed/],
    ['returns nonsense', {}, /no review/],
    ['hangs', 'hangs', /did not respond within 10 s/],
  ])('warns and continues if the review %s', async (_, review, message) => {
    const { rest } = reviewer(() => review);
    const { result, log } = await check([access(rest, 'pods')], { isSlow: review === 'hangs' });
    expect(result).toBeUndefined();
    expect(log).toEqual([expect.stringMatching(message)]);
  });

  it('reports a denied access although another review hangs', async () => {
    const { rest } = reviewer((resource) => (resource === 'pods' ? 'hangs' : false));
    const { result } = await check([access(rest, 'pods'), access(rest, 'nodes')], { isSlow: true });
    expect(String(result)).toContain('list nodes.apps');
  });

  it.each([
    [
      'credentials',
      new ApiError({ code: 401, reason: 'Unauthorized' }),
      'the API server rejects the credentials',
    ],
    ['configurations', new ConfigError('the CA is malformed'), 'the configuration cannot be used: the CA'],
  ])('throws ManagerStartError for invalid %s', async (_, error, message) => {
    const { rest } = reviewer(() => error);
    const { result } = await check([access(rest, 'pods')]);
    expect(String(result)).toContain(`ManagerStartError: ${message}`);
  });

  it('has at most 10 reviews at once', async () => {
    const { rest, seen } = reviewer(() => true);
    const accesses = Array.from({ length: 95 }, (_, index) => access(rest, `kind${index}`));
    const { result } = await check(accesses);
    expect(result).toBeUndefined();
    expect(seen).toEqual({ requests: 95, open: 0, most: 10 });
  });

  it('ends without a result when the manager stops', async () => {
    const stop = new AbortController();
    const { rest } = reviewer((resource) => {
      if (resource === 'pods') setImmediate(() => stop.abort(new Error('stopped')));
      return resource === 'pods' ? 'hangs' : false;
    });
    const { result, log } = await check([access(rest, 'nodes'), access(rest, 'pods')], {
      stopping: stop.signal,
    });
    expect([result, log]).toEqual([undefined, []]);
  });
});
