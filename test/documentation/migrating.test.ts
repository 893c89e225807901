/**
 * Conversion of programs on @kubernetes/client-node: each program of the folder `before` becomes the one of
 * the folder `after`, which is compiled with the strictest options, and run against a server in memory.
 * Tables of docs/migrating.md are the rows of programs, which are compiled and run, too. `UPDATE=1` writes
 * the folder `after` and the tables.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '@kgen/kubernetes/catalog';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertFiles } from '../../src/kgen/codemod/client-node/convert-files.ts';
import { resourceOfPath } from '../../src/kgen/codemod/client-node/tables/groups.ts';
import { repository } from '../support/emitted.ts';
import { tablePrograms, withTables } from './migration-tables.ts';
import { createProject, runNode, withServer } from './project.ts';

const folder = join(repository, 'test/documentation/fixtures/client-node');
const page = join(repository, 'docs/migrating.md');
const names = readdirSync(join(folder, 'before')).sort();
const { files, problems } = convertFiles({ paths: ['before'], cwd: folder, isWritten: false });
const textOf = (name: string): string => files.find(({ path }) => path === `before/${name}`)?.text ?? '';
if (process.env['UPDATE'] === '1') {
  for (const name of names) writeFileSync(join(folder, 'after', name), textOf(name));
  writeFileSync(page, withTables(readFileSync(page, 'utf8')));
}

/** Programs with places that remain, which are neither compiled nor run. */
const partial = ['rest.ts'];

/** Sorted lines of the output of programs; the others are compiled only. */
const outputs: Readonly<Record<string, readonly string[]>> = {
  'config.ts': ['1', '1'],
  'custom.ts': ['1', '7.4'],
  'errors.ts': ['404', 'not found'],
  'exec.ts': ['attached', 'hello', 'true'],
  'exports.js': [''],
  'forward.ts': ['ping'],
  'informer.ts': ['1 true Pod'],
  'logs.ts': ['ready', 'started', 'true'],
  'middleware.ts': ['web'],
  'models.ts': ['once web-0'],
  'objects.ts': ['red', 'true'],
  'positional.js': ['1', 'token', 'true function', 'value'],
  'service.ts': ['1 2', '2'],
  'verbs.ts': ['1 true', '2 node-0 node-1', '5'],
  'watch.ts': ['ADDED web-0', 'ended true'],
  'yaml.js': ['1', 'blue'],
};

const whole = names.filter((name) => !partial.includes(name));
const project = createProject();
afterAll(() => project.remove());

describe('programs on client-node', () => {
  let found: ReturnType<typeof project.compile> = [];
  beforeAll(() => {
    const texts = whole.filter((name) => name.endsWith('.ts')).map((name) => [name, textOf(name)] as const);
    const tables = tablePrograms.map(({ name, text }) => [`table-${name}.ts`, text] as const);
    found = project.compile(Object.fromEntries([...texts, ...tables]));
    for (const name of whole.filter((each) => each.endsWith('.js')))
      writeFileSync(join(project.folder, name), textOf(name));
  });

  it.each(names)('%s is converted as before', (name) => {
    expect(textOf(name)).toBe(readFileSync(join(folder, 'after', name), 'utf8'));
  });

  it.each(whole)('%s compiles', (name) => {
    expect(found.filter(({ file }) => file === name)).toEqual([]);
  });

  it.each(Object.entries(outputs))('%s runs', async (name, lines) => {
    const { status, output } = await withServer(project.folder, (kubeconfig) =>
      runNode(project.folder, [name.replace(/ts$/, 'js')], kubeconfig),
    );
    expect({ status, lines: output.trim().split('\n').sort() }).toEqual({ status: 0, lines });
  });

  it('are converted without a hand, but for those with unsupported parts', () => {
    const paths = new Set(problems.map(({ where }) => where?.file));
    expect([...paths]).toEqual(partial.map((name) => `before/${name}`));
  });

  it('docs/migrating.md has the tables of the programs', () => {
    const text = readFileSync(page, 'utf8');
    expect(text).toBe(withTables(text));
    expect(tablePrograms.filter(({ name }) => !text.includes(`<!-- table ${name} -->`))).toEqual([]);
  });

  it.each(tablePrograms)('the rows of $name compile and run', async ({ name }) => {
    expect(found.filter(({ file }) => file === `table-${name}.ts`)).toEqual([]);
    const { status, output } = await project.run([`table-${name}.js`]);
    expect(status, output).toBe(0);
  });
});

it('the table of the conversion has all kinds of @kgen/kubernetes', async () => {
  const descriptors = await Promise.all(Object.values(catalog).map((load) => load()));
  const missing = descriptors.filter(({ group, version, kind, plural, scope }) => {
    const api = group === '' ? '/api/v1' : `/apis/${group}/${version}`;
    const found = resourceOfPath(`${api}/${plural}`)?.kind;
    return found === undefined || found.kind !== kind || found.isNamespaced !== (scope === 'Namespaced');
  });
  expect(missing.map(({ kind }) => kind)).toEqual([]);
});
