/** Tests that compare our types of one API with those of openapi-typescript. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelInput } from '../../src/kgen/model/plans.ts';
import { createProject, type Project } from '../support/project.ts';
import { randomOf } from '../support/random.ts';
import {
  type ComparedProbe,
  compare,
  type OpenapiTypes,
  unexpectedResult,
  writeOpenapiTypes,
} from './comparison.ts';
import type { Definitions } from './definitions.ts';
import { expectedDifferences, unnamed } from './expected-differences.ts';
import { type KgenTypes, kgenTypesOf } from './kgen-types.ts';

/** Input of both generators: the same documents, each read by its own reader. */
export interface Documents {
  readonly definitions: Definitions;
  readonly input: ModelInput;
}

/** Types of both generators, with the results of the comparison. */
export interface Comparison {
  readonly project: Project;
  readonly kgen: KgenTypes;
  readonly openapi: OpenapiTypes;
  readonly compared: readonly ComparedProbe[];
}

/** Seed of all choices: `KGEN_FUZZ_SEED`, or 1. */
export const seed: number = Number(process.env['KGEN_FUZZ_SEED'] ?? 1);

/**
 * Registers the tests in the current suite and returns access to their input, which is available while they
 * run.
 */
export function agreement(dialect: 2 | 3, read: () => Promise<Documents>): () => Comparison {
  let comparison: Comparison | undefined;
  const current = (): Comparison => {
    if (comparison === undefined) throw new Error('the types are not generated yet');
    return comparison;
  };
  beforeAll(async () => {
    console.log(`openapi-typescript, OpenAPI version ${dialect}: KGEN_FUZZ_SEED=${seed}`);
    comparison = await compareTypes(await read());
  });
  afterAll(() => comparison?.project.dispose());

  test('covers every definition', () => expectAll(current()));

  test('accepts and rejects equal values in types and schemas, except for listed differences', () => {
    const found = current().compared.flatMap(unexpectedResult);
    expect({ count: found.length, first: found.slice(0, 20) }).toEqual({ count: 0, first: [] });
  });

  test('lists only differences that occur', () => {
    const used = new Set(current().compared.map(({ rule }) => rule));
    const rules = expectedDifferences.filter(
      (rule) => (rule.dialect ?? dialect) === dialect && rule.isRare !== true,
    );
    expect(rules.filter((rule) => !used.has(rule)).map(({ reason }) => reason)).toEqual([]);
  });
  return current;
}

async function compareTypes({ definitions, input }: Documents): Promise<Comparison> {
  const project = createProject();
  const kgen = kgenTypesOf(input, 'out');
  project.write(kgen.files, 'out');
  const openapi = await writeOpenapiTypes(project, definitions);
  return { project, kgen, openapi, compared: compare(project, openapi, kgen.types, randomOf(seed)) };
}

function expectAll({ compared, openapi }: Comparison): void {
  const covered = new Set(compared.map(({ probe }) => probe.definition));
  const others = [...openapi.definitions.schemas.keys()].filter((name) => !covered.has(name));
  expect(others).toEqual(unnamed);
  const targets = new Set(compared.map(({ probe }) => probe.target));
  expect(unnamed.filter((name) => !targets.has(name))).toEqual([expect.stringMatching(/\.Patch$/)]);
  const valid = compared.filter(({ probe }) => probe.isValid).length;
  expect(valid).toBeGreaterThan(5_000);
  expect(compared.length - valid).toBeGreaterThan(10_000);
}
