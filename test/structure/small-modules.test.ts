import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { edgesOf, sources } from './sources.ts';

/** A module below `small` lines is merged into its only user unless that exceeds `merged` lines. */
const limits = { small: 60, merged: 200 };

/** Modules that stay separate, by reason. */
const separate: Readonly<Record<string, string>> = {
  'src/kgen/codemod/client-node/tables/facts.ts': 'data that a script writes',
  'src/kgen/emit/protobuf/protobuf-message-write.ts': 'counterpart of protobuf-message-read.ts',
  'src/kgen/model/walk/walk-array.ts': 'one module per kind of schema: walk-object.ts, walk-union.ts',
  'src/kgen/paths/undocumented.ts': 'table of paths',
  'src/schema/cel/check/format-literals.ts': 'rules of one function, format',
  'src/schema/cel/library/sets.ts': 'one module per library: strings.ts, times.ts',
};

const edges = sources.flatMap(edgesOf);
const linesOf = new Map(sources.map(({ path, file }) => [path, file.text.split('\n').length - 1]));
const usersOf = new Map<string, Set<string>>();
for (const { from, to } of edges) usersOf.set(to, (usersOf.get(to) ?? new Set()).add(from));
const lazy: ReadonlySet<string> = new Set(edges.filter((edge) => edge.lazy).map(({ to }) => to));

/**
 * Returns the module into which a small module belongs: its only user, in the same folder, with space for it.
 * Modules that are loaded by `import()`, and those that an index exports, have none.
 */
function hostOf(path: string): string | undefined {
  const [user, ...others] = usersOf.get(path) ?? [];
  const lines = linesOf.get(path) ?? 0;
  if (user === undefined || others.length > 0 || lines >= limits.small || lazy.has(path)) return undefined;
  if (dirname(user) !== dirname(path) || /\/(index|v1[\w-]*)\.ts$/.test(user)) return undefined;
  return lines + (linesOf.get(user) ?? 0) > limits.merged ? undefined : user;
}

test('a small module has a second user, another folder than its user, or a lazy boundary', () => {
  const mergeable = sources
    .filter(({ path }) => !(path in separate))
    .flatMap(({ path }) => {
      const host = hostOf(path);
      return host === undefined ? [] : [`${path} belongs to ${host}`];
    });
  expect(lazy.size).toBeGreaterThan(20);
  expect(mergeable).toEqual([]);
});

test('modules that stay separate would belong to their user', () => {
  expect(Object.keys(separate).filter((path) => hostOf(path) === undefined)).toEqual([]);
});
