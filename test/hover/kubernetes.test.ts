import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { createProject, type Project } from '../support/project.ts';
import { type Editor, openEditor } from './editor.ts';
import { prelude, rows } from './kubernetes-table.ts';

const file = 'hover.ts';
const text = [prelude, ...rows.map(({ at }) => at.replace('^', ''))].join('\n');
const folder = join(repository, 'generated/kubernetes');

let project: Project | undefined;
let editor: Editor | undefined;

/** Returns the offset of a row's mark. */
function offset(index: number): number {
  const before = [prelude, ...rows.slice(0, index).map(({ at }) => at.replace('^', ''))].join('\n');
  return before.length + 1 + (rows[index]?.at.indexOf('^') ?? 0);
}

beforeAll(() => {
  const sources = filesBelow(folder, '.ts');
  project = createProject();
  project.write(
    new Map(sources.map((path) => [path, readFileSync(join(folder, path), 'utf8')])),
    'kubernetes',
  );
  project.write({ [file]: text });
  editor = openEditor(project.folder, file);
});

afterAll(() => project?.dispose());

describe('hovers over the built-in API', () => {
  test.each(rows.map(({ at, shows }, index) => [at, shows, index] as const))('%s', (_, shows, index) => {
    expect(editor?.hover(offset(index)).display).toBe(shows);
  });

  test('are limited in length', () => {
    expect(rows.filter(({ shows }) => shows.length > 400).map(({ at }) => at)).toEqual([]);
  });
});
