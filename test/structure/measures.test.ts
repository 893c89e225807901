import { describe, expect, test } from 'vitest';
import { entriesOf, files, functions, type Measure, quantile } from './lengths.ts';
import { sources } from './sources.ts';

/** Budgets of CONTRIBUTING.md, in lines and in entries of a folder. */
const budgets = {
  file: 400,
  medianFile: 150,
  function: 50,
  medianFunction: 12,
  folder: 15,
  packageFolder: 21,
};
/** Files that are one thing, with their limits: classes in hot code, whose private state cannot be shared. */
const longFiles: Readonly<Record<string, number>> = {
  'src/runtime/protobuf/wire/reader.ts': 420,
  'src/runtime/protobuf/wire/writer.ts': 420,
};
/** Three lines for each of its fields, as in generated functions. */
const perField = 'src/runtime/protobuf/meta/object-meta.ts: readObjectMeta';

const median = (measures: readonly Measure[]): number =>
  quantile(
    measures.map(({ lines }) => lines),
    0.5,
  );

/** One file for each subpath of the package, however many it has. */
const entryPointFolder = 'src/runtime/exports';

test('limits the entries of folders', () => {
  const folders = [...entriesOf(sources.map(({ path }) => path))];
  const limitOf = (folder: string): number => {
    return folder.split('/').length === 2 ? budgets.packageFolder : budgets.folder;
  };
  const above = folders.filter(
    ([folder, entries]) => folder !== entryPointFolder && entries.size > limitOf(folder),
  );
  expect(folders.length).toBeGreaterThan(50);
  expect(above.map(([folder, entries]) => `${folder}: ${entries.size}`)).toEqual([]);
});

test('has limits above the budget only for files that exceed it', () => {
  const exceeding = files.filter(({ lines }) => lines > budgets.file).map(({ name }) => name);
  expect(exceeding.sort()).toEqual(Object.keys(longFiles).sort());
});

describe.each(
  ['certificates', 'schema', 'kgen', 'runtime', 'controller', 'testserver', 'testing'].map(
    (name) => `src/${name}/`,
  ),
)('%s', (folder) => {
  const inFolder = ({ name }: Measure): boolean => name.startsWith(folder);

  test('limits the length of files', () => {
    const own = files.filter(inFolder);
    expect(median(own)).toBeLessThanOrEqual(budgets.medianFile);
    expect(own.filter(({ name, lines }) => lines > (longFiles[name] ?? budgets.file))).toEqual([]);
  });

  test('limits the length of functions', () => {
    const own = functions.filter(inFolder);
    expect(own.length).toBeGreaterThan(20);
    expect(median(own)).toBeLessThanOrEqual(budgets.medianFunction);
    expect(own.filter(({ name, lines }) => lines > budgets.function && name !== perField)).toEqual([]);
  });
});
