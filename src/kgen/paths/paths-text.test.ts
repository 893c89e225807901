import { expect, test } from 'vitest';
import type { JsonObject } from '../input/crd/crd-input.ts';
import type { Schema } from '../model/ir.ts';
import { definitions, document, model, options, v2, v3 } from './paths.fixture.ts';
import { pathsText } from './paths-text.ts';

const gone: Schema = {
  shape: 'ref',
  name: 'Count',
  from: { group: 'gone.example.com', version: 'v1' },
  nullable: false,
  facts: { keywords: {} },
};

async function textOf(
  documents: Parameters<typeof pathsText>[0]['documents'],
  docs = options.docs,
): Promise<string> {
  const { value, problems } = await pathsText({ documents, model, definitions }, { ...options, docs });
  expect(problems).toEqual([]);
  return value;
}

test('writes the interfaces of openapi-typescript over the types of the output', async () => {
  await expect(await textOf([document(3, v3)])).toMatchFileSnapshot('fixtures/paths.txt');
});

test.each([
  { given: { emit: 'js', importExtension: '' }, want: ['@kgen/runtime/gen/v1', './example.com/v1/types.js'] },
  { given: { importExtension: '' }, want: ['@kgen/runtime/gen/v1', './example.com/v1/types'] },
  {
    given: { importExtension: '.ts', runtimeImport: './door.ts' },
    want: ['./door.ts', './example.com/v1/types.ts'],
  },
] as const)('imports according to $given', async ({ given, want }) => {
  const { value } = await pathsText(
    { documents: [document(3, v3)], model, definitions },
    { ...options, ...given },
  );
  expect([...value.matchAll(/ from '(.*)';$/gm)].map(([, from]) => from)).toEqual(want);
});

test('types a type of a group version outside of the model as unknown', async () => {
  const { value } = await pathsText(
    {
      documents: [document(3, v3)],
      model: { groupVersions: [], schemas: [] },
      definitions: new Map([['com.example.Count', gone]]),
    },
    options,
  );
  expect(value).toContain('"com.example.Count": unknown;');
  expect(value).not.toContain('com.example.v1.Foo');
});

test.each(['none', 'facts', 'full'] as const)(
  'writes equal output for both dialects with docs %s',
  async (docs) => {
    expect(await textOf([document(2, v2)], docs)).toBe(await textOf([document(3, v3)], docs));
  },
);

test('has descriptions with full docs only', async () => {
  const lines = async (docs: 'facts' | 'full'): Promise<readonly string[]> =>
    (await textOf([document(3, v3)], docs)).split('\n').filter((line) => line.includes('@description'));
  expect(await lines('facts')).toEqual([]);
  expect(new Set((await lines('full')).map((line) => line.trim()))).toEqual(
    new Set(['/** @description read Foo */', '/** @description name of the Foo */']),
  );
});

test('merges the paths of documents; the first operation is used', async () => {
  const hasResponse = (type: string): JsonObject => ({
    responses: { '200': { content: { 'application/json': { schema: { type } } } } },
  });
  const first = document(3, { paths: { '/b': { get: hasResponse('boolean') } } }, 'a');
  const second = document(
    3,
    {
      paths: {
        '/b': { get: hasResponse('integer'), post: hasResponse('number') },
        '/a': { get: hasResponse('integer') },
      },
    },
    'b',
  );
  const text = await textOf([first, second]);
  expect(text.match(/^ {2}"\/.": |"application\/json": \w+/gm)).toEqual([
    '  "/a": ',
    '"application/json": number',
    '  "/b": ',
    '"application/json": boolean',
    '"application/json": number',
  ]);
});

test('writes empty interfaces without paths and definitions', async () => {
  expect(await textOf([])).toBe(`
/** Every operation of the server by path and method: for \`RESTClient<paths>\`. */
export type paths = Record<string, never>;

/** The types of the operations, by their full names in OpenAPI. */
export interface components {
  schemas: never;
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
`);
});
