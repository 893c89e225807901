/** Random definitions: the generator completes, and its output compiles. */
import ts from 'typescript';
import { afterAll, describe, expect, test } from 'vitest';
import { type Complaint, complaints, programOf } from '../support/checker.ts';
import { createProject, type Project } from '../support/project.ts';
import { campaign, type Random, randomOf, shuffle } from '../support/random.ts';
import { anyDefinitions } from './definitions.ts';
import { isObject, type Json, type JsonObject, object } from './json.ts';
import { notation } from './notation.ts';
import { bodies, type Modelled, modelOf, print, type Source } from './pipeline.ts';

/** Definitions in one output. */
const batch = 25;

interface Round {
  readonly seed: number;
  readonly definitions: readonly JsonObject[];
  readonly sources: readonly Source[];
  readonly modelled: Modelled;
  readonly files: ReadonlyMap<string, string>;
}

function roundOf(seed: number): Round {
  const random = randomOf(seed);
  const definitions = anyDefinitions(random, batch);
  const sources = definitions.map((value, index) => ({
    file: `${index}.yaml`,
    text: notation(value, random),
  }));
  const modelled = modelOf(sources);
  return { seed, definitions, sources, modelled, files: print(modelled) };
}

const rounds = campaign('schemas', { rounds: 12 }).map(roundOf);

/** Returns the definitions as JSON, each in a separate file. */
function plainSources(definitions: readonly JsonObject[]): readonly Source[] {
  return definitions.map((value, index) => ({ file: `${index}.yaml`, text: JSON.stringify(value) }));
}

describe.each(rounds.map((round) => [round.seed, round] as const))(
  'random schemas, seed %i',
  (seed, round) => {
    test('are generated for every definition, and every problem has a place', () => {
      const { built, problems } = round.modelled;
      expect(problems.filter(({ where }) => where?.line === undefined)).toEqual([]);
      const kinds = built.model.groupVersions.flatMap(({ resources }) => resources);
      expect(new Set(kinds.map(({ plural }) => plural)).size).toBe(round.definitions.length);
    });

    test('have equal output for equal input in any order', () => {
      const again = print(modelOf(shuffle(round.sources, randomOf(seed))));
      expect(Object.fromEntries(again)).toEqual(Object.fromEntries(round.files));
    });

    test('have equal output for JSON and YAML', () => {
      const plain = print(modelOf(plainSources(round.definitions)));
      expect(bodies(round.files)).toEqual(bodies(plain));
    });

    test('have names independent of the order of versions and properties', () => {
      const turned = round.definitions.map((value) => reordered(value, randomOf(seed)));
      const files = print(modelOf(plainSources(turned)));
      expect(exportsOf(files)).toEqual(exportsOf(round.files));
    });

    test('have output that consists of declarations', () => {
      for (const emitted of ['ts', 'js'] as const) {
        for (const [path, text] of print(round.modelled, { emit: emitted })) {
          if (path === 'package.json') continue;
          const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
          const odd = file.statements.filter(({ kind }) => !expected.has(kind));
          expect(odd.map((statement) => `${path}: ${statement.getText(file)}`)).toEqual([]);
        }
      }
    });
  },
);

const expected: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.VariableStatement,
  ts.SyntaxKind.ClassDeclaration,
]);

/**
 * Reorders the entries of mappings and the lists of versions; other lists keep their order, which may be
 * significant.
 */
function reordered(value: JsonObject, random: Random): JsonObject {
  const turn = (inner: Json, key: string): Json => {
    if (isObject(inner)) {
      return object(shuffle(Object.entries(inner), random).map(([name, item]) => [name, turn(item, name)]));
    }
    if (!Array.isArray(inner)) return inner;
    const items = inner.map((item: Json) => turn(item, ''));
    return key === 'versions' ? shuffle(items, random) : items;
  };
  const turned = turn(value, '');
  return isObject(turned) ? turned : value;
}

/** Returns the sorted export names of the modules, by path. */
function exportsOf(files: ReadonlyMap<string, string>): Readonly<Record<string, readonly string[]>> {
  const names = [...files].map(([path, text]) => {
    const found = text.matchAll(/^export (?:declare )?(?:interface|type|const|class) ([^\s=:<]+)/gm);
    return [path, [...found].map(([, name]) => name ?? '').sort()] as const;
  });
  return Object.fromEntries(names);
}

let project: Project | undefined;
afterAll(() => project?.dispose());

test('compile as sources and as declarations', { timeout: 240_000 }, () => {
  project = createProject();
  const roots: string[] = [];
  for (const [index, { files, modelled }] of rounds.entries()) {
    const scripts = print(modelled, { emit: 'js' });
    project.write(files, `ts/${index}`);
    project.write(scripts, `js/${index}`);
    roots.push(...[...files.keys()].map((path) => `ts/${index}/${path}`));
    roots.push(
      ...[...scripts.keys()].filter((path) => path.endsWith('.d.ts')).map((path) => `js/${index}/${path}`),
    );
  }
  const found = complaints(programOf(project.folder, roots, { skipLibCheck: false }), project.folder);
  expect(found.map(sentence)).toEqual([]);
});

function sentence({ file, line, code, text }: Complaint): string {
  const round = rounds[Number(file.split('/')[1])];
  return `seed ${round?.seed}: ${file}:${line + 1} TS${code} ${text}`;
}
