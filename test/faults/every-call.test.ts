/**
 * Every method that sends requests: options that each method supports, and arguments that each method
 * rejects.
 */
import { Clientset } from '@kgen/kubernetes';
import { isTimeoutError, type RequestOptions } from '@kgen/runtime';
import type { APIRequest, APIResponse } from '@kgen/runtime/rest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

type Call = (clientset: Clientset, options: RequestOptions, name: string) => Promise<unknown>;

/** Requests the first item, and returns whether there is none. */
async function first(items: AsyncIterable<unknown>): Promise<unknown> {
  return (await items[Symbol.asyncIterator]().next()).done;
}

const apply = { fieldManager: 'me' };
const metadata = (name: string) => ({ metadata: { name, resourceVersion: '1', uid: '1' } });
const spec = { selector: {}, template: {} };

/** Methods with a name. */
const named: Readonly<Record<string, Call>> = {
  get: ({ coreV1 }, options, name) => coreV1.pods('shop').get(name, options),
  find: ({ coreV1 }, options, name) => coreV1.pods('shop').find(name, options),
  update: ({ coreV1 }, options, name) =>
    coreV1.pods('shop').update({ ...metadata(name), spec: { containers: [] } }, options),
  updateStatus: ({ coreV1 }, options, name) =>
    coreV1.pods('shop').updateStatus({ ...metadata(name), spec: { containers: [] } }, options),
  patch: ({ coreV1 }, options, name) => coreV1.pods('shop').patch(name, {}, options),
  patchStatus: ({ coreV1 }, options, name) => coreV1.pods('shop').patchStatus(name, {}, options),
  apply: ({ coreV1 }, options, name) =>
    coreV1.pods('shop').apply({ metadata: { name } }, { ...apply, ...options }),
  applyStatus: ({ coreV1 }, options, name) =>
    coreV1.pods('shop').applyStatus({ metadata: { name } }, { ...apply, ...options }),
  delete: ({ coreV1 }, options, name) => coreV1.pods('shop').delete(name, options),
  deleteAndWait: ({ coreV1 }, options, name) => coreV1.pods('shop').deleteAndWait(name, options),
  evict: ({ coreV1 }, options, name) => coreV1.pods('shop').evict(name, {}, options),
  bind: ({ coreV1 }, options, name) => coreV1.pods('shop').bind(name, { target: { name: 'node' } }, options),
  createToken: ({ coreV1 }, options, name) =>
    coreV1.serviceAccounts('shop').createToken(name, { spec: { audiences: [] } }, options),
  getLog: ({ coreV1 }, options, name) => coreV1.pods('shop').getLog(name, options),
  streamLog: ({ coreV1 }, options, name) => first(coreV1.pods('shop').streamLog(name, options)),
  'streamLog with follow': ({ coreV1 }, options, name) =>
    first(coreV1.pods('shop').streamLog(name, { ...options, follow: true })),
  getScale: ({ appsV1 }, options, name) => appsV1.deployments('shop').getScale(name, options),
  updateScale: ({ appsV1 }, options, name) =>
    appsV1.deployments('shop').updateScale({ ...metadata(name), spec: { replicas: 1 } }, options),
  patchScale: ({ appsV1 }, options, name) => appsV1.deployments('shop').patchScale(name, {}, options),
  'get of a cluster': ({ coreV1 }, options, name) => coreV1.nodes().get(name, options),
  'rest.get': ({ rest }, options, name) => rest.get('/api/v1/nodes/{name}', { ...options, path: { name } }),
  'rest.post': ({ rest }, options, name) => rest.post('/api/v1/nodes/{name}', { ...options, path: { name } }),
  'rest.put': ({ rest }, options, name) => rest.put('/api/v1/nodes/{name}', { ...options, path: { name } }),
  'rest.patch': ({ rest }, options, name) =>
    rest.patch('/api/v1/nodes/{name}', { ...options, path: { name } }),
  'rest.delete': ({ rest }, options, name) =>
    rest.delete('/api/v1/nodes/{name}', { ...options, path: { name } }),
};

/** Methods without a name. */
const unnamed: Readonly<Record<string, Call>> = {
  list: ({ coreV1 }, options) => coreV1.pods('shop').list(options),
  'list of all': ({ coreV1 }, options) => coreV1.pods().list(options),
  iterate: ({ coreV1 }, options) => first(coreV1.pods('shop').iterate(options)),
  watch: ({ coreV1 }, options) => first(coreV1.pods('shop').watch(options)),
  waitFor: ({ coreV1 }, options) => coreV1.pods('shop').waitFor('web', () => false, options),
  create: ({ appsV1 }, options) =>
    appsV1.deployments('shop').create({ metadata: { name: 'web' }, spec }, options),
  deleteCollection: ({ coreV1 }, options) => coreV1.pods('shop').deleteCollection(options),
};

/** Loops without an end of their own, which an abort ends without an error. */
const endless: ReadonlySet<string> = new Set(['watch', 'streamLog with follow']);

const every = Object.entries({ ...named, ...unnamed });

/** Returns a client of a server that never responds, its requests, and a promise of the first request. */
function silent(): { clientset: Clientset; sent: APIRequest[]; requested: Promise<void> } {
  const sent: APIRequest[] = [];
  let notify = (): void => undefined;
  const requested = new Promise<void>((resolve) => {
    notify = resolve;
  });
  const transport = (request: APIRequest): Promise<APIResponse> => {
    sent.push(request);
    notify();
    return new Promise((_, reject) => {
      request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
    });
  };
  return { clientset: new Clientset({ server: 'https://h' }, { transport }), sent, requested };
}

async function reasonOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => (value === true ? 'no item' : 'did not fail'),
    (reason: unknown) => reason,
  );
}

describe.each(every)('%s', (method, call) => {
  it('times out after timeoutMs', async () => {
    // Modules that are loaded before the first request need real time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { clientset, sent, requested } = silent();
    const failed = reasonOf(call(clientset, { timeoutMs: 20 }, 'web'));
    await requested;
    vi.advanceTimersByTime(19);
    expect(sent[0]?.signal?.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await failed).toSatisfy(isTimeoutError);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.signal?.aborted).toBe(true);
  });

  it(
    endless.has(method) ? 'ends without an error on abort' : 'aborts with the reason of its signal',
    async () => {
      const { clientset, sent, requested } = silent();
      const controller = new AbortController();
      const { signal } = controller;
      const reason = new Error('enough');
      const failed = reasonOf(call(clientset, { signal }, 'web'));
      await requested;
      controller.abort(reason);
      expect(await failed).toBe(endless.has(method) ? 'no item' : reason);
      expect(sent).toHaveLength(1);
      expect(sent[0]?.signal?.aborted).toBe(true);
    },
  );

  it('sends the headers of its caller and its impersonation', async () => {
    const { clientset, sent, requested } = silent();
    const controller = new AbortController();
    const impersonate = { user: 'jane', groups: ['devs'] };
    const options = { signal: controller.signal, impersonate, headers: { 'X-Mine': '1' } };
    const failed = reasonOf(call(clientset, options, 'web'));
    await requested;
    controller.abort();
    await failed;
    expect(sent[0]).toMatchObject({ impersonate, headers: { 'x-mine': '1' } });
  });
});

describe.each(Object.entries(named))('%s', (_, call) => {
  it.each(['', '.', '..', 'a/b', '../b', 'a%2fb', '%'])(
    'throws for the name %j before any request',
    async (name) => {
      const { clientset, sent } = silent();
      expect(await reasonOf((async () => call(clientset, {}, name))())).toBeInstanceOf(TypeError);
      expect(sent).toEqual([]);
    },
  );
});

it.each(['', '.', '..', 'a/b', '%2e'])('throws for the namespace %j', (namespace) => {
  const { clientset, sent } = silent();
  expect(() => clientset.coreV1.pods(namespace)).toThrow(TypeError);
  expect(sent).toEqual([]);
});
