/** Quick info on types that state which members exclude each other. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crd } from '../support/crd.ts';
import { emitted } from '../support/emitted.ts';
import { createProject, type Project } from '../support/project.ts';
import { type Editor, openEditor } from './editor.ts';

const file = 'hover.ts';
const prelude = `
import type { Store, StoreSpec, StoreSpecProvider } from './generated/tables.example.com/v1/index.js';
declare const store: Store;
declare const provider: StoreSpecProvider;
`;

const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
const place = { type: 'object', required: ['url'], properties: { url: { type: 'string' } } };
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        provider: {
          type: 'object',
          description: 'Where the values are.',
          minProperties: 1,
          maxProperties: 1,
          properties: Object.fromEntries(
            names.map((name) => [name, { ...place, description: `Docs of ${name}.` }]),
          ),
        },
      },
    },
  },
};

const rows: readonly (readonly [at: string, shows: string, docs: string])[] = [
  ['^provider;', 'const provider: StoreSpecProvider', ''],
  [
    'store.spec?.^provider;',
    '(property) StoreSpec.provider?: StoreSpecProvider | undefined',
    'Where the values are.',
  ],
  ['provider.^p1;', '(property) p1?: StoreSpecProviderP0 | undefined', 'Docs of p1.'],
  ['if (provider.p1 !== undefined) provider.p1.^url;', '(property) StoreSpecProviderP0.url: string', ''],
  [
    'const spec: StoreSpec = { ^provider: { p1: { url: "" } } };',
    '(property) StoreSpec.provider?: StoreSpecProvider | undefined',
    '',
  ],
];

let project: Project | undefined;
let editor: Editor | undefined;

beforeAll(async () => {
  project = createProject();
  const kind = crd({ kind: 'Store', versions: [{ schema }] });
  project.write((await emitted([kind], { exclusive: true })).files, 'generated');
  project.write({ [file]: prelude + rows.map(([at]) => `${at.replace('^', '')}\n`).join('') });
  editor = openEditor(project.folder, file);
});

afterAll(() => project?.dispose());

test.each(rows.map(([at, shows, docs], index) => [at, shows, docs, index] as const))(
  '%s',
  (at, shows, docs, index) => {
    const before = rows.slice(0, index).reduce((sum, [other]) => sum + other.length, prelude.length);
    const hover = editor?.hover(before + at.indexOf('^'));
    expect(hover?.display).toBe(shows);
    expect(hover?.docs).toContain(docs);
  },
);

test('completes the members inside of a literal', () => {
  const offset = prelude.length + rows.slice(0, -1).reduce((sum, [at]) => sum + at.length, 0);
  const inside = offset + 'const spec: StoreSpec = { provider: {'.length;
  expect(editor?.completions(inside)).toEqual(expect.arrayContaining(['p0', 'p39']));
});
