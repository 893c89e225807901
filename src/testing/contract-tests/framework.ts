/** Functions of test frameworks that register tests. */

/**
 * Body of a test. Frameworks that can skip a running test, as vitest and `node:test` can, pass their
 * context. The parameter is a rest parameter, since jest passes a callback to functions with parameters.
 */
export type TestBody = (...context: readonly unknown[]) => Promise<void>;

/** Functions that register tests: those of vitest and jest have this form. */
export interface TestFramework {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: (name: string, body: TestBody, timeoutMs: number) => unknown;
  readonly afterAll: (body: () => Promise<void>) => unknown;
}

/** Returns the functions that jest defines globally, and vitest with `globals: true`. */
export function globalFramework(): TestFramework | undefined {
  const found: object = globalThis;
  return isFramework(found) ? found : undefined;
}

/** Loads the functions of vitest if it runs this module, otherwise those of `node:test`. */
export async function loadFramework(): Promise<TestFramework> {
  // Set in workers only, whereas processes that tests start inherit the variable VITEST.
  if (!Reflect.has(globalThis, '__vitest_worker__')) return nodeFramework();
  // A variable, because vitest is not a dependency of this package.
  const name = 'vitest';
  const module: object = await import(name);
  if (isFramework(module)) return module;
  throw new TypeError('vitest has no describe, test and afterAll: pass them as the option framework');
}

/**
 * Skips the running test with a reason, if its framework supports that. Vitest ends the test by an
 * exception, and `node:test` does not, so that the caller returns afterwards.
 */
export function skipTest([context]: readonly unknown[], reason: string): void {
  if (typeof context !== 'object' && typeof context !== 'function') return;
  const skip: unknown = context === null ? undefined : Reflect.get(context, 'skip');
  if (typeof skip === 'function') skip.call(context, reason);
}

function isFramework(value: object): value is TestFramework {
  return ['describe', 'test', 'afterAll'].every((name) => typeof Reflect.get(value, name) === 'function');
}

async function nodeFramework(): Promise<TestFramework> {
  const { after, describe, test } = await import('node:test');
  return {
    describe: (name, body) => describe(name, body),
    test: (name, body, timeoutMs) => test(name, { timeout: timeoutMs }, body),
    afterAll: (body) => after(body),
  };
}
