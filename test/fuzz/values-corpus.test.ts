/**
 * Random values for the definitions of other projects: the generated types accept and reject the same values
 * as the schemas.
 */
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { globSync } from 'tinyglobby';
import { afterAll, expect, test } from 'vitest';
import { type Line, surprises } from '../support/compiled-lines.ts';
import { corpus, repository } from '../support/emitted.ts';
import { createProject } from '../support/project.ts';
import { campaign, type Random, randomOf } from '../support/random.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { rightValue, wrongValue } from './meaning-values.ts';
import { modelOf, print } from './pipeline.ts';
import { rootMeaning } from './schema-meaning.ts';

const seeds = campaign('field', { rounds: 1 });
const project = createProject();
afterAll(() => project.dispose());

/** Values of each sort for each kind. */
const values = 4;

/** A version of a definition, and the name of its type in the program. */
interface Kind {
  readonly type: string;
  readonly path: string;
  readonly local: string;
  readonly schema: JsonObject;
}

function kindsIn(text: string): readonly Omit<Kind, 'local'>[] {
  // seam: js-yaml returns JSON values
  const documents = loadAll(text) as readonly (Json | undefined)[];
  return documents.filter(isObject).flatMap((definition) => {
    const spec = objectAt(definition, 'spec');
    const { group, versions } = spec;
    const { kind } = objectAt(spec, 'names');
    const all: readonly Json[] = Array.isArray(versions) ? versions : [];
    return all
      .filter(isObject)
      .filter(({ served }) => served === true)
      .map((version) => ({
        type: String(kind),
        path: `${String(group)}/${String(version['name'])}`,
        schema: objectAt(objectAt(version, 'schema'), 'openAPIV3Schema'),
      }));
  });
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const inner = value[key];
  return isObject(inner) ? inner : {};
}

function linesOf({ local, path, type, schema }: Kind, seed: number, random: Random): readonly Line[] {
  const log = (text: string, compiles: boolean, how: string, index: number): Line => ({
    name: `seed ${seed}: ${path} ${type}: ${how}: ${text}`,
    text: `export const ${compiles ? 'right' : 'wrong'}${local}_${index}: ${local} = ${named(text)};`,
    compiles,
  });
  return Array.from({ length: values }, (_, index) => {
    const meaning = rootMeaning(schema, random, 8);
    if (meaning === undefined) return [];
    const wrong = wrongValue(meaning, random);
    const right = log(rightValue(meaning, random), true, 'right', index);
    return wrong === undefined ? [right] : [right, log(wrong.text, false, wrong.how, index)];
  }).flat();
}

/** Adds metadata, which some kinds require. */
function named(text: string): string {
  return text.startsWith('{ ') ? `{ "metadata": { name: 'a' }, ${text.slice(2)}` : text;
}

test.runIf(corpus !== undefined).each(seeds)(
  'accepts equal fields with types and schemas, seed %i',
  { timeout: 120_000 },
  (seed) => {
    const random = randomOf(seed);
    const files = globSync(['crds/*.yaml', `${corpus}/crds/*/*.yaml`], { cwd: repository, absolute: true });
    const sources = files.sort().map((file) => ({ file, text: readFileSync(file, 'utf8') }));
    project.write(print(modelOf(sources)), 'generated');
    const kinds = sources
      .flatMap(({ text }) => kindsIn(text))
      .map((kind, index): Kind => ({ ...kind, local: `${kind.type}${index}` }));
    expect(kinds.length).toBeGreaterThan(70);
    const lines = kinds.flatMap((kind) => linesOf(kind, seed, random));
    const imports = kinds.map(
      ({ local, path, type }) => `import type { ${type} as ${local} } from './generated/${path}/types.js';`,
    );
    expect(surprises(project, imports.join('\n'), lines, { noUnusedLocals: false })).toEqual([]);
  },
);
