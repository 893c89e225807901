/** Adds the matchers of `@kgen/testing` to jest: `import '@kgen/testing/jest'`. */
import type {} from 'expect';
import type { SimulateOptions } from '../simulate/options.ts';
import { simulationMatchers } from './simulation.ts';

declare module 'expect' {
  // The parameters are those of the declaration of jest.
  interface Matchers<R extends void | Promise<void>, T = unknown> {
    /** Passes if no schedule of faults makes the operator fail. */
    toPassSimulation(options?: SimulateOptions): Promise<void>;
  }
}

interface Expect {
  extend(matchers: typeof simulationMatchers): void;
}

const found: unknown = Reflect.get(globalThis, 'expect');
if (!isExpect(found)) {
  throw new TypeError(
    'the global expect of jest does not exist: with injectGlobals: false, use expect.extend(simulationMatchers)',
  );
}
found.extend(simulationMatchers);

function isExpect(value: unknown): value is Expect {
  return typeof value === 'function' && typeof Reflect.get(value, 'extend') === 'function';
}
