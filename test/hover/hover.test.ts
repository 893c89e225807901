import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emitted } from '../support/emitted.ts';
import { createProject, type Project } from '../support/project.ts';
import { type Editor, openEditor } from './editor.ts';
import { type HoverRow, prelude, rows } from './table.ts';

const file = 'hover.ts';
const deprecated = `clientset.cacheV1alpha1.redisClusters('shop');`;
const completions = 'clientset.cacheV1.';
const lines = [prelude, ...rows.map(({ at }) => at.replace('^', '')), deprecated, completions];

/** Offset of each row's mark in the file. */
const offsets: readonly number[] = rows.map(({ at }, index) => {
  const before = [prelude, ...rows.slice(0, index).map((row) => row.at.replace('^', ''))].join('\n');
  return before.length + 1 + at.indexOf('^');
});

let project: Project | undefined;
let editor: Editor | undefined;

function open(): Editor {
  if (editor === undefined) throw new Error('the editor is not open');
  return editor;
}

beforeAll(async () => {
  project = createProject();
  project.write((await emitted(['crds/*.yaml'])).files, 'generated');
  project.write({ [file]: lines.join('\n') });
  editor = openEditor(project.folder, file);
});

afterAll(() => project?.dispose());

describe('hovers', () => {
  test.each(rows.map((row, index) => [row.at, row, index] as const))(
    '%s',
    (_, row: HoverRow, index: number) => {
      const hover = open().hover(offsets[index] ?? 0);
      expect(hover.display).toBe(row.shows);
      expect(hover.docs).toContain(row.docs ?? '');
      for (const tag of row.tags ?? []) expect(hover.tags).toContain(tag);
    },
  );

  test('are limited in length', () => {
    const walls = rows.filter(({ shows }) => shows.length > 320 || shows.split('\n').length > 3);
    expect(walls.map(({ at }) => at)).toEqual([]);
  });
});

/** Methods that support dry runs. */
const writes = [
  ['create', 'Creates an object.'],
  ['update', 'Replaces an object.'],
  ['patch', 'Patches an object.'],
  ['apply', 'by server-side apply'],
  ['updateStatus', 'Replaces the status'],
  ['patchStatus', 'Patches the status of an object'],
  ['applyStatus', 'Applies the status of an object by server-side apply'],
  ['updateScale', 'Sets the number of replicas of the object'],
  ['patchScale', 'Patches the scale of an object'],
  ['applyScale', 'Sets the number of replicas by server-side apply'],
] as const;

describe('completions and deprecation marks', () => {
  test.each(writes)('%s is documented by its effect, not by its dry run', (name, docs) => {
    const offset = offsets[rows.findIndex(({ at }) => at.startsWith('caches.^'))] ?? 0;
    expect(open().completionDocs(offset, name)).toMatch(docs);
  });

  test('marks deprecated members', () => {
    expect(open().struck()).toContain('redisClusters');
  });

  test('completes only the resources of a group version', () => {
    expect(open().completions(lines.join('\n').length)).toEqual(['redisClusters']);
  });
});
