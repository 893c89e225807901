import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Line, surprises } from '../support/lines.ts';
import { createProject, type Project } from '../support/project.ts';
import type { Pledge } from './tables/helpers.ts';
import { paths, pledges, prelude } from './tables/rest-paths.ts';

let found: readonly string[] = [];
let project: Project | undefined;

beforeAll(() => {
  project = createProject();
  const { folder } = project;
  project.write({
    'paths.ts': paths.replace('interface Thing', 'export interface Thing'),
    'other/runtime.ts': `export { ClientsetBase, RESTClient } from '@kgen/runtime';\n`,
  });
  cpSync(join(folder, 'node_modules/@kgen'), join(folder, 'other/node_modules/@kgen'), { recursive: true });
  found = surprises(project, prelude, pledges.flatMap(linesOf), { noUnusedLocals: false });
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

describe('types of a client with paths', () => {
  test.each(pledges.map(({ pledge }) => pledge))('%s', (pledge) => {
    expect(found.filter((text) => text.startsWith(`${pledge}: `))).toEqual([]);
  });

  test('nothing else is wrong', () => {
    const names = pledges.map(({ pledge }) => pledge);
    expect(found.filter((text) => !names.some((pledge) => text.startsWith(`${pledge}: `)))).toEqual([]);
  });
});
