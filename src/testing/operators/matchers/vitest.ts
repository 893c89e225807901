/** Adds the matchers of `@kgen/testing` to vitest: `import '@kgen/testing/vitest'`. */
import { expect } from 'vitest';
import type { SimulateOptions } from '../simulate/options.ts';
import { simulationMatchers } from './simulation.ts';

declare module 'vitest' {
  // The parameter is that of the declaration of vitest.
  interface Matchers<T> {
    /** Passes if no schedule of faults makes the operator fail. */
    toPassSimulation(options?: SimulateOptions): Promise<void>;
  }
}

expect.extend(simulationMatchers);
