import { LeaderElector } from '@kgen/runtime/election';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LeaseServer, ManualTime, settled } from '../../runtime/control/election/lease-server.fixture.ts';
import { Leadership } from './leadership.ts';

/** An election against a server in memory, whose system clock the test sets. */
function play() {
  const server = new LeaseServer();
  const time = new ManualTime();
  const wall = { offsetMs: 0 };
  const { environment } = time;
  const elector = new LeaderElector(server.client, {
    ...{ name: 'operator', namespace: 'shop', identity: 'me', environment },
    wallClock: () => time.now + wall.offsetMs,
  });
  const log: string[] = [];
  const write = (level: string) => (_: object, message: string) => void log.push(`${level} ${message}`);
  const leadership = new Leadership({
    elector,
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    clock: environment.clock,
  });
  const decided: unknown[] = [];
  leadership.observe({ decided: () => decided.push(leadership.standing()) });
  const stop = new AbortController();
  void elector.run({ signal: stop.signal }).catch(() => undefined);
  onTestFinished(async () => {
    stop.abort();
    await time.advance(60_000);
  });
  return { server, time, wall, log, leadership, decided };
}

describe('leadership', () => {
  test('keeps its keys from a clock step until the next renewal, with one entry a minute', async () => {
    const { time, wall, log, leadership, decided } = play();
    await time.advance(1000);
    const pass = leadership.enter();
    if (pass === 'uncertain') throw new Error('this process leads');
    for (let step = 0; step < 5; step += 1) {
      wall.offsetMs += 5000;
      expect(leadership.standing()).toBe('uncertain');
      expect(leadership.enter()).toBe('uncertain');
      expect(() => pass.check()).toThrow(/its clock was set/);
      await time.advance(2000);
      expect(decided.at(-1)).toBe('owned');
      expect(() => pass.check()).not.toThrow();
    }
    expect(pass.signal.aborted).toBe(false);
    expect(log).toEqual([
      'info me leads',
      expect.stringMatching(/^warn the system clock has advanced 5000 ms more than the monotonic clock/),
    ]);
  });

  test.each(['PUT', 'POST'])(
    'logs failures of %s to acquire the lease, as errors once a minute after its duration',
    async (method) => {
      const { server, time, log } = play();
      server.onRequest = (sent) => {
        if (sent !== 'GET') throw new Error('400 BadRequest');
      };
      if (method === 'PUT') server.edit({ holderIdentity: '', leaseTransitions: 5 });
      await time.advance(140_000);
      const message = 'the lease was not acquired or renewed: 400 BadRequest';
      expect(log).toEqual([`warn ${message}`, ...[1, 2, 3].map(() => `error ${message}`)]);
    },
  );

  test('logs conflicts that do not end', async () => {
    const { server, time, log } = play();
    let count = 0;
    server.onRequest = async (sent) => {
      if (sent === 'GET') await settled();
      else server.edit({ holderIdentity: '', leaseTransitions: ++count });
    };
    server.edit({ holderIdentity: '' });
    await time.advance(60_000);
    expect(log.map((entry) => entry.split(' ')[0])).toEqual(['warn', 'error']);
    expect(log[0]).toContain('409');
  });
});
