/** A matcher for `expect` of vitest and jest. */
import { isOperator } from '../commands/module.ts';
import type { SimulateOptions } from '../simulate/options.ts';
import { simulate } from '../simulate/simulate.ts';
import { SimulationError } from '../simulate/story.ts';

/** Result of a matcher, as vitest and jest expect it. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Matchers of operators: `expect.extend(simulationMatchers)`. The modules `@kgen/testing/vitest` and
 * `@kgen/testing/jest` do that, and declare their types.
 *
 * `node:test` has assertions instead of matchers: `simulate` is one, and
 * `assert.register('simulate', simulate)` adds it to `t.assert`.
 */
export const simulationMatchers = {
  /**
   * Passes if no schedule makes the operator fail; its message is the story of the first one that does. With
   * `.not`, it passes if one makes it fail.
   * @throws {Error} if the simulation cannot run
   */
  async toPassSimulation(operator: unknown, options: SimulateOptions = {}): Promise<MatcherResult> {
    if (!isOperator(operator))
      throw new TypeError('toPassSimulation expects an operator: the function that builds its manager');
    try {
      const { seeds } = await simulate(operator, options);
      return {
        pass: true,
        message: () => `the operator passes ${seeds === 1 ? 'the seed' : `all of ${seeds} seeds`}`,
      };
    } catch (error) {
      if (!(error instanceof SimulationError)) throw error;
      return { pass: false, message: () => error.message };
    }
  },
};
