import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LeaderElectorOptions } from './election-options.ts';
import { isLeadershipLostError, type LeadershipLostError } from './fence.ts';
import { LeaderElector } from './leader-elector.ts';
import { LeaseServer, ManualTime, settled } from './lease-server.fixture.ts';

const names = { name: 'operator', namespace: 'shop' };

/** An elector against a server in memory. */
interface Play {
  readonly server: LeaseServer;
  readonly time: ManualTime;
  readonly elector: LeaderElector;
  readonly stop: AbortController;
  /** Result of the run: undefined, or its error. */
  readonly ended: Promise<unknown>;
  /** Names of events with their values. */
  readonly events: unknown[];
}

function play(options: Partial<LeaderElectorOptions> = {}, server: LeaseServer = new LeaseServer()): Play {
  const time = new ManualTime();
  const { environment } = time;
  const elector = new LeaderElector(server.client, { ...names, identity: 'me', environment, ...options });
  const events: unknown[] = [];
  elector.on('leading', () => events.push('leading'));
  elector.on('stopped', () => events.push('stopped'));
  elector.on('newLeader', (identity) => events.push(`newLeader ${identity}`));
  elector.on('error', (error) => events.push(error));
  const stop = new AbortController();
  const ended = elector.run({ signal: stop.signal }).then(
    () => undefined,
    (error: unknown) => error,
  );
  onTestFinished(async () => {
    stop.abort();
    await time.advance(60_000);
  });
  return { server, time, elector, stop, ended, events };
}

async function leading(options?: Partial<LeaderElectorOptions>, server?: LeaseServer): Promise<Play> {
  const started = play(options, server);
  await started.time.advance(5000);
  expect(started.elector.isLeader).toBe(true);
  return started;
}

function reasonOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return isLeadershipLostError(error) ? error.reason : 'another error';
  }
}

describe('run', () => {
  test('creates the lease, renews it without reads, and releases it', async () => {
    const { server, time, elector, stop, ended, events } = await leading();
    await elector.leading;
    expect(server.spec).toMatchObject({
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      acquireTime: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
    });
    await time.advance(4000);
    expect(server.requests).toEqual(['GET', 'POST', 'PUT', 'PUT', 'PUT', 'PUT']);
    expect(elector.leader).toBe('me');
    stop.abort();
    expect(elector.isLeader).toBe(false);
    expect(await ended).toBeUndefined();
    expect(server.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    expect(server.spec?.acquireTime).toBe(server.spec?.renewTime);
    expect(events).toEqual(['newLeader me', 'leading', 'stopped']);
    expect(elector.stats()).toMatchObject({ isLeader: false, renewals: 5, slowPaths: 0, isThread: false });
  });

  test('keeps the lease with releaseOnStop: false', async () => {
    const { server, stop, ended } = await leading({ releaseOnStop: false });
    stop.abort();
    expect(await ended).toBeUndefined();
    expect(server.spec?.holderIdentity).toBe('me');
  });

  test('does not release a lease that another process has', async () => {
    const { server, stop, ended } = await leading();
    server.edit({ holderIdentity: 'other' });
    stop.abort();
    await ended;
    expect(server.spec?.holderIdentity).toBe('other');
  });

  test('releases a lease whose acquisition has no response yet', async () => {
    const { server, time, stop, ended, elector } = play();
    server.onRequest = (method) => (method === 'POST' ? new Promise(() => undefined) : undefined);
    await settled();
    server.edit({ holderIdentity: 'me', leaseDurationSeconds: 15 });
    stop.abort();
    await time.advance(0);
    expect(await ended).toBeUndefined();
    expect(server.spec?.holderIdentity).toBe('');
    await expect(elector.leading).rejects.toMatchObject({ reason: 'stopped' });
  });

  test('resolves without a release that does not succeed within the renew deadline', async () => {
    const { server, time, stop, ended } = await leading();
    server.onRequest = () => {
      throw new Error('unreachable');
    };
    stop.abort();
    await time.advance(10_000);
    expect(await ended).toBeUndefined();
  });

  test('resolves at once, without a release, when releaseSignal aborts', async () => {
    const [server, time] = [new LeaseServer(), new ManualTime()];
    const [stop, cut] = [new AbortController(), new AbortController()];
    const { environment } = time;
    const elector = new LeaderElector(server.client, { ...names, identity: 'me', environment });
    const ended = elector.run({ signal: stop.signal, releaseSignal: cut.signal });
    await time.advance(5000);
    expect(elector.isLeader).toBe(true);
    server.onRequest = () => new Promise(() => undefined);
    stop.abort();
    await settled();
    cut.abort();
    await expect(ended).resolves.toBeUndefined();
    expect(server.spec?.holderIdentity).toBe('me');
  });

  test('sends nothing for a signal that is aborted', async () => {
    const server = new LeaseServer();
    const elector = new LeaderElector(server.client, names);
    await elector.run({ signal: AbortSignal.abort() });
    expect(server.requests).toEqual([]);
  });

  test('can be called again after its end, but not twice at once', async () => {
    const { time, elector, stop, ended } = await leading();
    await expect(elector.run()).rejects.toThrow(
      'run: the election of lease shop/operator is running already',
    );
    stop.abort();
    await ended;
    const first = elector.fence.signal;
    const again = new AbortController();
    const second = elector.run({ signal: again.signal });
    await time.advance(5000);
    await elector.leading;
    expect(elector.fence.signal).not.toBe(first);
    again.abort();
    await second;
  });

  test('takes over after the duration of the record since its last observed change', async () => {
    const server = new LeaseServer();
    server.edit({ holderIdentity: 'other', leaseDurationSeconds: 30, leaseTransitions: 3 });
    const { time, elector, events } = play({}, server);
    await time.advance(20_000);
    server.edit({ renewTime: 'later' });
    await time.advance(29_000);
    expect(elector.isLeader).toBe(false);
    await time.advance(5000);
    expect(elector.isLeader).toBe(true);
    expect(server.spec?.leaseTransitions).toBe(4);
    expect(events).toEqual(['newLeader other', 'newLeader me', 'leading']);
  });

  test('acquires a released lease with the next attempt', async () => {
    const server = new LeaseServer();
    server.edit({ holderIdentity: '', leaseDurationSeconds: 1 });
    const { time, elector } = play({}, server);
    await time.advance(0);
    expect(elector.isLeader).toBe(true);
  });
});

describe('the fence', () => {
  test('refuses before the first acquisition', () => {
    const server = new LeaseServer();
    const { fence } = new LeaderElector(server.client, names);
    expect(reasonOf(() => fence.check())).toBe('notLeading');
    expect(fence.remainingMs()).toBe(0);
  });

  test('refuses directly after the event loop was blocked for the renew deadline', async () => {
    const { time, elector, ended } = await leading();
    const { signal } = elector.fence;
    elector.fence.check();
    expect(elector.fence.remainingMs()).toBeLessThanOrEqual(10_000);
    time.block(8000);
    elector.fence.check();
    time.block(1000);
    expect(reasonOf(() => elector.fence.check())).toBe('expired');
    expect(signal.aborted).toBe(true);
    await time.advance(0);
    expect(await ended).toMatchObject({ reason: 'expired', lease: 'shop/operator' });
  });

  test.each([-5000, 5000])(
    'refuses after a jump of the system clock by %i ms until the next renewal',
    async (jump) => {
      let offset = 0;
      const time = new ManualTime();
      const wallClock = (): number => time.now + offset;
      const { elector } = await leading({ wallClock, environment: time.environment });
      await time.advance(5000);
      elector.fence.check();
      offset += jump;
      expect(reasonOf(() => elector.fence.check())).toBe('clockJump');
      expect(elector.isLeader).toBe(false);
      expect(elector.fence.signal.aborted).toBe(false);
      await time.advance(2000);
      elector.fence.check();
    },
  );

  test('begins with the start of a renewal, not with its response', async () => {
    const { server, time, elector } = await leading();
    let respond = (): void => undefined;
    server.onRequest = () =>
      new Promise<void>((resolve) => {
        respond = resolve;
      });
    await time.advance(2000);
    const startedAt = time.now - (10_000 - elector.fence.remainingMs());
    time.block(3000);
    respond();
    await settled();
    expect(elector.fence.remainingMs()).toBeLessThanOrEqual(7000);
    expect(startedAt).toBeLessThan(time.now);
  });
});

/** Ends of leadership. */
const losses: readonly {
  readonly what: string;
  readonly change: (play: Play) => void;
  readonly reason: LeadershipLostError['reason'];
  readonly released: boolean;
}[] = [
  {
    what: 'requests that fail until the renew deadline',
    change: ({ server }) => {
      server.onRequest = () => {
        throw new Error('unreachable');
      };
    },
    reason: 'expired',
    released: false,
  },
  {
    what: 'requests without a response',
    change: ({ server }) => {
      server.onRequest = () => new Promise(() => undefined);
    },
    reason: 'expired',
    released: false,
  },
  {
    what: 'another holder',
    change: ({ server }) => server.edit({ holderIdentity: 'other' }),
    reason: 'replaced',
    released: false,
  },
  {
    what: 'a lease that another client has released',
    change: ({ server }) => server.edit({ holderIdentity: '' }),
    reason: 'replaced',
    released: true,
  },
  {
    what: 'a preferred holder',
    change: ({ server }) => server.edit({ preferredHolder: 'other' }),
    reason: 'preferredHolder',
    released: true,
  },
];

describe('leadership', () => {
  test.each(losses)('is lost by $what', async ({ change, reason, released }) => {
    const started = await leading();
    const { server, time, elector, ended, events } = started;
    const { signal } = elector.fence;
    change(started);
    await time.advance(12_000);
    expect(await ended).toMatchObject({ name: 'LeadershipLostError', reason });
    expect(signal.reason).toMatchObject({ reason });
    expect(reasonOf(() => elector.fence.check())).toBe(reason);
    expect(events.at(-1)).toBe('stopped');
    expect(server.spec?.holderIdentity === '').toBe(released);
  });

  test('continues after a conflict, with a read', async () => {
    const { server, time, elector } = await leading();
    server.edit({ strategy: 'OldestEmulationVersion' });
    await time.advance(2000);
    expect(server.requests.slice(-3)).toEqual(['PUT', 'GET', 'PUT']);
    expect(elector.isLeader).toBe(true);
    expect(server.spec?.strategy).toBe('OldestEmulationVersion');
    expect(elector.stats()).toMatchObject({ slowPaths: 1, failures: 0 });
  });

  test('continues after the lease was deleted, in a new lease', async () => {
    const { server, time, elector } = await leading();
    server.remove();
    await time.advance(2000);
    expect(server.spec?.holderIdentity).toBe('me');
    expect(elector.isLeader).toBe(true);
  });
});

describe('listeners', () => {
  test('receive failed requests; without one, the 1st, 10th, … is a process warning', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const server = new LeaseServer();
    server.onRequest = () => {
      throw new Error('unreachable');
    };
    const { environment, advance } = bound(new ManualTime());
    const elector = new LeaderElector(server.client, { ...names, environment });
    const stop = new AbortController();
    const run = elector.run({ signal: stop.signal });
    await advance(40_000);
    stop.abort();
    await run;
    expect(elector.stats().failures).toBeGreaterThan(10);
    expect(warn.mock.calls).toEqual(Array(2).fill(['leader election: unreachable', 'ElectionWarning']));
  });

  test('that fail do not affect the election', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const { elector, server, time } = play();
    elector.on('leading', () => {
      throw new Error('mistake');
    });
    await time.advance(5000);
    expect(server.spec?.holderIdentity).toBe('me');
    expect(warn).toHaveBeenCalledOnce();
  });

  test('are checked', () => {
    const elector = new LeaderElector(new LeaseServer().client, names);
    const on: (event: never, listener: never) => unknown = elector.on.bind(elector);
    expect(() => on('lost' as never, (() => undefined) as never)).toThrow(
      /^on: unknown event lost, expected leading,/,
    );
    expect(() => on('error' as never, 1 as never)).toThrow('on: the listener for error is not a function');
  });
});

function bound(time: ManualTime): Pick<ManualTime, 'environment' | 'advance'> {
  return { environment: time.environment, advance: (ms) => time.advance(ms) };
}

describe('options', () => {
  const { environment } = new ManualTime();
  test.each([
    [{ name: '' }, TypeError, 'leader election: name must be a non-empty string, got ""'],
    [{ name: 1 }, TypeError, 'leader election: name must be a non-empty string, got 1'],
    [{ identity: '' }, TypeError, 'leader election: identity must be a non-empty string, got ""'],
    [{ retryPeriodMs: '1' }, TypeError, 'leader election: retryPeriodMs must be a number, got string'],
    [
      { retryPeriodMs: 0 },
      RangeError,
      'leader election: retryPeriodMs must be >= 1 and <= 2147483647000, got 0',
    ],
    [
      { blockedLimitMs: Number.NaN },
      RangeError,
      'leader election: blockedLimitMs must be >= 1 and <= 2147483647000, got NaN',
    ],
    [
      { leaseDurationMs: 10_000 },
      RangeError,
      'leader election: leaseDurationMs must be > renewDeadlineMs, got 10000 and 10000',
    ],
    [
      { retryPeriodMs: 9000 },
      RangeError,
      'leader election: renewDeadlineMs must be > 1.2 * retryPeriodMs, got 10000 and 9000',
    ],
    [{ thread: true, environment }, TypeError, 'thread: true requires the clocks of the system'],
  ])('%o are invalid', (options, type, message) => {
    const create = (): unknown =>
      Reflect.construct(LeaderElector, [{ server: 'http://stub' }, { ...names, ...options }]);
    expect(create).toThrow(type);
    expect(create).toThrow(message);
  });

  test('have defaults: identity of host and process, namespace of the connection', () => {
    const { client } = new LeaseServer();
    const elector = new LeaderElector(client, { name: 'operator' });
    expect(elector.identity).toMatch(/^.+_[0-9a-f-]{36}$/);
    expect(reasonOf(() => elector.fence.check())).toBe('notLeading');
    expect(() => elector.fence.check()).toThrow(/^no leadership by lease default\/operator: /);
    expect(() => new LeaderElector(client, { ...names, thread: true })).toThrow(
      'thread: true requires a configuration instead of a client',
    );
  });
});
