import { expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import type { JsonObject } from '../input/crd/crd-input.ts';
import type { Schema } from '../model/ir.ts';
import { document, model, options } from './paths.fixture.ts';
import { pathsText } from './paths-text.ts';
import { understand } from './printed.fixture.ts';

/** Strings that would become code or end their context if they were not escaped. */
const texts = [
  '"; } } evil(); type x = { a: "',
  "'; evil(); '",
  '`$'.concat('{evil()}`'),
  '*/ evil(); /*',
  'a\n// evil()\r\u2028evil()\u2029',
  '\\" evil',
  '\u202e evil \u0000 \u0007 \ud800',
  '__proto__',
  'constructor',
  '@ts-nocheck\n@type {evil}',
  '#/components/schemas/evil',
  '~1~0%2F',
  '</script>',
];

function hostile(text: string): JsonObject {
  const schema = { $ref: `#/components/schemas/${text}` };
  return {
    paths: Object.fromEntries([
      [
        `/${text}/{${text}}`,
        {
          description: text,
          get: {
            operationId: text,
            description: text,
            tags: [text],
            parameters: [
              {
                in: 'query',
                name: text,
                description: text,
                schema: { type: 'string', enum: [text], default: text },
              },
              { in: 'path', name: text, schema: { type: text, format: text } },
            ],
            requestBody: {
              description: text,
              content: Object.fromEntries([
                [text, { schema }],
                ['application/json', { schema: inline(text) }],
              ]),
            },
            responses: Object.fromEntries([
              [text, { description: text }],
              ['200', { description: text, content: { 'application/json': { schema } } }],
            ]),
          },
        },
      ],
    ]),
    components: { schemas: Object.fromEntries([[text, { type: 'object', description: text }]]) },
  };
}

function inline(text: string): JsonObject {
  return {
    type: 'object',
    title: text,
    properties: Object.fromEntries([[text, { type: 'string', const: text }]]),
    required: [text],
  };
}

const plain = { nullable: false, facts: { keywords: {} } };

test.each(texts)('quotes %j as a string', async (text) => {
  const definitions = new Map<string, Schema>([[text, { shape: 'string', ...plain }]]);
  const given = { documents: [document(3, hostile(text))], model, definitions };
  const { value, problems } = await pathsText(given, { ...options, docs: 'full' });
  expect(problems).toEqual([]);
  const { operations, complaints, statements } = understand(value);
  expect(complaints).toEqual([]);
  expect(statements).toEqual(['InterfaceDeclaration']);
  expect(operations).toEqual([`GET /${text}/{${text}}`]);
  expect(value).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(value).not.toMatch(/^\s*\/?\*.*(?<!\\)@(?!description)/m);
});

test('drops a path with a name that cannot be printed, with a warning', async () => {
  const get = { responses: {} };
  const odd = { parameters: [{ in: 'query', name: '%', schema: { type: 'string' } }], responses: {} };
  const schema = { type: 'array', items: inline('100%') };
  const post = { requestBody: { content: { 'application/json': { schema } } }, responses: {} };
  const value = { paths: { '/%7B': { get }, '/%': { get }, '/a': { get: odd }, '/b': { post } } };
  const text = await pathsText({ documents: [document(3, value)], model, definitions: new Map() }, options);
  expect(understand(text.value).operations).toEqual(['GET /%7B']);
  expect(text.problems.map(formatProblem)).toEqual([
    'warning: the path "/%" is left out of paths.ts: "/%" has a % that escapes nothing',
    'warning: the path "/a" is left out of paths.ts: "%" has a % that escapes nothing',
    'warning: the path "/b" is left out of paths.ts: "100%" has a % that escapes nothing',
  ]);
});

test('cuts schemas that never end', async () => {
  let schema: JsonObject = {};
  for (let depth = 0; depth < 5_000; depth += 1) schema = { type: 'array', items: schema };
  const value = {
    paths: { '/a': { get: { responses: { '200': { content: { 'application/json': { schema } } } } } } },
  };
  const text = await pathsText({ documents: [document(3, value)], model, definitions: new Map() }, options);
  expect(text.problems).toEqual([]);
  expect(text.value).toContain('unknown[][]');
});

test('does not multiply schemas with shared parts', async () => {
  let schema: JsonObject = { type: 'string' };
  for (let depth = 0; depth < 18; depth += 1)
    schema = { type: 'object', properties: { a: schema, b: schema } };
  const content = { 'application/json': { schema } };
  const value = { paths: { '/a': { get: { responses: { '200': { content } } } } } };
  const text = await pathsText({ documents: [document(3, value)], model, definitions: new Map() }, options);
  expect(text.value.split('\n').length).toBeLessThan(3_000);
});
