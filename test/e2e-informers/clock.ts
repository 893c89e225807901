import type { RuntimeEnvironment } from '@kgen/runtime';

/** A clock that runs faster than others: seconds of back-off take milliseconds. */
export function faster(factor: number, random: () => number): RuntimeEnvironment {
  return {
    clock: {
      now: () => performance.now() * factor,
      timer: (ms, callback) => {
        const handle = setTimeout(callback, Math.min(ms / factor, 2 ** 31 - 1));
        return () => clearTimeout(handle);
      },
    },
    random,
  };
}
