import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../input/crd/crd-input.ts';
import { isObject, own } from '../input/json.ts';
import type { GroupVersion, Model, Schema } from '../model/ir.ts';
import { methods } from './openapi.ts';
import { document, options, model as sketch } from './paths.fixture.ts';
import { pathsText } from './paths-text.ts';
import { type Understood, understand } from './printed.fixture.ts';

const corpus = process.env['KGEN_CORPUS'];

/** The home of all types. Its name makes no difference here. */
const home = { group: 'all.example.com', version: 'v1' };

function definitionsOf(value: JsonObject): ReadonlyMap<string, Schema> {
  const definitions = own(value, 'definitions');
  return new Map(
    Object.keys(isObject(definitions) ? definitions : {}).map((name) => {
      const type = name.replace(/\W/g, '_');
      return [name, { shape: 'ref', name: type, from: home, nullable: false, facts: { keywords: {} } }];
    }),
  );
}

function modelOf([groupVersion]: readonly GroupVersion[]): Model {
  if (groupVersion === undefined) throw new Error('the model is empty');
  return { groupVersions: [{ ...groupVersion, ...home, accessor: 'allV1' }], schemas: [] };
}

/** Returns the operations of a document, independent of the code under test. */
function operationsOf(value: JsonObject): readonly string[] {
  const paths = own(value, 'paths');
  return Object.entries(isObject(paths) ? paths : {})
    .flatMap(([path, item]) =>
      methods
        .filter((method) => isObject(item) && own(item, method) !== undefined)
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    .sort();
}

describe.skipIf(corpus === undefined)('the whole API as it is published (KGEN_CORPUS)', () => {
  let value: JsonObject = {};
  let text = '';
  let understood: Understood;

  beforeAll(async () => {
    // JSON.parse returns no type; every key is checked before it is read.
    value = JSON.parse(readFileSync(join(corpus ?? '', 'openapi/kubernetes-v2.json'), 'utf8')) as JsonObject;
    const model = modelOf(sketch.groupVersions);
    const given = { documents: [document(2, value)], model, definitions: definitionsOf(value) };
    const result = await pathsText(given, options);
    expect(result.problems).toEqual([]);
    text = result.value;
    understood = understand(text);
  });

  test('has every operation of the document, besides undocumented ones', () => {
    expect(understood.operations.length).toBeGreaterThan(1_000);
    const others = ['GET /healthz', 'GET /livez', 'GET /metrics', 'GET /readyz', 'GET /version'];
    expect(understood.operations).toEqual([...operationsOf(value), ...others].sort());
  });

  test('has the path parameters of the path, which are required', () => {
    const named = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    for (const [operation, names] of understood.pathParameters)
      expect(names, operation).toEqual(named(operation).sort());
  });

  test('has only references to types of the output', () => {
    const others = [...understood.schemas].filter(([, type]) => !ts.isTypeReferenceNode(type));
    expect(others).toEqual([]);
    expect(understood.schemas.size).toBeGreaterThan(150);
  });

  test('has no any, and unknown only for undocumented values', () => {
    expect(understood.anys).toBe(0);
    expect(text.match(/": unknown;$/gm)).toEqual(['": unknown;']);
  });
});
