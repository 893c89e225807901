import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Long work gives others their turn by the machine's clock: in the tests around this call it stands still, so that how
 * busy the machine is decides nothing.
 */
export function noTimePasses(): void {
  let restore = (): void => undefined;
  beforeEach(() => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    restore = () => now.mockRestore();
  });
  afterEach(() => restore());
}
