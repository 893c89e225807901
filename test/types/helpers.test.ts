import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emitted } from '../support/emitted.ts';
import { type Line, surprises } from '../support/lines.ts';
import { createProject, type Project } from '../support/project.ts';
import { type Pledge, pledges, prelude } from './tables/helpers.ts';

let found: readonly string[] = [];
let project: Project | undefined;

beforeAll(async () => {
  project = createProject();
  project.write((await emitted(['crds/*.yaml'])).files, 'generated');
  const options = { noUnusedLocals: false };
  found = surprises(project, prelude, pledges.flatMap(linesOf), options);
});

afterAll(() => project?.dispose());

function linesOf({ pledge, accepts, rejects }: Pledge, number: number): readonly Line[] {
  const line = (code: string, compiles: boolean, index: number): Line => ({
    name: `${pledge}: ${code}`,
    text: `export async function pledge${number}_${compiles}_${index}(): Promise<void> { ${code} }`,
    compiles,
  });
  return [
    ...accepts.map((code, index) => line(code, true, index)),
    ...rejects.map((code, index) => line(code, false, index)),
  ];
}

describe('types of generated clients', () => {
  test.each(pledges.map(({ pledge }) => pledge))('%s', (pledge) => {
    expect(found.filter((text) => text.startsWith(`${pledge}: `))).toEqual([]);
  });

  test('nothing else is wrong', () => {
    const names = pledges.map(({ pledge }) => pledge);
    expect(found.filter((text) => !names.some((pledge) => text.startsWith(`${pledge}: `)))).toEqual([]);
  });
});
