import { expect, test } from 'vitest';
import { sources } from './sources.ts';

/** Modules that wait, retry or time out by the policy of `common/timing.ts`. */
const governed = /^src\/runtime\/(watch|cache\/reflector|rest\/layers)\//;
/** A constant of a module with a time: `const graceMs = 30_000`. */
const constant = /^(?:export )?const \w+(?:Ms|MS|Seconds|SECONDS) = [\d._* ]+;/gm;
/** Not a policy: the maximum of Node's timers. */
const allowed = new Set(['src/runtime/common/clock.ts']);

test('times of watches, reflectors and retries are values of the timing policy', () => {
  const modules = sources.filter(({ path }) => governed.test(path) && !allowed.has(path));
  expect(modules.length).toBeGreaterThan(30);
  const found = modules.flatMap(({ path, file }) =>
    [...file.getFullText().matchAll(constant)].map(([line]) => `${path}: ${line}`),
  );
  expect(found).toEqual([]);
});
