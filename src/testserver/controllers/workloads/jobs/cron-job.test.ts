import { describe, expect, test } from 'vitest';
import { array, type JsonObject, text } from '../../../../schema/values/json.ts';
import { call, type Reply, start } from '../../../client.fixture.ts';
import type { TestServer } from '../../../server/testserver.ts';

const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const minute = 60_000;

async function open(spec: JsonObject, rule: JsonObject = {}): Promise<TestServer> {
  const server = await start({ time: 'virtual', controllers: true, pods: [rule] });
  const template = {
    spec: { containers: [{ name: 'main', image: 'work:1' }], restartPolicy: 'Never' },
  };
  const created = await call(server, cronJobs, {
    method: 'POST',
    body: {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'nightly' },
      spec: {
        schedule: '*/10 * * * *',
        jobTemplate: { metadata: { labels: { from: 'cron' } }, spec: { backoffLimit: 0, template } },
        ...spec,
      },
    },
  });
  expect(created.code).toBe(201);
  return server;
}

async function jobsOf(server: TestServer): Promise<readonly string[]> {
  const { body } = await call(server, jobs);
  return array(body, 'items').map((job) =>
    text(job, 'metadata', 'annotations', 'batch.kubernetes.io/cronjob-scheduled-timestamp').slice(11, 16),
  );
}

function status(server: TestServer): Promise<Reply> {
  return call(server, `${cronJobs}/nightly`);
}

const succeeds = { exit: { afterMs: 1_000, code: 0 } };
const fails = { exit: { afterMs: 1_000, code: 1 } };

describe('CronJobs', () => {
  test('create a Job at each time, and keep the last ones', async () => {
    const server = await open({ successfulJobsHistoryLimit: 2 }, succeeds);
    await server.time.advance(9 * minute);
    expect(await jobsOf(server)).toEqual([]);
    await server.time.advance(26 * minute);
    expect(await jobsOf(server)).toEqual(['00:20', '00:30']);
    const { body } = await call(server, jobs);
    expect(array(body, 'items').map((job) => text(job, 'metadata', 'name'))).toEqual([
      'nightly-29453780',
      'nightly-29453790',
    ]);
    expect((await status(server)).body['status']).toEqual({
      lastScheduleTime: '2026-01-01T00:30:00Z',
      lastSuccessfulTime: '2026-01-01T00:30:01Z',
    });
  });

  test.each([
    ['Allow', {}, ['00:10', '00:20', '00:30'], 3],
    ['Forbid', {}, ['00:10'], 1],
    ['Replace', {}, ['00:30'], 1],
    ['Allow', { suspend: true }, [], 0],
    ['Allow', { timeZone: 'Asia/Kolkata', schedule: '40 5 * * *' }, ['05:40'], 1],
  ])('with %s and %j run concurrently', async (concurrencyPolicy, spec, expected, active) => {
    const server = await open({ concurrencyPolicy, ...spec }, { match: { controller: 'Job' } });
    await server.time.advance(35 * minute);
    expect(await jobsOf(server)).toEqual(expected);
    expect(array((await status(server)).body, 'status', 'active')).toHaveLength(active);
  });

  test('with Forbid start the Job that waited once the one before has finished', async () => {
    const server = await open(
      { concurrencyPolicy: 'Forbid' },
      { match: { controller: 'Job' }, exit: { afterMs: 15 * minute, code: 0 } },
    );
    await server.time.advance(26 * minute);
    expect(await jobsOf(server)).toEqual(['00:10', '00:20']);
  });

  test('skip times beyond the deadline, and start the last one otherwise', async () => {
    const late = { startingDeadlineSeconds: 60, concurrencyPolicy: 'Forbid' };
    const server = await open(late, {
      match: { controller: 'Job' },
      exit: { afterMs: 15 * minute, code: 0 },
    });
    await server.time.advance(26 * minute);
    expect(await jobsOf(server)).toEqual(['00:10']);
  });

  test('keep as many failed Jobs as requested', async () => {
    const server = await open({ failedJobsHistoryLimit: 1 }, fails);
    await server.time.advance(35 * minute);
    expect(await jobsOf(server)).toEqual(['00:30']);
    expect((await status(server)).body['status']).toEqual({ lastScheduleTime: '2026-01-01T00:30:00Z' });
  });

  test('continue after a snapshot was restored', async () => {
    const server = await open({}, succeeds);
    await server.time.advance(11 * minute);
    server.restore(server.snapshot());
    await server.time.advance(10 * minute);
    expect(await jobsOf(server)).toEqual(['00:10', '00:20']);
  });
});
