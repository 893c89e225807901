/** Stops of a manager whose parts never end: on the server in memory, with a clock that the test moves. */
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ManualTime } from '../../src/runtime/control/election/lease-server.fixture.ts';
import { appController, election, leaseDefinition, recorded } from './manager-support.ts';
import { type World, world } from './support.ts';

const gracePeriodMs = 500;
const never = new Promise<never>(() => undefined);
const app = { metadata: { name: 'web' }, spec: { appName: 'web', version: '1' } };

/** Moves the clock until `isMet` returns true, in steps that sockets of a busy machine keep up with. */
async function until(time: ManualTime, isMet: () => boolean): Promise<void> {
  while (!isMet()) await time.advance(10);
}

/** Returns the time of a stop, in milliseconds. */
async function stopMs(time: ManualTime, stop: () => Promise<void>): Promise<number> {
  const started = time.now;
  let isOver = false;
  const stopped = stop().finally(() => {
    isOver = true;
  });
  while (!isOver) await time.advance(10);
  await stopped;
  return time.now - started;
}

/** Returns a manager whose runs never settle. */
async function stuck(options: Parameters<typeof world>[0], definitions: Parameters<typeof world>[1] = []) {
  const time = new ManualTime();
  const it: World = await world(
    {
      environment: time.environment,
      gracePeriodMs,
      health: { port: 0, host: '127.0.0.1' },
      ...options,
    },
    definitions,
  );
  let runs = 0;
  it.manager.add(
    appController(it, async (_, { record }) => {
      runs += 1;
      record.event({ type: 'Normal', reason: 'Began', action: 'Reconcile', note: 'begins' });
      await never;
    }),
  );
  return { it, time, runs: () => runs };
}

const hang = { delayMs: 3_600_000, times: Number.POSITIVE_INFINITY } as const;

it.each([
  ['without other parts', {}, []],
  ['that leads', { leaderElection: { ...election, thread: false } }, [leaseDefinition]],
  ['in a ring', { sharding: { name: 'ring', namespace: 'shop' } }, [leaseDefinition]],
] as const)(
  'a manager %s ends a second after its grace period, whatever hangs',
  async (_, options, definitions) => {
    const { it, time, runs } = await stuck(options, [...definitions]);
    for (const phase of ['webhooks', 'others', 'leader'] as const)
      it.manager.add(recorded(phase, [], { run: () => never, stop: () => never }));
    const running = it.run();
    await it.user.myV1.myApps('shop').create(app);
    await until(time, () => runs() === 1);
    it.server.faults.failNext({ ...hang, match: ({ path }) => /leases|events/.test(path) });
    expect(await stopMs(time, () => it.stop())).toBeLessThanOrEqual(gracePeriodMs + 1000);
    await expect(running).resolves.toBeUndefined();
  },
);

it('a port in use rejects run() and is in the log, before anything that the program waits for', async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) => {
    // A server that listens on a port has an address with one.
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { readonly port: number }).port));
  });
  onTestFinished(() => void taken.close());
  const it = await world({ health: { port, host: '127.0.0.1' } });
  it.manager.add(appController(it, () => undefined));
  const running = it.run();
  const ready = it.user.myV1.myApps('shop').waitFor('web', (object) => object !== undefined);
  ready.catch(() => undefined);
  await expect(Promise.race([ready, running])).rejects.toThrow('EADDRINUSE');
  const errors = it.log.filter(({ level }) => level === 'error');
  expect(errors.at(-1)?.message).toContain(`:${port}`);
});
