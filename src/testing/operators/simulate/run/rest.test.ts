import { describe, expect, it } from 'vitest';
import { VirtualTime } from '../../../../testserver/server/virtual-time.ts';
import { mostRestMs, Rest, type RestParts } from './rest.ts';

/** A run in virtual time that begins at 0. */
function runOf(parts: Partial<RestParts> = {}) {
  const time = new VirtualTime(0, 1);
  const never = {
    dueTimes: () => [],
    retriesEndMs: () => 0,
    requeuesEndMs: () => 0,
    isElecting: () => false,
    isOver: () => false,
  };
  const rest = new Rest({ ...never, ...parts, time });
  return { time, rest };
}

describe('a simulated run', () => {
  it('is at rest 20 seconds after the last change', async () => {
    const { time, rest } = runOf();
    time.timer(7_000, () => rest.noteActivity());
    expect(await rest.reach()).toBe(true);
    expect(time.now()).toBe(27_000);
  });

  it('is not at rest before a new leader has had time to write', async () => {
    let now = () => 0;
    const { time, rest } = runOf({ isElecting: () => now() < 19_900 });
    now = () => time.now();
    expect(await rest.reach()).toBe(true);
    expect(time.now()).toBeGreaterThanOrEqual(39_000);
  });

  it('is not at rest before the retries that were pending have run', async () => {
    let now = () => 0;
    const { time, rest } = runOf({ retriesEndMs: () => (now() < 100_000 ? 100_000 : 0) });
    now = () => time.now();
    expect(await rest.reach()).toBe(true);
    expect(time.now()).toBeGreaterThanOrEqual(101_000);
    expect(await rest.isFailing()).toBe(false);
  });

  it('is not at rest before an operator that polls has done so once', async () => {
    let now = () => 0;
    const { time, rest } = runOf({ requeuesEndMs: () => Math.ceil((now() + 1) / 30_000) * 30_000 });
    now = () => time.now();
    expect(await rest.reach()).toBe(true);
    expect(time.now()).toBe(31_000);
    expect(await rest.isFailing()).toBe(false);
  });

  it('fails if each of several retries fails', async () => {
    let now = () => 0;
    const { time, rest } = runOf({ retriesEndMs: () => now() + 1_000 });
    now = () => time.now();
    expect(await rest.reach()).toBe(true);
    expect(await rest.isFailing()).toBe(true);
  });

  it('is not at rest if there are changes until the limit', async () => {
    const { time, rest } = runOf();
    const change = (): void => {
      rest.noteActivity();
      time.timer(10_000, change);
    };
    change();
    expect(await rest.reach()).toBe(false);
    expect(time.now()).toBeGreaterThanOrEqual(mostRestMs);
  });

  it('passes the timers and the starts of processes that are pending, but no distant ones', async () => {
    const { time, rest } = runOf({ dueTimes: () => [5_000, 300_000] });
    rest.noteStart(40_000);
    await rest.passDelays();
    expect(time.now()).toBe(40_000);
  });
});
