import { describe, expect, it } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { Lifecycle, type Part, type Phase } from './lifecycle.ts';

const phases = [
  'endpoints',
  'webhooks',
  'caches',
  'others',
  'leader',
  'election',
  'draining',
  'recording',
  'events',
  'connections',
] as const satisfies readonly Phase[];
const never = new Promise<never>(() => undefined);

function world(gracePeriodMs: number) {
  const clock = new FakeClock();
  const logged: string[] = [];
  const note = (_: object, message: string): void => void logged.push(message);
  const log = { debug: note, info: note, warn: note, error: note };
  const lifecycle = new Lifecycle({ name: 'test', clock, log, gracePeriodMs });
  return { clock, lifecycle, logged };
}

/** Returns the time after which a stop has ended, in milliseconds. */
async function stopMs(
  { clock, lifecycle }: ReturnType<typeof world>,
  stop: () => Promise<void> = () => lifecycle.end(),
): Promise<number> {
  const started = clock.now();
  let isOver = false;
  const ended = stop().then(() => {
    isOver = true;
  });
  await settle();
  for (let step = 0; !isOver && step < 100_000; step += 1) await clock.advance(10);
  await ended;
  return clock.now() - started;
}

const hanging = (name: string): Part => ({ name, stop: () => never });

describe('a stop', () => {
  it.each(phases)('ends a second after the grace period if a part of %s never ends', async (phase) => {
    const it = world(500);
    it.lifecycle.add(phase, hanging('part'));
    expect(await stopMs(it)).toBeLessThanOrEqual(1500);
    expect(it.logged).toEqual(['part has not ended: it is abandoned']);
  });

  it.each([0, 500, 30_000])('of %i ms ends in time if no part ever ends', async (gracePeriodMs) => {
    const it = world(gracePeriodMs);
    const abandoned: string[] = [];
    for (const phase of phases)
      it.lifecycle.add(phase, {
        name: phase,
        ended: never,
        stop: () => undefined,
        abandon: () => void abandoned.push(phase),
      });
    expect(await stopMs(it)).toBeLessThanOrEqual(gracePeriodMs + 1000);
    expect(abandoned.toSorted()).toEqual(phases.toSorted());
    expect(it.clock.armed).toBe(0);
  });

  it('ends within a second if leadership was lost, whatever the grace period is', async () => {
    const it = world(Number.POSITIVE_INFINITY);
    for (const phase of phases) it.lifecycle.add(phase, hanging(phase));
    const lost = async (): Promise<void> => {
      it.lifecycle.lose(new Error('lost'));
      await it.lifecycle.end();
    };
    expect(await stopMs(it, lost)).toBeLessThanOrEqual(1000);
  });

  it('leaves each phase time after others have used theirs', async () => {
    const it = world(500);
    it.lifecycle.add('others', hanging('others'));
    it.lifecycle.add('election', {
      name: 'election',
      stop: () => new Promise<void>((resolve) => void it.clock.timer(200, resolve)),
    });
    expect(await stopMs(it)).toBeLessThanOrEqual(1500);
    expect(it.logged).toEqual(['others has not ended: it is abandoned']);
  });

  it('ends at once a part that is added after its phase', async () => {
    const it = world(500);
    await stopMs(it);
    let stops = 0;
    it.lifecycle.add('endpoints', {
      name: 'late',
      stop: () => {
        stops += 1;
      },
    });
    await settle();
    expect(stops).toBe(1);
  });

  it('leaves the time of a phase without a limit as long as the grace period is infinite', () => {
    const { lifecycle } = world(Number.POSITIVE_INFINITY);
    expect(lifecycle.leftMs('events')).toBe(Number.POSITIVE_INFINITY);
  });
});
