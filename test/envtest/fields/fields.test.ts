/** The table of fields agrees with the Go types of Kubernetes. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removed, rowsOf } from '../../../src/kgen/protobuf/fields.fixture.ts';
import { fieldTable, parseTable } from '../../../src/kgen/protobuf/table.ts';
import type { FieldTable } from '../../../src/kgen/protobuf/types.ts';
import { repository } from '../../support/emitted.ts';

const script = join(import.meta.dirname, 'write.mjs');
const file = join(repository, 'src/schema/kubernetes/fields.ts');
/** Newest release of the table, according to its header. */
const [, newest = ''] = /, up to (\S+);/.exec(readFileSync(file, 'utf8')) ?? [];
/** The first compilation of the types takes a minute on few cores, later ones seconds. */
const buildTimeoutMs = 600_000;

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Returns the table that the program derives from the newest release alone. */
async function derivedTable(folder: string): Promise<FieldTable> {
  await promisify(execFile)(process.execPath, [script, '--to', folder, newest]);
  const text = readFileSync(join(folder, 'fields.ts'), 'utf8');
  const [messages = '', kinds = ''] = [...text.matchAll(/`([^`]*)`/g)].map(([, lines]) => lines);
  return parseTable(messages, kinds);
}

/** Returns the entries of a table as strings by their subjects, in one order. */
function factsOf({ messages, kinds }: FieldTable): ReadonlyMap<string, string> {
  return new Map([
    ...[...messages].flatMap(([key, { home, name, bare, fields }]): [string, string][] => [
      [key, JSON.stringify({ home, name, bare })],
      ...fields.map((field): [string, string] => [`${key}#${field.number}`, JSON.stringify(field)]),
    ]),
    ...kinds.map((kind): [string, string] => [`${kind.apiVersion} ${kind.kind}`, JSON.stringify(kind)]),
  ]);
}

if (hasGo()) {
  describe(`the Go types of Kubernetes ${newest}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'kgen-test-'));
    const committed = factsOf(fieldTable());
    let derived: ReadonlyMap<string, string> = new Map();
    beforeAll(async () => {
      derived = factsOf(await derivedTable(folder));
    }, buildTimeoutMs);
    afterAll(() => rmSync(folder, { recursive: true }));

    test('equal the table of fields', () => {
      expect(derived.size).toBeGreaterThan(6000);
      const different = [...derived].filter(([key, fact]) => committed.get(key) !== fact);
      expect(different.map(([key, fact]) => ({ key, is: committed.get(key), want: fact }))).toEqual([]);
    });

    test('have every field of the table, except removed ones', () => {
      const { fields, messages, kinds } = removed;
      const gone = new Set([...fields, ...messages, ...kinds]);
      const more = [...committed.keys()].filter((key) => !derived.has(key));
      expect(more.length).toBeGreaterThan(100);
      expect(more.filter((key) => !gone.has(key) && !gone.has(key.replace(/#.*/, '')))).toEqual([]);
    });
  });
} else {
  describe.skip('the Go types of Kubernetes: no `go` is on the PATH', () => {
    test('require Go', () => undefined);
  });
}

test('never reuse a field number', () => {
  expect(rowsOf('Numbers with another name or type')).toEqual([]);
});
