import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Line, surprises } from '../support/compiled-lines.ts';
import { crd } from '../support/crd.ts';
import { emitted } from '../support/emitted.ts';
import { createProject, type Project } from '../support/project.ts';
import { lists } from './tables/lists.ts';
import { objects } from './tables/objects.ts';
import { roots } from './tables/roots.ts';
import type { RootRow, Row } from './tables/row.ts';
import { scalars } from './tables/scalars.ts';
import { unions } from './tables/unions.ts';

const tables = { scalars, objects, lists, unions };
const rows: readonly Row[] = Object.values(tables).flat();

let found: readonly string[] = [];
let project: Project | undefined;

beforeAll(async () => {
  project = createProject();
  const kinds = rows.map(({ schema }, index) => kindWith(`Row${index}`, schema));
  project.write((await emitted(kinds)).files, 'rows');
  for (const [index, row] of roots.entries()) {
    project.write((await emitted([rootOf(row)])).files, `root${index}`);
  }
  found = surprises(project, prelude(), [...rows.flatMap(linesOf), ...roots.flatMap(rootLines)]);
});

afterAll(() => project?.dispose());

function kindWith(kind: string, schema: unknown): object {
  return crd({
    kind,
    versions: [{ schema: { type: 'object', required: ['value'], properties: { value: schema } } }],
  });
}

function rootOf({ root, scope = 'Namespaced' }: RootRow): object {
  return crd({ kind: 'Thing', scope, versions: [typeof root === 'object' ? { schema: root ?? {} } : {}] });
}

function prelude(): string {
  return [
    `import type * as rows from './rows/tables.example.com/v1/types.js';`,
    ...roots.map(
      (_, index) =>
        `import type { Thing as Root${index} } from './root${index}/tables.example.com/v1/types.js';`,
    ),
    'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;',
  ].join('\n');
}

function linesOf(row: Row, index: number): readonly Line[] {
  const type = `rows.Row${index}['value']`;
  const same = `export const same${index}: Same<${type}, ${row.type}> = true;`;
  const exact: readonly Line[] =
    row.type === undefined ? [] : [{ name: `${row.feature}: is ${row.type}`, text: same, compiles: true }];
  return [...exact, ...values(row, `row${index}`, type)];
}

function rootLines(row: RootRow, index: number): readonly Line[] {
  return values(row, `root${index}`, `Root${index}`);
}

function values(
  row: Pick<Row, 'feature' | 'accepts' | 'rejects'>,
  name: string,
  type: string,
): readonly Line[] {
  const line = (expression: string, compiles: boolean, index: number): Line => ({
    name: `${row.feature}: ${expression}`,
    text: `export const ${name}_${compiles}_${index}: ${type} = ${expression};`,
    compiles,
  });
  return [
    ...row.accepts.map((expression, index) => line(expression, true, index)),
    ...row.rejects.map((expression, index) => line(expression, false, index)),
  ];
}

describe('values of each schema feature', () => {
  test.each([...rows, ...roots].map(({ feature }) => feature))('%s', (feature) => {
    expect(found.filter((text) => text.startsWith(`${feature}: `))).toEqual([]);
  });

  test('has a unique name for every feature, and no other errors', () => {
    const features = [...rows, ...roots].map(({ feature }) => feature);
    expect(features).toEqual([...new Set(features)]);
    expect(found.filter((text) => !features.some((feature) => text.startsWith(`${feature}: `)))).toEqual([]);
  });
});
