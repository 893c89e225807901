/** The flight recorder of a manager, as `kgen view --manager` reads it. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Manager, type ManagerOptions } from '@kgen/controller';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appController, election, leaseDefinition } from './manager-support.ts';
import { world } from './support.ts';

type Line = Readonly<Record<string, unknown>>;

const local = { port: 0, host: '127.0.0.1', recording: true } as const;

/** Returns the lines that a manager serves since a tag, and their tag. */
async function linesOf(
  manager: Manager,
  after = '',
): Promise<{ readonly lines: readonly Line[]; readonly tag: string }> {
  const query = new URLSearchParams({ after });
  const response = await fetch(`http://127.0.0.1:${manager.ports.metrics}/debug/recording?${query}`);
  const text = await response.text();
  const lines = text.trim().split('\n');
  return { lines: lines.map((line) => JSON.parse(line)), tag: response.headers.get('etag') ?? '' };
}

const reportOnce = { type: 'Normal', reason: 'Created', action: 'Reconcile', note: 'it exists' } as const;

describe('a recording that a manager serves', () => {
  it('has leadership, workers, Events, and the state of queues and informers', async () => {
    const place = await world(
      { leaderElection: { ...election, identity: 'me' }, metrics: local, recorder: {} },
      [leaseDefinition],
    );
    const { manager, user, run, stop } = place;
    manager.add(
      appController(place, (_, { record }) => {
        record.event(reportOnce);
        return { requeueAfterMs: 600_000 };
      }),
    );
    const app = await user.myV1
      .myApps('shop')
      .create({ metadata: { name: 'web' }, spec: { appName: 'a', version: '1' } });
    void run();
    await expect.poll(() => manager.ports.metrics).toBeDefined();
    const ended = async (): Promise<boolean> => {
      const { lines } = await linesOf(manager);
      return lines.some(({ type }) => type === 'end');
    };
    await expect.poll(ended).toBe(true);
    const { lines, tag } = await linesOf(manager);
    const of = (name: string): readonly Line[] => lines.filter(({ type }) => type === name);
    expect(of('lease').map(({ lease, isHeld, holder }) => [lease, isHeld, holder])).toEqual([
      ['leader', false, ''],
      ['leader', true, 'me'],
    ]);
    expect(of('start')).toMatchObject([{ controller: 'myapp', worker: 1 }]);
    const { apiVersion, kind } = app;
    const { uid } = app.metadata;
    expect(of('event')).toMatchObject([
      {
        ...{ run: 1, eventType: 'Normal', reason: 'Created', action: 'Reconcile', note: 'it exists' },
        regarding: { apiVersion, kind, namespace: 'shop', name: 'web', uid },
      },
    ]);
    expect(of('state')).toMatchObject([
      {
        queues: [
          {
            ...{ controller: 'myapp', workers: 1, running: [], more: 0 },
            waiting: [{ namespace: 'shop', name: 'web', reason: 'requeueAfter' }],
          },
        ],
        informers: [{ informer: 0, objects: 1, isSynced: true, queued: 0 }],
      },
    ]);
    expect((await linesOf(manager, tag)).lines.map(({ type }) => type)).toEqual([
      'kgen recording increment',
      'state',
    ]);
    await stop();
    const folder = mkdtempSync(join(tmpdir(), 'kgen-recording-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await manager.record(join(folder, 'a.jsonl'));
    const written = readFileSync(join(folder, 'a.jsonl'), 'utf8').trim().split('\n');
    const last = written.map((line): Line => JSON.parse(line)).filter(({ type }) => type === 'lease');
    expect(last.at(-1)).toMatchObject({ lease: 'leader', isHeld: false, holder: '' });
  });

  it.each<readonly [string, NonNullable<ManagerOptions['metrics']>, number]>([
    ['by default', { port: 0, host: '127.0.0.1' }, 404],
    ['with the option', local, 200],
    ['without a token, if callers need one', { ...local, authorize: true }, 401],
  ])('has a status %s', async (_, metrics, status) => {
    const { manager, run } = await world({ metrics });
    void run();
    await expect.poll(() => manager.ports.metrics).toBeDefined();
    const response = await fetch(`http://127.0.0.1:${manager.ports.metrics}/debug/recording`);
    expect(response.status).toBe(status);
  });

  it('has a status 421 for a host that is not this machine, without tokens', async () => {
    const { manager, run } = await world({ metrics: local });
    void run();
    await expect.poll(() => manager.ports.metrics).toBeDefined();
    const statusFor = async (host: string): Promise<number | undefined> => {
      const sent = request({
        ...{ host: '127.0.0.1', port: manager.ports.metrics, path: '/debug/recording', headers: { host } },
      });
      sent.end();
      const [response]: readonly { statusCode?: number; resume(): void }[] = await once(sent, 'response');
      response?.resume();
      return response?.statusCode;
    };
    for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080']) expect(await statusFor(host)).toBe(200);
    for (const host of ['example.com', 'localhost.example.com', '127.0.0.1.example.com:80'])
      expect(await statusFor(host)).toBe(421);
  });

  it('has the shards of this process, and the members of the ring', async () => {
    const timing = { leaseDurationMs: 120_000, renewDeadlineMs: 90_000, retryPeriodMs: 100 };
    const sharding = { ...timing, name: 'ring', namespace: 'default', identity: 'me' };
    const { manager, run } = await world({ sharding, metrics: local, recorder: {} }, [leaseDefinition]);
    void run();
    await expect.poll(() => manager.ports.metrics).toBeDefined();
    const states = async (): Promise<readonly Line[]> =>
      (await linesOf(manager)).lines.filter(({ lease }) => lease === 'shard ring');
    await expect
      .poll(async () => (await states()).at(-1))
      .toMatchObject({
        ...{ isHeld: true, holder: 'me', shards: 256, members: 1 },
      });
    expect((await states())[0]).toMatchObject({ isHeld: false, holder: 'me', shards: 0 });
  });

  it.each([{ port: 0 }, { port: 0, host: '0.0.0.0' }, { port: 0, authorize: false }])(
    'is refused if other machines could read it: %o',
    (metrics) => {
      const create = () =>
        new Manager({ server: 'http://127.0.0.1:9' }, { metrics: { ...metrics, recording: true } });
      expect(create).toThrow(TypeError);
      expect(create).toThrow('set metrics.authorize, or a loopback host');
    },
  );
});
