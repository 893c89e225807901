/** The committed built-in API compiles, paths included, under the strictest flags of every compiler. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Line, resolutions, strictest, typeCheck } from '../support/compilers.ts';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { createProject, type Project } from '../support/project.ts';
import { rows } from '../support/seeds.ts';

const folder = join(repository, 'generated/kubernetes');
let project: Project | undefined;

beforeAll(() => {
  const files = filesBelow(folder, '.ts').map(
    (path) => [path, readFileSync(join(folder, path), 'utf8')] as const,
  );
  project = createProject();
  project.write(new Map(files), 'kubernetes');
});

afterAll(() => project?.dispose());

const cases: readonly (readonly [Line, keyof typeof resolutions])[] = [
  ['5.5', 'nodenext'],
  ['5.9', 'nodenext'],
  ['6', 'bundler'],
  ['7', 'nodenext'],
];

// A sample uses the fastest compiler. The build runs another one over the same files.
test.each(rows(cases, ([line]) => line === '7'))(
  '@kgen/kubernetes compiles with TypeScript %s, %s',
  async (line, resolution) => {
    const options = { ...strictest(line), ...resolutions[resolution] };
    const name = `kubernetes-${line}-${resolution}`;
    const include = ['kubernetes'];
    expect(await typeCheck({ line, folder: project?.folder ?? '', name, include, options })).toBe('');
  },
  120_000,
);
