import { afterEach, beforeEach, vi } from 'vitest';

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
