/**
 * Random structural schemas and values for them: the generated types accept and reject the same values as the
 * schemas.
 */
import { afterAll, expect, test } from 'vitest';
import { type Line, surprises } from '../support/compiled-lines.ts';
import { crd } from '../support/crd.ts';
import { createProject } from '../support/project.ts';
import { campaign, type Random, randomOf } from '../support/random.ts';
import { schemaOf } from './meaning-schema.ts';
import { rightValue, wrongValue } from './meaning-values.ts';
import { anyObject, type Meaning } from './meanings.ts';
import { modelOf, print } from './pipeline.ts';

/** Kinds of one output, and values of each sort for each kind. */
const kindsPerRound = 30;
const values = 5;

const group = 'agreement.example.com';
const seeds = campaign('agreement', { rounds: 5 });
const project = createProject();
afterAll(() => project.dispose());

interface Kind {
  readonly name: string;
  readonly meaning: Meaning;
  readonly definition: object;
}

function kindOf(index: number, random: Random): Kind {
  const name = `Kind${index}`;
  const meaning = anyObject(random, 4);
  const spec = schemaOf(meaning, random);
  const schema = { type: 'object', required: ['spec'], properties: { spec } };
  return { name, meaning, definition: crd({ kind: name, group, versions: [{ schema }] }) };
}

function linesOf({ name, meaning, definition }: Kind, seed: number, random: Random): readonly Line[] {
  const log = (spec: string, compiles: boolean, how: string, index: number): Line => ({
    name: `seed ${seed}: ${how}: ${spec} as the spec of ${JSON.stringify(definition)}`,
    text: `export const ${compiles ? 'right' : 'wrong'}${name}_${index}: ${name} = { spec: ${spec} };`,
    compiles,
  });
  return Array.from({ length: values }, (_, index) => {
    const wrong = wrongValue(meaning, random);
    const right = log(rightValue(meaning, random), true, 'right', index);
    return wrong === undefined ? [right] : [right, log(wrong.text, false, wrong.how, index)];
  }).flat();
}

test.each(seeds)('accepts equal values with types and schemas, seed %i', { timeout: 120_000 }, (seed) => {
  const random = randomOf(seed);
  const kinds = Array.from({ length: kindsPerRound }, (_, index) => kindOf(index, random));
  const sources = kinds.map(({ name, definition }) => ({
    file: `${name}.json`,
    text: JSON.stringify(definition),
  }));
  const modelled = modelOf(sources);
  // Warnings are about schemas without a type, which API servers reject.
  expect(modelled.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  project.write(print(modelled), `${seed}`);
  const lines = kinds.flatMap((kind) => linesOf(kind, seed, random));
  expect(lines.filter(({ compiles }) => !compiles).length).toBeGreaterThan(kindsPerRound);
  const names = kinds.map(({ name }) => name).join(', ');
  const prelude = `import type { ${names} } from './${seed}/${group}/v1/types.js';`;
  expect(surprises(project, prelude, lines)).toEqual([]);
});
