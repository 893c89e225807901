import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RESTClient, type RESTClientOptions, TransportError } from '@kgen/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventRecorder } from '../events/recorder.ts';
import { SlotCounters } from '../sharding/ring-stats.ts';
import { ManagerFamilies } from './manager-metrics.ts';
import type { MeasuredController } from './manager-stats.ts';
import { registerElection, registerEvents, registerRing, registerWrites } from './process-metrics.ts';

const noStats = { queued: 0, resourceVersions: new Map(), objects: 0, decodeJsonMs: 0, decodeProtobufMs: 0 };
const noObjects = { isWhole: true, estimateBytes: () => 0 };
const noSlotMoved = new SlotCounters().values;

const unused = { request: () => Promise.reject(new Error('not used')) };

function metricsOf(controllers: readonly MeasuredController[] = []): ManagerFamilies {
  const metrics = new ManagerFamilies(undefined, () => controllers);
  onTestFinished(() => metrics.close());
  return metrics;
}

/** Returns the samples that match a pattern. */
async function samples(metrics: ManagerFamilies, pattern: RegExp): Promise<readonly string[]> {
  const lines = (await metrics.registry.metrics()).split('\n');
  return lines.filter((line) => !line.startsWith('#') && pattern.test(line));
}

describe('ManagerFamilies', () => {
  it('has the metric names and types of controller-runtime and client-go', async () => {
    const metrics = metricsOf();
    registerElection(metrics.registry, 'shop', () => ({ isLeader: false, slowPaths: 0 }));
    registerRing(metrics.registry, 'shop', () => ({ ...noSlotMoved, isMember: false, members: 0 }));
    registerEvents(metrics.registry, () =>
      new EventRecorder({ rest: unused, reportingController: 'shop' }).stats(),
    );
    registerWrites(metrics.registry, () => ({ objects: 0, bytes: 0 }));
    const lines = (await metrics.registry.metrics()).split('\n');
    const types = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.slice(7));
    expect(types.sort()).toEqual([
      'certwatcher_read_certificate_errors_total counter',
      'certwatcher_read_certificate_total counter',
      'controller_runtime_active_workers gauge',
      'controller_runtime_max_concurrent_reconciles gauge',
      'controller_runtime_reconcile_errors_total counter',
      'controller_runtime_reconcile_panics_total counter',
      'controller_runtime_reconcile_time_seconds histogram',
      'controller_runtime_reconcile_timeouts_total counter',
      'controller_runtime_reconcile_total counter',
      'controller_runtime_terminal_reconcile_errors_total counter',
      'informer_processing_latency_seconds histogram',
      'informer_queued_items gauge',
      'informer_store_resource_version gauge',
      'kgen_controller_conflicts_total counter',
      'kgen_controller_errors_total counter',
      'kgen_controller_hot_loops_total counter',
      'kgen_controller_informer_errors_total counter',
      'kgen_controller_noop_writes_total counter',
      'kgen_controller_records_bytes gauge',
      'kgen_controller_stale_skips_total counter',
      'kgen_event_loop_blocked_total counter',
      'kgen_event_loop_lag_seconds histogram',
      'kgen_events_pending gauge',
      'kgen_events_total counter',
      'kgen_informer_decode_seconds_total counter',
      'kgen_informer_errors_total counter',
      'kgen_informer_objects gauge',
      'kgen_informer_store_bytes gauge',
      'kgen_remembered_writes_bytes gauge',
      'kgen_remembered_writes_objects gauge',
      'kgen_sharding_handovers_total counter',
      'kgen_sharding_member_status gauge',
      'kgen_sharding_members gauge',
      'kgen_sharding_slots gauge',
      'leader_election_master_status gauge',
      'leader_election_slowpath_total counter',
      'rest_client_dns_resolution_duration_seconds histogram',
      'rest_client_rate_limiter_duration_seconds histogram',
      'rest_client_request_duration_seconds histogram',
      'rest_client_request_retries_total counter',
      'rest_client_request_size_bytes histogram',
      'rest_client_requests_total counter',
      'rest_client_response_size_bytes histogram',
      'workqueue_adds_total counter',
      'workqueue_depth gauge',
      'workqueue_longest_running_processor_seconds gauge',
      'workqueue_queue_duration_seconds histogram',
      'workqueue_retries_total counter',
      'workqueue_unfinished_work_seconds gauge',
      'workqueue_work_duration_seconds histogram',
    ]);
  });

  it('sets the counters of a controller to 0 at its start', async () => {
    const metrics = metricsOf();
    metrics.reconciliations.started('foo', 4);
    expect(await samples(metrics, /controller="foo"/)).toEqual([
      'controller_runtime_reconcile_total{controller="foo",result="success"} 0',
      'controller_runtime_reconcile_total{controller="foo",result="error"} 0',
      'controller_runtime_reconcile_total{controller="foo",result="requeue"} 0',
      'controller_runtime_reconcile_total{controller="foo",result="requeue_after"} 0',
      'controller_runtime_reconcile_errors_total{controller="foo"} 0',
      'controller_runtime_terminal_reconcile_errors_total{controller="foo"} 0',
      'controller_runtime_reconcile_panics_total{controller="foo"} 0',
      'controller_runtime_reconcile_timeouts_total{controller="foo"} 0',
      'kgen_controller_conflicts_total{controller="foo"} 0',
      'kgen_controller_hot_loops_total{controller="foo"} 0',
      'controller_runtime_max_concurrent_reconciles{controller="foo"} 4',
      'controller_runtime_active_workers{controller="foo"} 0',
    ]);
  });

  it('counts runs by result, errors, terminal errors, panics and timeouts', async () => {
    const metrics = metricsOf();
    const runs = metrics.reconciliations;
    runs.started('foo', 1);
    for (let run = 0; run < 5; run += 1) runs.active('foo', 1);
    for (let run = 0; run < 4; run += 1) runs.active('foo', -1);
    runs.finished('foo', 'success', 5);
    runs.finished('foo', 'error', 5.1);
    runs.finished('foo', 'error', 60_001);
    runs.finished('foo', 'error', 1);
    runs.failed('foo', true, new TypeError('x'));
    runs.failed('foo', false, new TypeError('x'));
    runs.failed('foo', false, new TypeError('x'));
    runs.panicked('foo');
    runs.timedOut('foo');
    runs.conflicted('foo');
    runs.looped('foo');
    runs.skippedStale('foo', 'apps', 'deployments');
    runs.skippedWrite('foo', 'apps', 'deployments', 'apply');
    expect(await samples(metrics, /^(?!.*bucket).*controller="foo".* [^0]/)).toEqual(
      [
        'controller_runtime_reconcile_total{controller="foo",result="success"} 1',
        'controller_runtime_reconcile_total{controller="foo",result="error"} 3',
        'controller_runtime_reconcile_errors_total{controller="foo"} 3',
        'kgen_controller_errors_total{controller="foo",error="TypeError"} 3',
        'controller_runtime_terminal_reconcile_errors_total{controller="foo"} 1',
        'controller_runtime_reconcile_panics_total{controller="foo"} 1',
        'controller_runtime_reconcile_timeouts_total{controller="foo"} 1',
        'kgen_controller_conflicts_total{controller="foo"} 1',
        'kgen_controller_hot_loops_total{controller="foo"} 1',
        'kgen_controller_stale_skips_total{group="apps",resource="deployments",controller="foo"} 1',
        'kgen_controller_noop_writes_total{verb="apply",group="apps",resource="deployments",controller="foo"} 1',
        'controller_runtime_max_concurrent_reconciles{controller="foo"} 1',
        'controller_runtime_active_workers{controller="foo"} 1',
        'controller_runtime_reconcile_time_seconds_sum{controller="foo"} 60.0121',
        'controller_runtime_reconcile_time_seconds_count{controller="foo"} 4',
      ].map((line) => expect.toSatisfy((found: string) => sorted(found) === sorted(line))),
    );
  });

  it('has the buckets of controller-runtime', async () => {
    const metrics = metricsOf();
    metrics.reconciliations.finished('foo', 'success', 5);
    const queue = metrics.queues.of('foo');
    queue.taken(1);
    const bounds = async (metric: string): Promise<readonly string[]> =>
      (await samples(metrics, new RegExp(`^${metric}_bucket`))).map(
        (line) => /le="([^"]+)"/.exec(line)?.[1] ?? '',
      );
    expect((await bounds('controller_runtime_reconcile_time_seconds')).length).toBe(41);
    expect((await bounds('workqueue_queue_duration_seconds')).map(Number)).toEqual([
      1e-8,
      1e-7,
      1e-6,
      1e-5,
      1e-4,
      1e-3,
      1e-2,
      0.1,
      1,
      10,
      100,
      1000,
      NaN,
    ]);
  });

  it('observes a queue and reads its state with each scrape, until it is closed', async () => {
    const metrics = metricsOf();
    const queue = metrics.queues.of('foo');
    let depth = new Map([['0', 3]]);
    queue.poll(() => ({ depth, unfinishedWorkMs: 1500, longestRunningMs: 1000 }));
    queue.added();
    queue.added();
    queue.retried();
    queue.taken(10);
    queue.done(20);
    const present = (): Promise<readonly string[]> => samples(metrics, /^workqueue_(?!.*bucket)/);
    expect(await present()).toEqual([
      'workqueue_adds_total{name="foo",controller="foo"} 2',
      'workqueue_retries_total{name="foo",controller="foo"} 1',
      'workqueue_queue_duration_seconds_sum{name="foo",controller="foo"} 0.01',
      'workqueue_queue_duration_seconds_count{name="foo",controller="foo"} 1',
      'workqueue_work_duration_seconds_sum{name="foo",controller="foo"} 0.02',
      'workqueue_work_duration_seconds_count{name="foo",controller="foo"} 1',
      'workqueue_depth{name="foo",controller="foo",priority="0"} 3',
      'workqueue_unfinished_work_seconds{name="foo",controller="foo"} 1.5',
      'workqueue_longest_running_processor_seconds{name="foo",controller="foo"} 1',
    ]);
    depth = new Map([['-100', 1]]);
    expect(await samples(metrics, /^workqueue_depth/)).toEqual([
      'workqueue_depth{name="foo",controller="foo",priority="-100"} 1',
    ]);
    queue.close();
    expect((await present()).length).toBe(6);
  });

  it('counts reads of certificates', async () => {
    const metrics = metricsOf();
    for (const isFailed of [false, true, false]) metrics.process.certificateRead(isFailed);
    expect(await samples(metrics, /^certwatcher/)).toEqual([
      'certwatcher_read_certificate_total 3',
      'certwatcher_read_certificate_errors_total 1',
    ]);
  });

  it('reports leadership', async () => {
    const metrics = metricsOf();
    let state = { isLeader: true, slowPaths: 1 };
    registerElection(metrics.registry, 'shop', () => state);
    expect(await samples(metrics, /^leader/)).toEqual([
      'leader_election_master_status{name="shop"} 1',
      'leader_election_slowpath_total{name="shop"} 1',
    ]);
    state = { isLeader: false, slowPaths: 3 };
    expect(await samples(metrics, /^leader/)).toEqual([
      'leader_election_master_status{name="shop"} 0',
      'leader_election_slowpath_total{name="shop"} 3',
    ]);
  });

  it.each([
    [['7'], '7'],
    [['9', '10'], '10'],
    [['1234567890123456789'], '567890123456789'],
    [['', 'x'], undefined],
    [[], undefined],
  ])('reports the latest of the resource versions %j as %s', async (versions, expected) => {
    const metrics = metricsOf();
    const resourceVersions = new Map(versions.map((version, index) => [String(index), version]));
    const labels = { name: 'shop', group: '', version: 'v1', resource: 'pods' };
    const stats = { ...noStats, queued: 2, resourceVersions };
    const informer = metrics.informers.of(labels, { ...noObjects, stats: () => stats });
    informer.processed(3);
    const suffix = '{name="shop",group="",version="v1",resource="pods"}';
    expect(await samples(metrics, /^informer_(queued|store)/)).toEqual([
      `informer_queued_items${suffix} 2`,
      ...(expected === undefined ? [] : [`informer_store_resource_version${suffix} ${expected}`]),
    ]);
    informer.close();
    expect(await samples(metrics, /^informer_(queued|store)/)).toEqual([]);
  });

  it.each([
    [true, 'whole'],
    [false, 'reduced'],
  ])('reports the memory and the decoding of an informer with isWhole %s as %s', async (isWhole, form) => {
    const metrics = metricsOf();
    const labels = { name: 'pods', group: '', version: 'v1', resource: 'pods' };
    const stats = { ...noStats, objects: 3, decodeJsonMs: 1500, decodeProtobufMs: 20 };
    metrics.informers.of(labels, { isWhole, estimateBytes: () => 12_000, stats: () => stats });
    const own = 'name="pods",group="",version="v1",resource="pods"';
    expect(await samples(metrics, /^kgen_informer/)).toEqual([
      `kgen_informer_objects{${own},form="${form}"} 3`,
      `kgen_informer_store_bytes{${own},form="${form}"} 12000`,
      `kgen_informer_decode_seconds_total{${own},encoding="json"} 1.5`,
      `kgen_informer_decode_seconds_total{${own},encoding="protobuf"} 0.02`,
    ]);
    // Counters do not grow by scrapes.
    expect(await samples(metrics, /decode.*json/)).toEqual([
      `kgen_informer_decode_seconds_total{${own},encoding="json"} 1.5`,
    ]);
  });

  it('reports the memory of remembered writes and of records', async () => {
    const records = { keys: 1, bytes: 500 };
    const metrics = metricsOf([{ name: 'foo', countedKeys: 0, records }]);
    registerWrites(metrics.registry, () => ({ objects: 2, bytes: 3100 }));
    expect(await samples(metrics, /^kgen_(remembered|controller_records)/)).toEqual([
      'kgen_controller_records_bytes{controller="foo"} 500',
      'kgen_remembered_writes_objects 2',
      'kgen_remembered_writes_bytes 3100',
    ]);
  });
});

describe('metrics of REST clients', () => {
  const statuses = (codes: readonly number[], options: RESTClientOptions = {}): RESTClient => {
    const rest = [...codes];
    return new RESTClient(
      { server: 'https://api.test:6443' },
      {
        ...options,
        transport: async () => {
          const status = rest.shift();
          if (status === undefined) throw new TransportError('down', undefined, { code: 'ECONNREFUSED' });
          return { status, headers: { 'retry-after': '0' }, body: noBytes(), cancel: () => undefined };
        },
      },
    );
  };
  async function* noBytes(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('{"kind":"Status","status":"Success"}');
  }

  it('count requests by code, method and host, and retries by the code before them', async () => {
    const metrics = metricsOf();
    const client = statuses([429, 200]);
    await client.request({ path: '/api/v1/pods' });
    await client.request({ path: '/api/v1/pods', method: 'POST', maxRetries: 0 }).catch(() => undefined);
    expect(await samples(metrics, /^rest_client_requests/)).toEqual([
      'rest_client_requests_total{code="429",method="GET",host="api.test:6443"} 1',
      'rest_client_requests_total{code="200",method="GET",host="api.test:6443"} 1',
      'rest_client_requests_total{code="<error>",method="POST",host="api.test:6443"} 1',
    ]);
    expect(await samples(metrics, /^rest_client_request_retries/)).toEqual([
      'rest_client_request_retries_total{code="429",verb="GET",host="api.test:6443"} 1',
    ]);
    expect(await samples(metrics, /^rest_client_request_duration_seconds_count/)).toEqual([
      'rest_client_request_duration_seconds_count{verb="GET",host="api.test:6443"} 2',
      'rest_client_request_duration_seconds_count{verb="POST",host="api.test:6443"} 1',
    ]);
  });

  /** Returns the count and the sum of a histogram. */
  const totals = (metrics: ManagerFamilies, name: string): Promise<readonly string[]> =>
    samples(metrics, new RegExp(`^${name}_(count|sum)`));

  it('contain the sizes of requests by attempt, and of read responses by call', async () => {
    const metrics = metricsOf();
    const client = statuses([429, 200, 404]);
    const body = '{"name":"\u00e9"}';
    await client.request({ path: '/api/v1/pods', method: 'POST', body, maxRetries: 1 });
    await client
      .request({ path: '/api/v1/pods', method: 'POST', body, maxRetries: 0 })
      .catch(() => undefined);
    await client.request({ path: '/api/v1/pods', method: 'POST', maxRetries: 0 }).catch(() => undefined);
    const labels = '{verb="POST",host="api.test:6443"}';
    expect(await totals(metrics, 'rest_client_request_size_bytes')).toEqual([
      `rest_client_request_size_bytes_sum${labels} ${3 * 13}`,
      `rest_client_request_size_bytes_count${labels} 4`,
    ]);
    const size = '{"kind":"Status","status":"Success"}'.length;
    expect(await totals(metrics, 'rest_client_response_size_bytes')).toEqual([
      `rest_client_response_size_bytes_sum${labels} ${2 * size}`,
      `rest_client_response_size_bytes_count${labels} 2`,
    ]);
  });

  it('contain no sizes of streams', async () => {
    const metrics = metricsOf();
    const { body } = await statuses([200]).stream({ path: '/api/v1/pods' });
    for await (const _ of body);
    expect(await totals(metrics, 'rest_client_response_size_bytes')).toEqual([]);
  });

  it.each([
    { rateLimit: { qps: 1000, burst: 1 }, count: 2 },
    { rateLimit: undefined, count: 0 },
  ])('contain the delays of the limit $rateLimit', async ({ rateLimit, count }) => {
    const metrics = metricsOf();
    const client = statuses([200, 200], { rateLimit });
    await client.request({ path: '/version' });
    await client.request({ path: '/version' });
    const found = await totals(metrics, 'rest_client_rate_limiter_duration_seconds');
    expect(found[1]?.split(' ')[1] ?? '0').toBe(String(count));
    if (count > 0) expect(Number(found[0]?.split(' ')[1])).toBeLessThanOrEqual(0.001);
  });

  it.each([
    { host: 'localhost', count: 1 },
    { host: '127.0.0.1', count: 0 },
  ])('contain the resolutions of $host: $count', async ({ host, count }) => {
    const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on a port has an address with one.
    const { port } = server.address() as AddressInfo;
    const metrics = metricsOf();
    const client = new RESTClient({ server: `http://${host}:${port}` });
    onTestFinished(async () => {
      await client.close();
      server.close();
    });
    await client.request({ path: '/version' });
    const name = 'rest_client_dns_resolution_duration_seconds';
    expect(await samples(metrics, new RegExp(`^${name}_count`))).toEqual(
      count === 0 ? [] : [`${name}_count{host="${host}"} ${count}`],
    );
  });

  it('have at most 26 hosts', async () => {
    const metrics = metricsOf();
    for (let host = 0; host < 100; host += 1) {
      const client = new RESTClient(
        { server: `https://h${host}.test` },
        { transport: () => Promise.reject(new TransportError('down')) },
      );
      await client.request({ path: '/version', maxRetries: 0 }).catch(() => undefined);
    }
    const found = await samples(metrics, /^rest_client_requests/);
    expect(found.length).toBe(26);
    expect(found.at(-1)).toContain('host="exceeded_cardinality_limit"} 75');
  });

  it('are not counted after close', async () => {
    const metrics = metricsOf();
    metrics.close();
    await statuses([200]).request({ path: '/version' });
    expect(await samples(metrics, /^rest_client/)).toEqual([]);
  });
});

/** Labels in any order are equal. */
function sorted(line: string): string {
  return [...line].sort().join('');
}
