/** Spans of controllers, with a tracer provider and a context manager in memory. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Controller, Manager, type Reconcile } from '@kgen/controller';
import { validates, webhooks } from '@kgen/controller/webhooks';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { expect, it, onTestFinished } from 'vitest';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import { type World, world } from './support.ts';

/** A span that was started. */
interface Recorded {
  readonly tracer: string;
  readonly name: string;
  readonly kind: number | undefined;
  readonly parent: string | undefined;
  readonly attributes: Attributes;
  readonly events: Attributes[];
  status?: object;
  exception?: unknown;
  isEnded?: boolean;
}

/** Registers an SDK for the test. Its spans are recorded, dropped by a sampler, or all of its calls throw. */
function sdk(mode: 'records' | 'drops' | 'throws' = 'records', hasContexts = true): readonly Recorded[] {
  const spans: Recorded[] = [];
  const names = new Map<unknown, string>();
  const fail = (): never => {
    throw new Error('defect of the SDK');
  };
  const start = (tracer: string, name: string, options: SpanOptions, parent: Context): Span => {
    const from = options.root === true ? undefined : trace.getSpan(parent);
    const attributes = { ...options.attributes };
    const recorded: Recorded = {
      ...{ tracer, name, kind: options.kind, attributes, events: [] },
      parent: names.get(from),
    };
    spans.push(recorded);
    const calls = {
      isRecording: () => mode !== 'drops',
      addEvent: (_: string, event: Attributes) => void recorded.events.push(event),
      setAttributes: (more: object) => Object.assign(attributes, more),
      recordException: (exception: unknown) => Object.assign(recorded, { exception }),
      setStatus: (status: object) => Object.assign(recorded, { status }),
      end: () => Object.assign(recorded, { isEnded: true }),
    };
    const failing = { ...calls, addEvent: fail, setAttributes: fail, setStatus: fail, end: fail };
    // Controllers call these methods only.
    const span: Span = (mode === 'throws' ? failing : calls) as never;
    names.set(span, name);
    return span;
  };
  const tracerOf = (tracer: string): Tracer => ({
    startSpan: (name, options = {}, parent = context.active()) =>
      mode === 'throws' ? fail() : start(tracer, name, options, parent),
    // Controllers use the form with options.
    startActiveSpan: ((name: string, options: SpanOptions, work: (span: Span) => unknown) => {
      const span = start(tracer, name, options, context.active());
      return context.with(trace.setSpan(context.active(), span), () => work(span));
    }) as never,
  });
  trace.setGlobalTracerProvider({ getTracer: tracerOf });
  if (hasContexts) context.setGlobalContextManager(contexts());
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  return spans;
}

function contexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (value, work, self, ...args) => storage.run(value, () => work.call(self as never, ...args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

/** A controller in a world, for the app `shop/web`. */
async function traced(reconcile: (it: World) => Reconcile<MyApp, undefined>): Promise<World> {
  const it = await world();
  const controller = { name: 'traced', for: it.informers.myV1.myApps(), maxAttempts: 2 };
  it.manager.add(new Controller({ ...controller, reconcile: reconcile(it) }));
  void it.run();
  await it.user.myV1
    .myApps('shop')
    .create({ metadata: { name: 'web' }, spec: { appName: 'a', version: '1' } });
  return it;
}

it('runs are spans with their causes and their end', async () => {
  const spans = sdk();
  const it = await traced(() => (_, { attempt }) => {
    if (attempt === 1) throw new Error('once');
    return { requeueAfterMs: 60_000 };
  });
  await expect.poll(() => spans.filter(({ isEnded }) => isEnded).length).toBe(2);
  const key = { 'k8s.namespace.name': 'shop', 'kgen.object.name': 'web' };
  const change = { 'kgen.cause.type': 'add', 'kgen.resource': 'myapps.my.domain', ...key };
  expect(spans).toMatchObject([
    {
      ...{ tracer: '@kgen/controller', name: 'reconcile traced', parent: undefined },
      attributes: { 'kgen.controller': 'traced', 'kgen.attempt': 1, 'kgen.outcome': 'retry', ...key },
      events: [{ ...change, 'kgen.cause.count': 1, 'kgen.resource_version.before': '' }],
      status: { code: 2, message: 'once' },
      exception: new Error('once'),
    },
    {
      attributes: { 'kgen.attempt': 2, 'kgen.outcome': 'requeueAfter', 'kgen.requeue_after_ms': 60_000 },
      events: [{ 'kgen.cause.type': 'retry' }],
    },
  ]);
  expect(spans[0]?.events[0]?.['kgen.resource_version.after']).toMatch(/^\d+$/);
  expect(spans[1]).not.toHaveProperty('status');
  const ids = spans.map(({ attributes }) => attributes['kgen.reconcile_id']);
  expect(it.log.map(({ fields }) => fields['reconcileID'])).toContain(ids[0]);
  await it.stop();
});

it.each([true, false])(
  'requests are spans below that of their run (context manager: %s)',
  async (hasContexts) => {
    const spans = sdk('records', hasContexts);
    const it = await traced(({ clientset, manager }) => async ({ metadata }) => {
      const apps = clientset.myV1.myApps('shop');
      const intent = { metadata: { name: 'web' }, status: { readyReplicas: 1 } };
      await apps.applyStatus(intent, { fieldManager: 'w', force: true });
      await apps.applyStatus(intent, { fieldManager: 'w', force: true });
      await Promise.all([apps.find('absent'), manager.rest.get('/version')]);
      const maps = resource(manager.rest, configMaps).in(metadata.namespace);
      await maps.create({ metadata: { name: 'Not a name' } }).catch(() => undefined);
    });
    await expect.poll(() => spans[0]?.isEnded).toBe(true);
    await it.stop();
    const parent = 'reconcile traced';
    const common = { kind: 2, parent, isEnded: true };
    const status = { ...common, name: 'apply myapps.my.domain' };
    expect(spans.slice(1, 6)).toMatchObject([
      {
        ...status,
        attributes: {
          ...{ 'http.request.method': 'PATCH', 'http.response.status_code': 200, 'kgen.verb': 'apply' },
          ...{ 'kgen.resource': 'myapps.my.domain', 'kgen.subresource': 'status' },
          ...{ 'k8s.namespace.name': 'shop', 'kgen.object.name': 'web' },
          'url.path': '/apis/my.domain/v1/namespaces/shop/myapps/web/status',
        },
      },
      { ...status, attributes: { 'kgen.skipped': true } },
      {
        ...common,
        attributes: { 'http.response.status_code': 404, 'error.type': '404' },
        status: { code: 2 },
      },
      { ...common, name: 'GET', attributes: { 'url.path': '/version' } },
      { ...common, name: 'create configmaps', attributes: { 'error.type': expect.any(String) } },
    ]);
  },
);

it.each(['drops', 'throws'] as const)('runs end as without an SDK if it %s', async (mode) => {
  const spans = sdk(mode);
  let versions = 0;
  const it = await traced(({ manager }) => async () => {
    await manager.rest.get('/version');
    versions += 1;
  });
  await expect.poll(() => versions).toBe(1);
  await it.stop();
  expect(spans.map(({ name }) => name)).toEqual(['reconcile traced']);
  expect(it.log.filter(({ level }) => level === 'error')).toEqual([]);
});

it('creates a span for each review of a webhook, also if the SDK fails', async () => {
  const path = '/validates/core/v1/configmaps';
  const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } };
  const request = { uid: 'u', kind, resource: { group: '', version: 'v1', resource: 'configmaps' } };
  const more = { name: 'a', namespace: 'shop', operation: 'CREATE', userInfo: {}, object };
  const review = {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: { ...request, ...more },
  };
  for (const mode of ['records', 'throws'] as const) {
    const spans = sdk(mode);
    const log = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
    };
    const part = webhooks({
      handlers: [
        validates(configMaps, {
          handle: () => {
            throw new TypeError('broken on purpose');
          },
        }),
      ],
    });
    new Manager({ server: 'http://127.0.0.1:1' }, { log }).add(part);
    expect((await part.review(path, review)).status).toBe(200);
    trace.disable();
    context.disable();
    if (mode === 'throws') continue;
    expect(spans).toMatchObject([
      {
        name: `review ${path}`,
        kind: 1,
        parent: undefined,
        isEnded: true,
        attributes: {
          'kgen.object.name': 'a',
          'k8s.namespace.name': 'shop',
          'kgen.review.outcome': 'failed',
        },
        status: { code: 2, message: 'TypeError' },
      },
    ]);
  }
});
