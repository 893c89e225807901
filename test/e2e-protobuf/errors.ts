import type { Clientset, coreV1 } from '@kgen/kubernetes';
import { isApiError, isExpired } from '@kgen/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { apiErrorOf, failure } from '../support/errors.ts';
import { compact } from '../support/etcd.ts';
import { record } from '../support/recording.ts';
import { pair } from './clientset-pair.ts';
import type { Env } from './env.ts';
import { json, protobuf } from './raw-client.ts';
import { otherThanProtobuf } from './traffic.ts';

interface Case {
  readonly code: number;
  readonly reason: string;
  call(clientset: Clientset, namespace: string): Promise<unknown>;
}

const cases: Readonly<Record<string, Case>> = {
  'a missing object': {
    code: 404,
    reason: 'NotFound',
    call: ({ coreV1 }, namespace) => coreV1.configMaps(namespace).get('nobody'),
  },
  'a missing namespace': {
    code: 404,
    reason: 'NotFound',
    call: ({ coreV1 }) => coreV1.configMaps('nowhere').create({ metadata: { name: 'a' } }),
  },
  'an object that exists already': {
    code: 409,
    reason: 'AlreadyExists',
    call: ({ coreV1 }, namespace) =>
      coreV1.serviceAccounts(namespace).create({ metadata: { name: 'default' } }),
  },
  'an object of another version': {
    code: 409,
    reason: 'Conflict',
    call: ({ coreV1 }, namespace) =>
      coreV1.serviceAccounts(namespace).update({ metadata: { name: 'default', resourceVersion: '1' } }),
  },
  'an object that is wrong in many places': {
    code: 422,
    reason: 'Invalid',
    call: ({ coreV1 }, namespace) => {
      const containers = [{ name: 'Web', image: '', ports: [{ containerPort: 0 }] }];
      return coreV1.pods(namespace).create({ metadata: { name: 'web' }, spec: { containers } });
    },
  },
  'a selector of an unknown field': {
    code: 400,
    reason: 'BadRequest',
    call: ({ coreV1 }, namespace) => coreV1.configMaps(namespace).list({ fieldSelector: 'data.a=b' }),
  },
  'a user without permission': {
    code: 403,
    reason: 'Forbidden',
    call: ({ coreV1 }, namespace) => coreV1.secrets(namespace).list({ impersonate: { user: 'eve' } }),
  },
};

/** Registers tests of errors in protobuf. */
export function errorTests(env: Env): void {
  describe('an error', () => {
    it.each(Object.entries(cases))('of %s is equal in both formats', async (_, { code, reason, call }) => {
      const { protobuf: clientset, json: other, seen } = pair(env);
      const { namespace } = await env.home();
      const error = await apiErrorOf(isApiError, call(clientset, namespace));
      const same = await apiErrorOf(isApiError, call(other, namespace));
      expect(error).toMatchObject({ code, reason });
      expect(error.status).toStrictEqual(same.status);
      expect(error.message).toBe(same.message);
      expect(error.retryAfterSeconds).toBe(same.retryAfterSeconds);
      expect(seen.at(-1)).toMatchObject({ status: code, received: protobuf });
    });

    expiryTests(env);
  });

  refusedFormTests(env);
}

/**
 * Registers tests of expired watches. Events are the only kind without a watch cache: a compaction of etcd
 * expires their history.
 */
function expiryTests(env: Env): void {
  it('of an expired page has the token to continue with', async () => {
    const { protobuf: clientset, json: other, seen } = pair(env);
    const events = await happening(env, clientset);
    const { metadata } = await events.list({ limit: 1 });
    await happening(env, clientset);
    await compact(env.plane.etcd);
    const page = { limit: 1, continue: metadata.continue };
    const error = await apiErrorOf(isExpired, events.list(page));
    const { namespace } = events;
    const same = await apiErrorOf(isExpired, other.coreV1.events(namespace).list(page));
    expect(error).toMatchObject({ code: 410, message: same.message, details: same.details });
    const rest = await events.list({ limit: 10, continue: error.status.metadata?.continue });
    expect(rest.items.map(({ metadata: { name } }) => name)).toEqual(['b', 'c']);
    expect(seen.find(({ status }) => status === 410)).toMatchObject({ received: protobuf });
    expect(otherThanProtobuf(seen)).toEqual([]);
  });

  it('of an expired watch is an ERROR event', async () => {
    const { protobuf: clientset, seen } = pair(env);
    const events = await happening(env, clientset);
    const { metadata } = await events.list();
    await happening(env, clientset);
    await compact(env.plane.etcd);
    const { resourceVersion } = metadata;
    const watch = record(onTestFinished, (signal) => events.watch({ signal, resourceVersion }));
    const error = await failure(watch.until(() => false));
    expect(isExpired(error)).toBe(true);
    expect(error).toMatchObject({ code: 410, reason: 'Expired' });
    expect(seen.at(-1)).toMatchObject({ watch: true, received: protobuf });
  });
}

/** Creates three events in a namespace of their own. */
async function happening(
  env: Env,
  { coreV1 }: Clientset,
): Promise<coreV1.EventClient & { namespace: string }> {
  const { namespace } = await env.home();
  const events = coreV1.events(namespace);
  const involvedObject = { kind: 'Namespace', name: namespace, namespace };
  for (const name of ['a', 'b', 'c']) await events.create({ metadata: { name }, involvedObject });
  return Object.assign(events, { namespace });
}

/** Registers tests of the response to an unsupported encoding, after which clients fall back to JSON. */
function refusedFormTests(env: Env): void {
  it.each([
    { of: 'a custom resource', path: '/apis/my.domain/v1/myapps' },
    { of: 'a watch of one', path: '/apis/my.domain/v1/myapps?watch=1&timeoutSeconds=1' },
    { of: 'a table', path: '/api/v1/pods', accept: `${protobuf};as=Table;g=meta.k8s.io;v=v1` },
  ])('returns 406 for $of in protobuf only', async ({ path, accept = protobuf }) => {
    // A new definition may not be available yet.
    await expect.poll(async () => (await env.raw.request({ path, accept })).status, deadline).toBe(406);
    const { status, contentType } = await env.raw.request({ path, accept: `${accept},${json}` });
    expect([status, contentType]).toEqual([200, json]);
  });

  it('returns 415 for a body of an unknown type', async () => {
    const question = {
      method: 'POST',
      path: '/api/v1/namespaces',
      body: 'x',
      contentType: 'text/plain',
    } as const;
    const { status, contentType } = await env.raw.request({ ...question, accept: protobuf });
    expect([status, contentType]).toEqual([415, protobuf]);
  });
}
