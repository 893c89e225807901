import type { RuntimeEnvironment } from '@kgen/runtime/informers';

/** Returns an environment whose clock runs `factor` times faster: seconds of backoff take milliseconds. */
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
