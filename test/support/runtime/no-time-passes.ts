import { afterEach, beforeEach, onTestFinished, vi } from 'vitest';

/**
 * Long work yields to the event loop by the system clock. Stops this clock in the surrounding tests, so that
 * they do not depend on the load of the machine.
 */
export function noTimePasses(): void {
  let restore = (): void => undefined;
  beforeEach(() => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    restore = () => now.mockRestore();
  });
  afterEach(() => restore());
}

/**
 * Stops timers and the monotonic clock until the end of the running test, so that a time limit ends only by
 * `vi.advanceTimersByTime`, after what must precede it. Modules that are loaded on demand, and sockets, need
 * real time.
 */
export function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Waits until `holds` returns true, while time is held: `expect.poll` and `vi.waitFor` would advance it. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
