/** Each misuse of a controller is a named error in the log, the metrics and the health of its manager. */
import type { Manager, Reconcile } from '@kgen/controller';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import { ManualTime } from '../../src/runtime/control/election/lease-server.fixture.ts';
import { appController, recorded } from './manager-support.ts';
import { type World, world } from './support.ts';

const app = { metadata: { name: 'web' }, spec: { appName: 'web', version: '1' } };
const ports = { health: { port: 0, host: '127.0.0.1' }, metrics: { port: 0, host: '127.0.0.1' } };

const definitionsOf = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};

async function read(port: number | undefined, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return `${response.status} ${await response.text()}`;
}

const readyz = ({ ports: { health } }: Manager): Promise<string> => read(health, '/readyz?verbose');
const metrics = ({ ports: { metrics: port } }: Manager): Promise<string> => read(port, '/metrics');

/** Errors in the log, by name. */
function errorNames({ log }: World): readonly string[] {
  return log.flatMap(({ level, fields: { err } }) =>
    level === 'error' && err instanceof Error ? [err.name] : [],
  );
}

describe('the health of a manager', () => {
  // JavaScript callers may return anything.
  it.each<readonly [string, string, Reconcile<MyApp, undefined>]>([
    ['throws undefined', 'Error', () => Promise.reject(undefined)],
    ['throws an error', 'TypeError', () => Promise.reject(new TypeError('broken'))],
    ['returns nonsense', 'InvalidResultError', () => Promise.resolve(JSON.parse('{"requeueAfter":"1s"}'))],
  ])('names the error of a reconcile function that %s', async (_, name, reconcile) => {
    const it = await world(ports);
    it.manager.add(appController(it, reconcile));
    void it.run();
    await it.user.myV1.myApps('shop').create(app);
    await expect.poll(() => errorNames(it)).toContain(name);
    expect(await metrics(it.manager)).toMatch(
      new RegExp(`kgen_controller_errors_total{controller="myapp",error="${name}"} [1-9]`),
    );
    const health = await readyz(it.manager);
    expect(health).toMatch(/^200 /);
    expect(health).toContain(`[!]controller myapp: ${name}\n`);
    expect(health).not.toContain('web');
  });

  it('names the error of a reconcile function that never settles', async () => {
    const time = new ManualTime();
    const it = await world({ ...ports, environment: time.environment, gracePeriodMs: 0 });
    const story: string[] = [];
    const reconcile = async (): Promise<void> => {
      story.push('begins');
      await new Promise(() => undefined);
    };
    it.manager.add(appController(it, reconcile, { timeoutMs: 1000 }));
    void it.run();
    await it.user.myV1.myApps('shop').create(app);
    await expect.poll(() => story).toContain('begins');
    await time.advance(11_000);
    await expect.poll(() => errorNames(it)).toContain('ReconcileTimeoutError');
    expect(await readyz(it.manager)).toContain('[!]controller myapp: ReconcileTimeoutError\n');
    expect(await metrics(it.manager)).toMatch(/reconcile_timeouts_total{controller="myapp"} 1/);
    let isStopped = false;
    const stopped = it.stop().then(() => {
      isStopped = true;
    });
    // Closing connections needs real time between the limits.
    while (!isStopped) await time.advance(1000);
    await stopped;
  });

  it('names a blocked event loop', async () => {
    const time = new ManualTime();
    const it = await world({ ...ports, environment: time.environment });
    let isBlocked = false;
    const reconcile = async (): Promise<void> => {
      // Computes without a pause: no timer fires meanwhile.
      time.block(3500);
      isBlocked = true;
    };
    it.manager.add(appController(it, reconcile));
    void it.run();
    await it.user.myV1.myApps('shop').create(app);
    await expect.poll(() => isBlocked).toBe(true);
    await time.advance(1);
    expect(errorNames(it)).toEqual(['EventLoopBlockedError']);
    expect(await readyz(it.manager)).toContain('[!]event loop: EventLoopBlockedError\n');
    expect(await metrics(it.manager)).toContain('kgen_event_loop_blocked_total 1');
  });

  it('names a definition that was deleted, until it exists again', async () => {
    const it = await world(ports);
    it.manager.add(appController(it, async () => undefined));
    it.manager.add(recorded('others', []));
    void it.run();
    await expect.poll(() => it.manager.ports.health).toBeDefined();
    await expect.poll(() => readyz(it.manager)).toMatch(/^200 /);
    const definitions = new DynamicClient(it.server.config);
    onTestFinished(() => definitions.close());
    const access = definitions.resource(definitionsOf);
    const { metadata: _, status: __, ...definition } = await access.get('myapps.my.domain');
    await access.delete('myapps.my.domain');
    await access.waitFor('myapps.my.domain', (object) => object === undefined);
    it.server.faults.endWatches();
    await expect
      .poll(() => readyz(it.manager))
      .toMatch(/^200 [\s\S]*\[!\]informer myapps\S*[^\n]*: NotFound\n/);
    expect(await metrics(it.manager)).toMatch(
      /kgen_informer_errors_total{informer="[^"]+",error="NotFound"} [1-9]/,
    );
    expect(errorNames(it)).toContain('KindNotInstalledError');
    await access.create({ ...definition, metadata: { name: 'myapps.my.domain' } });
    await expect
      .poll(() => readyz(it.manager))
      .toBe('200 [+]manager ok\n[+]informers ok\nreadyz check passed\n');
  });

  it('is not ready while a watch receives nothing, not even bookmarks', async () => {
    const it = await world(ports);
    it.manager.add(appController(it, async () => undefined));
    void it.run();
    await expect.poll(() => it.manager.ports.health).toBeDefined();
    await expect.poll(() => readyz(it.manager)).toMatch(/^200 /);
    const informer = it.informers.myV1.myApps();
    const stats = informer.stats();
    vi.spyOn(informer, 'stats').mockReturnValue({ ...stats, quietMs: 299_999 });
    expect(await readyz(it.manager)).toMatch(/^200 /);
    vi.spyOn(informer, 'stats').mockReturnValue({ ...stats, quietMs: 300_001 });
    expect(await readyz(it.manager)).toMatch(/^500 [\s\S]*\[-\]informers failed: reason withheld/);
  });

  it('contains the checks of the program', async () => {
    const it = await world(ports);
    it.manager
      .addHealthCheck('disk', () => undefined)
      .addReadinessCheck('peers', () => Promise.reject(new Error('none')));
    expect(() => it.manager.addReadinessCheck('peers', () => undefined)).toThrow(TypeError);
    void it.run();
    await expect.poll(() => it.manager.ports.health).toBeDefined();
    const { health } = it.manager.ports;
    expect(await read(health, '/healthz?verbose')).toBe('200 [+]disk ok\nhealthz check passed\n');
    expect(await read(health, '/readyz/peers')).toMatch(/^500/);
    await expect.poll(() => read(health, '/readyz?exclude=peers')).toBe('200 ok');
  });

  it('has metrics of informers, events and the event loop', async () => {
    const it = await world(ports);
    it.manager.add(
      appController(it, (_, { record }) =>
        record.event({ type: 'Normal', reason: 'A', action: 'B', note: 'c' }),
      ),
    );
    void it.run();
    await it.user.myV1.myApps('shop').create(app);
    await expect.poll(() => metrics(it.manager)).toContain('kgen_events_total{result="accepted"} 1');
    await expect.poll(() => metrics(it.manager)).toMatch(/kgen_event_loop_lag_seconds_count [1-9]/);
    expect(await metrics(it.manager)).toMatch(
      /informer_store_resource_version{name="[^"]+",group="my.domain",version="v1",resource="myapps"} \d/,
    );
    const { ports: found } = it.manager;
    await it.stop();
    await expect(read(found.metrics, '/metrics')).rejects.toThrow();
    expect(await it.manager.metrics.registry.metrics()).not.toMatch(/informer_store_resource_version{/);
  });
});
