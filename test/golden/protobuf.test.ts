/**
 * Exact generated codecs, from a table with one field of every sort. `UPDATE=1 npx vitest run test/golden`
 * rewrites the expected files; review the difference.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultEmitOptions, type EmitOptions } from '../../src/kgen/emit/options.ts';
import { emit } from '../../src/kgen/emit/tree.ts';
import { buildModel } from '../../src/kgen/model/build.ts';
import { loadOpenApi } from '../../src/kgen/openapi/load.ts';
import { codecPlan } from '../../src/kgen/protobuf/plan.ts';
import type { Element, Field, FieldTable, TableMessage } from '../../src/kgen/protobuf/types.ts';
import { version } from '../../src/kgen/common/version.ts';
import { complaints, programOf } from '../support/checker.ts';
import { contentsBelow } from './file-contents.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

type Row = readonly [json: string | undefined, element: Element, shape?: Field['shape'], omission?: Field['omission']];

function messageOf(key: string, rows: readonly Row[], bare = false): readonly [string, TableMessage] {
  const at = key.lastIndexOf('.');
  const fields = rows.map(([json, element, shape = 'value', omission = 'omitempty'], index): Field => {
    return { number: index + 1, json, shape, element, omission };
  });
  return [key, { home: key.slice(0, at), name: key.slice(at + 1), fields, bare }];
}

const text: Element = { scalar: 'string' };
const ref = (message: string): Element => ({ message });

/**
 * Fields of invented kinds; the group version of one is not served, and only contains messages of the other.
 */
const table: FieldTable = {
  messages: new Map([
    messageOf('core/v1.Baker', [
      ['metadata', ref('meta/v1.ObjectMeta')],
      ['spec', ref('core/v1.BakerSpec')],
      ['status', ref('core/v1.BakerStatus'), 'pointer', 'omitzero'],
    ]),
    messageOf('core/v1.BakerSpec', [
      ['name', text, 'value', 'never'],
      ['apprentices', { scalar: 'int32' }],
      ['born', { scalar: 'int64' }, 'pointer'],
      ['awake', { scalar: 'bool' }, 'value', 'never'],
      ['skill', { scalar: 'double' }],
      ['secret', { scalar: 'bytes' }],
      ['started', { special: 'Time' }, 'value', 'never'],
      ['port', { special: 'IntOrString' }, 'pointer'],
      ['flour', { special: 'Quantity' }, 'map'],
      ['oven', ref('policy/v1.Oven'), 'value', 'never'],
      ['breads', text, 'slice', 'never'],
      ['shelves', ref('policy/v1.Oven'), 'slice'],
      ['signs', text, 'map'],
      ['recipes', ref('core/v1.Steps'), 'map'],
      [undefined, ref('core/v1.Shop')],
    ]),
    messageOf('core/v1.BakerStatus', []),
    messageOf('core/v1.Shop', [['street', text]]),
    messageOf('core/v1.Steps', [['items', text, 'slice', 'never']], true),
    messageOf('policy/v1.Oven', [['raw', { special: 'RawExtension' }, 'value', 'never']]),
  ]),
  kinds: [
    { apiVersion: 'v1', kind: 'Baker', message: 'core/v1.Baker' },
    { apiVersion: 'v1', kind: 'BakerList', message: 'core/v1.BakerList', items: 'core/v1.Baker' },
    { apiVersion: 'v1', kind: 'Status', message: 'meta/v1.Status' },
    { apiVersion: 'v1', kind: 'Shop', message: 'core/v1.Shop' },
  ],
};

/** Returns the files related to protobuf, of an output with a table and of one without. */
async function written(options: Partial<EmitOptions>): Promise<Readonly<Record<string, string>>> {
  const { value } = await loadOpenApi({ paths: ['openapi.yaml'], cwd: here });
  const { model } = buildModel(value);
  const printing = { ...defaultEmitOptions, version, docs: 'facts', ...options } as const;
  const plain = emit(model, printing);
  const files = [...emit(model, printing, codecPlan(table, model, 'served'))];
  const own = files.filter(([path, content]) => plain.get(path) !== content);
  expect([...plain.keys()].filter((path) => !files.some(([other]) => other === path))).toEqual([]);
  return Object.fromEntries(own);
}

function update(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const cases: readonly { readonly name: string; readonly options: Partial<EmitOptions> }[] = [
  { name: 'protobuf', options: {} },
  { name: 'protobuf-js', options: { emit: 'js' } },
];

describe.each(cases)('$name', ({ name, options }) => {
  const expected = join(here, 'expected', name);

  it("equals the committed output", async () => {
    const files = await written(options);
    if (process.env['UPDATE'] === '1') update(expected, files);
    expect(files).toEqual(contentsBelow(expected));
  });

  it('compiles', () => {
    const codecs = Object.keys(contentsBelow(expected)).filter((path) => /protobuf\.(ts|d\.ts)$/.test(path));
    expect(codecs).toHaveLength(3);
    expect(complaints(programOf(expected, codecs, { skipLibCheck: false }), expected)).toEqual([]);
  }, 60_000);
});
