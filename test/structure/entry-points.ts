/** Entry points of the packages, and their exports. */
import { join } from 'node:path';
import ts from 'typescript';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { parse } from './sources.ts';

/** Sources of the entry points of all packages, relative to the repository. */
export const entryPoints: readonly string[] = [
  'src/kgen/index.ts',
  'src/kgen/cli/operators/commands.ts',
  'src/kgen/contract/index.ts',
  'src/kgen/view/index.ts',
  ...filesBelow(join(repository, 'src/runtime/exports'), '.ts').map((path) => `src/runtime/exports/${path}`),
  'src/runtime/exports/gen/v1.ts',
  'src/runtime/exports/gen/v1-protobuf.ts',
  'src/controller/index.ts',
  'src/testserver/index.ts',
  'src/testing/index.ts',
  'src/testing/fast-check.ts',
  'src/testing/operators/commands/index.ts',
];

/** Returns the names that an entry point exports. Entry points have no `export *` and no declarations. */
export function exportedNames(path: string): readonly string[] {
  return parse(path).statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [],
  );
}
