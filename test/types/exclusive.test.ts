import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaints, programOf } from '../support/checker.ts';
import { surprises } from '../support/compiled-lines.ts';
import { type Line, resolutions, strictest, typeCheck } from '../support/compilers.ts';
import { crd } from '../support/crd.ts';
import { emitted } from '../support/emitted.ts';
import { createProject, type Project } from '../support/project.ts';
import { describeGuarantees, linesOf } from './guarantees.ts';
import { backup, exclusive, prelude } from './tables/exclusive.ts';

let found: readonly string[] = [];
let project: Project | undefined;

beforeAll(async () => {
  project = createProject();
  const kind = crd({ kind: 'Backup', versions: [{ schema: backup, subresources: { status: {} } }] });
  project.write((await emitted([kind], { exclusive: true })).files, 'generated');
  const options = { noUnusedLocals: false };
  found = surprises(project, prelude, linesOf(exclusive), options);
});

afterAll(() => project?.dispose());

describeGuarantees('members that exclude each other', exclusive, () => found);

/** Mistakes, and the first lines of their errors. */
const mistakes: readonly (readonly [value: string, error: string])[] = [
  ['{}', "Type '{}' is not assignable to type 'BackupSpecBoth'."],
  [
    `{ a: '', b: '' }`,
    "Type '{ a: string; b: string; }' is not assignable to type 'BackupSpecBoth'.\n  Types of property 'b' are incompatible.",
  ],
  ['{ a: 1 }', "Type 'number' is not assignable to type 'string'."],
  [
    `{ a: '', nope: '' }`,
    "Object literal may only specify known properties, and 'nope' does not exist in type",
  ],
];

test.each(mistakes)('the error of %s names the cause', (value, error) => {
  const statement = `export const wrong: BackupSpecBoth = ${value};`;
  project?.write({ 'mistake.ts': `${prelude}\n${statement}` });
  const folder = project?.folder ?? '';
  const found = complaints(programOf(folder, ['mistake.ts'], { noUnusedLocals: false }), folder);
  expect(found.map(({ text }) => text)).toEqual([expect.stringContaining(error)]);
});

test.each<Line>(['5.5', '6', '7'])('TypeScript %s compiles the types', async (line) => {
  const options = { ...strictest(line), ...resolutions.nodenext };
  const folder = project?.folder ?? '';
  expect(await typeCheck({ line, folder, name: `exclusive-${line}`, include: ['generated'], options })).toBe(
    '',
  );
});
