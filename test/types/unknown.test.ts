import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { corpus, emitted, repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { type Found, type Names, namesOf, type Raw, unknownKeywords, walkKind } from './schema-walk.ts';

interface Definition {
  readonly kind?: string;
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema?: { readonly openAPIV3Schema?: Raw };
    }[];
  };
}

/** Returns the definitions of a file, as parsed from YAML. */
function read(path: string): readonly Definition[] {
  // seam: the files are definitions of the API, whose form is known
  const documents = loadAll(readFileSync(path, 'utf8')) as readonly (Definition | null | undefined)[];
  return documents
    .filter((document) => document?.kind === 'CustomResourceDefinition')
    .filter((d) => d != null);
}

interface Sums extends Found {
  readonly missed: string[];
  kinds: number;
}

async function compare(folder: string): Promise<Sums> {
  const input = filesBelow(folder, '.yaml').map((path) => join(folder, path));
  const { files } = await emitted(input);
  const sums: Sums = { open: [], unknown: [], keywords: new Set(), missed: [], kinds: 0 };
  const parsed = new Map<string, { file: ts.SourceFile; names: Names }>();
  for (const [path, text] of files) {
    if (!path.endsWith('/types.ts')) continue;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    parsed.set(path, { file, names: namesOf(file) });
  }
  for (const { spec } of input.flatMap(read)) {
    for (const version of spec.versions.filter(({ served }) => served)) {
      const names = parsed.get(`${spec.group}/${version.name}/types.ts`)?.names ?? new Map();
      const { kind } = spec.names;
      const title = `${spec.group}/${version.name} ${kind}`;
      walkKind(version.schema?.openAPIV3Schema, { title, kind, names }, sums);
      sums.kinds += 1;
    }
  }
  for (const { file } of parsed.values()) {
    for (const keyword of unknownKeywords(file)) {
      if (!sums.keywords.has(keyword)) sums.missed.push(`${file.fileName}: ${keyword.parent.getText()}`);
    }
  }
  return sums;
}

async function expectMatch(folder: string): Promise<void> {
  const { open, unknown, missed, kinds } = await compare(folder);
  const [stated, meant] = [new Set(unknown), new Set(open)];
  expect(kinds).toBeGreaterThan(0);
  expect(open.length).toBeGreaterThan(0);
  expect(open.filter((path) => !stated.has(path))).toEqual([]);
  expect(unknown.filter((path) => !meant.has(path))).toEqual([]);
  expect(unknown.length).toBe(open.length);
  expect(missed).toEqual([]);
}

describe('unknown types occur only for open schemas', () => {
  test('in the samples', () => expectMatch(join(repository, 'crds')));

  test.runIf(corpus !== undefined)('in the CRDs of other projects', () =>
    expectMatch(join(corpus ?? '', 'crds')),
  );
});
