/** Order of start and stop of a manager, its signals, and its errors, on the server in memory. */
import { Manager, type ManagerOptions, type Runnable } from '@kgen/controller';
import { isLeadershipLostError } from '@kgen/runtime/election';
import { describe, expect, it } from 'vitest';
import { Clientset } from '../../generated/crds/clientset.ts';
import { ManualTime } from '../../src/runtime/control/election/lease-server.fixture.ts';
import { aborted, appController, election, leaseDefinition, leaseOf, recorded } from './manager-support.ts';
import { type World, world } from './support.ts';

const app = (name: string) => ({ metadata: { name }, spec: { appName: name, version: '1' } });
const elected = { leaderElection: { ...election, thread: false } } as const;
const failure = new Error('broken on purpose');
const fail = (): never => {
  throw failure;
};
const never = new Promise<never>(() => undefined);

function electedWorld(options: Partial<ManagerOptions> = {}): Promise<World> {
  return world({ ...elected, ...options }, [leaseDefinition]);
}

/** A reconcile function that a test ends. */
function held() {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { finished, finish: () => finish() };
}

describe('a manager', () => {
  it('starts and stops its phases in order, and releases the lease last', async () => {
    const it = await electedWorld({ health: { port: 0, host: '127.0.0.1' } });
    const story: string[] = [];
    const run = held();
    const lease = leaseOf(it);
    const health = async (path: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${it.manager.ports.health}${path}`)).status;
    const lists = (): number => it.server.requests.filter(({ path }) => path.includes('myapps')).length;
    it.manager.add(
      recorded('leader', story, { start: () => void story.push(`leads ${it.manager.isLeader}`) }),
    );
    it.manager.add(
      recorded('others', story, { start: async () => void story.push(`ready ${await health('/readyz')}`) }),
    );
    it.manager.add(
      recorded('webhooks', story, {
        start: async () => void story.push(`ready ${await health('/readyz')}, ${lists()} lists`),
        stop: async () => {
          story.push(`ready ${await health('/readyz')}, alive ${await health('/healthz')}`);
          story.push((await lease.holder()) ? 'lease held' : 'lease released');
        },
      }),
    );
    it.manager.add(
      appController(it, async ({ metadata }, { stopping, signal }) => {
        story.push('reconcile begins');
        await run.finished;
        story.push(`stopping ${stopping.aborted}, signal ${signal.aborted}`);
        await it.clientset.myV1.myApps('shop').patch(metadata.name, { spec: { version: '2' } });
        story.push('reconcile wrote');
      }),
    );
    void it.run();
    await expect.poll(() => story).toContain('leader runs');
    await it.user.myV1.myApps('shop').create(app('web'));
    await expect.poll(() => story).toContain('reconcile begins');
    expect(await health('/readyz')).toBe(200);
    const stopped = it.stop();
    await expect.poll(() => story).toContain('leader stops');
    await it.user.myV1.myApps('shop').create(app('ignored'));
    expect(await lease.holder()).not.toBe('');
    run.finish();
    await stopped;
    expect(await lease.holder()).toBe('');
    await expect(health('/healthz')).rejects.toThrow();
    expect(story).toEqual([
      ...['webhooks starts', 'ready 500, 0 lists', 'webhooks runs'],
      ...['others starts', 'ready 500', 'others runs'],
      ...['leader starts', 'leads true', 'leader runs'],
      'reconcile begins',
      ...['others ended', 'leader ended', 'others stops', 'leader stops'],
      ...['stopping true, signal false', 'reconcile wrote'],
      ...['webhooks ended', 'webhooks stops', 'ready 500, alive 200', 'lease held'],
    ]);
    expect(it.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('loses leadership: aborts at once and throws LeadershipLostError', async () => {
    const it = await electedWorld({ gracePeriodMs: Number.POSITIVE_INFINITY });
    const lease = leaseOf(it);
    const story: string[] = [];
    it.manager.add(
      appController(it, async (_, { signal }) => {
        story.push('begins');
        await aborted(signal);
        const late = it.clientset.myV1.myApps('shop').create(app('late'));
        await late.catch((error: unknown) => story.push(`refused ${isLeadershipLostError(error)}`));
      }),
    );
    const running = it.run();
    await it.user.myV1.myApps('shop').create(app('web'));
    await expect.poll(() => story).toEqual(['begins']);
    await lease.take('other');
    await expect(running).rejects.toSatisfy(isLeadershipLostError);
    expect(story).toEqual(['begins', 'refused true']);
    expect(await lease.holder()).toBe('other');
  });

  it('never starts the leader group of a process that did not lead before its stop', async () => {
    const it = await electedWorld();
    const lease = leaseOf(it);
    await lease.take('other');
    const story: string[] = [];
    it.manager.add(recorded('leader', story));
    it.manager.add(recorded('others', story));
    it.manager.add(appController(it, async () => void story.push('reconcile')));
    const free = { name: 'free', leaderElection: false };
    it.manager.add(appController(it, async () => void story.push('free reconcile'), free));
    await it.user.myV1.myApps('shop').create(app('web'));
    void it.run();
    await expect.poll(() => story).toContain('free reconcile');
    expect(it.manager.isLeader).toBe(false);
    await it.stop();
    expect(story.filter((step) => /leader|^reconcile/.test(step))).toEqual([]);
    expect(await lease.holder()).toBe('other');
  });

  it('refuses writes before leadership with the places where they are possible', async () => {
    const it = await electedWorld();
    const apps = it.clientset.myV1.myApps('shop');
    await expect(apps.create(app('web'))).rejects.toThrow(
      /not acquired it; write in reconcile functions, .*phase: 'leader'.*\{ fenced: false \}/,
    );
    const open = it.manager.client(Clientset, { fenced: false });
    await open.myV1.myApps('shop').create(app('web'));
    expect(await apps.find('web')).toBeDefined();
  });

  it.each<readonly [string, Pick<Runnable, 'start' | 'run'>]>([
    ['start throws', { start: () => fail() }],
    ['start rejects', { start: async () => fail() }],
    ['run throws', { run: () => fail() }],
    ['run rejects', { run: async () => fail() }],
  ])('stops everything and throws the error of a part whose %s', async (_, failing) => {
    for (const phase of ['webhooks', 'others', 'leader'] as const) {
      const it = await world();
      const story: string[] = [];
      it.manager.add(recorded('webhooks', story));
      it.manager.add({ name: 'failing', phase, ...failing });
      await expect(it.run()).rejects.toBe(failure);
      expect([story[0], story.at(-1)]).toEqual(['webhooks starts', 'webhooks stops']);
    }
  });

  it('throws an error for a part that throws undefined', async () => {
    const it = await world();
    it.manager.add({ name: 'failing', run: () => Promise.reject(undefined) });
    await expect(it.run()).rejects.toThrow('not an error was thrown: undefined');
  });

  it('ignores errors of operations that its stop aborted', async () => {
    const it = await world();
    const story: string[] = [];
    const run: Runnable['run'] = async ({ stopping }) => {
      await aborted(stopping);
      stopping.throwIfAborted();
    };
    it.manager.add(recorded('others', story, { run }));
    const running = it.run();
    await expect.poll(() => story).toContain('others runs');
    await it.stop();
    await expect(running).resolves.toBeUndefined();
  });

  it.each(['webhooks', 'others', 'leader'] as const)(
    'ends while start of a part of the phase %s does not settle',
    async (phase) => {
      const time = new ManualTime();
      const it = await world({ environment: time.environment, gracePeriodMs: 1000 });
      const story: string[] = [];
      it.manager.add(recorded(phase, story, { start: () => never }));
      const running = it.run();
      await expect.poll(() => story).toContain(`${phase} starts`);
      const stopped = it.stop();
      const isAbandoned = async (): Promise<boolean> => {
        await time.advance(1000);
        return it.log.some(({ message }) => message === `${phase} has not ended: it is abandoned`);
      };
      await expect.poll(isAbandoned).toBe(true);
      await stopped;
      await expect(running).resolves.toBeUndefined();
      expect(story).toEqual([`${phase} starts`]);
    },
  );

  it('sends no request if it is stopped before its start', async () => {
    const it = await world();
    it.manager.add(appController(it, async () => undefined));
    await it.manager.run({ signal: AbortSignal.abort() });
    expect(it.server.requests).toEqual([]);
  });

  it('ends without an error if it is stopped while the caches are read', async () => {
    const it = await world();
    const story: string[] = [];
    const match = (request: { readonly path: string }): boolean => request.path.endsWith('/myapps');
    it.server.faults.failNext({ status: 503, retryAfterSeconds: 600, times: 1000, match });
    it.manager.add(appController(it, async () => void story.push('reconcile')));
    it.manager.add(recorded('others', story));
    const running = it.run();
    await expect.poll(() => it.server.requests.some(match)).toBe(true);
    await it.stop();
    await expect(running).resolves.toBeUndefined();
    expect(story).toEqual([]);
  });

  it.each([
    [0, ['begins', 'aborted', 'ends']],
    [Number.POSITIVE_INFINITY, ['begins', 'ends']],
  ])('has a grace period of %s ms for running reconcile functions', async (gracePeriodMs, expected) => {
    const it = await world({ gracePeriodMs });
    const story: string[] = [];
    const run = held();
    it.manager.add(
      appController(it, async (_, { signal }) => {
        story.push('begins');
        signal.addEventListener('abort', () => story.push('aborted'));
        await (gracePeriodMs === 0 ? aborted(signal) : run.finished);
        story.push('ends');
      }),
    );
    void it.run();
    await it.user.myV1.myApps('shop').create(app('web'));
    await expect.poll(() => story).toEqual(['begins']);
    const stopped = it.stop();
    run.finish();
    await stopped;
    expect(story).toEqual(expected);
  });

  it.each([-1, Number.NaN])('throws RangeError for gracePeriodMs %s', (gracePeriodMs) => {
    expect(() => new Manager({ server: 'http://localhost' }, { gracePeriodMs })).toThrow(RangeError);
  });

  it('runs once, and accepts no parts afterwards', async () => {
    const it = await world();
    const controller = appController(it, async () => undefined);
    it.manager.add(controller);
    expect(() => it.manager.add(appController(it, async () => undefined))).toThrow('has a controller myapp');
    void it.run();
    await expect(it.manager.run()).rejects.toThrow('runs already, or has run');
    expect(() => it.manager.add(recorded('others', []))).toThrow('add parts before run()');
    await it.stop();
    await expect(it.manager.run()).rejects.toThrow('has run');
  });

  it('runs two controllers over one factory, one of them without leadership', async () => {
    const it = await electedWorld();
    const story: string[] = [];
    const add = (name: string, leaderElection: boolean): void => {
      const reconcile = async ({ metadata }: { readonly metadata: { readonly name: string } }) =>
        void story.push(`${name} ${metadata.name}`);
      it.manager.add(appController(it, reconcile, { name, leaderElection }));
    };
    add('a', true);
    add('b', false);
    await it.user.myV1.myApps('shop').create(app('web'));
    void it.run();
    await expect.poll(() => [...story].sort()).toEqual(['a web', 'b web']);
    await it.stop();
    const watches = it.server.requests.filter(({ query }) => query['watch'] !== undefined);
    expect(watches).toHaveLength(1);
  });
});
