#!/usr/bin/env node
// Derives the table of fields from the Go types of Kubernetes and writes it into the sources of kgen.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stopGo } from '../go.mjs';
import { derive, releases } from './derive.mjs';
import { differencesText } from './differences.mjs';
import { goTypesText, moduleText } from './text.mjs';
import { union } from './union.mjs';

/** The release that the test server implements. */
const served = '1.36.3';

const usage = `usage: node test/envtest/fields/write.mjs [options] [RELEASE…]

Writes fields.ts (the table), fields.md (differences of older servers) and go-types.ts (what differs in ${served},
the release of the test server) from the Go types of these releases:
${releases.join(', ')}.

RELEASE…     these alone
--to FOLDER  write into this folder (default: src/schema/kubernetes, src/kgen/protobuf and src/testserver/resources/builtin)
--check      write nothing: compare the existing files
Exit codes: 0 done, 1 the types could not be read or --check found a difference, 2 wrong usage.`;

const print = (line) => process.stderr.write(`fields: ${line}\n`);

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string' }, check: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const unknown = positionals.filter((release) => !releases.includes(release));
  if (unknown.length > 0) throw new TypeError(`no such release: ${unknown.join(', ')}`);
  const expected = positionals.length > 0 ? releases.filter((name) => positionals.includes(name)) : releases;
  return { ...values, expected };
}

/** Derives the tables sequentially: the compilation of each uses all processors. */
async function deriveAll(expected) {
  const folder = await mkdtemp(join(tmpdir(), 'kgen-fields-'));
  try {
    const tables = [];
    for (const release of expected) {
      const started = Date.now();
      tables.push({ release, table: await derive(release, folder) });
      print(`read Kubernetes ${release} in ${Math.round((Date.now() - started) / 1000)} s`);
    }
    return tables;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns true if a file exists with this content; otherwise prints its path. */
async function stands(path, text) {
  const isSame = (await readFile(path, 'utf8')) === text;
  if (!isSame) print(`${path} differs from the Go types: run this program without --check`);
  return isSame;
}

const sources = join(import.meta.dirname, '../../../src');

async function main({ expected, check, to }) {
  const tables = await deriveAll(expected);
  const schema = to ?? join(sources, 'schema/kubernetes');
  const kgen = to ?? join(sources, 'kgen/protobuf');
  const testing = to ?? join(sources, 'testserver/resources/builtin');
  const own = tables.find(({ release }) => release === served);
  const all = union(tables);
  const files = [
    [join(schema, 'fields.ts'), moduleText(all, expected.at(-1))],
    [join(kgen, 'fields.md'), differencesText(tables)],
    ...(own === undefined ? [] : [[join(testing, 'go-types.ts'), goTypesText(own.table, served, all)]]),
  ];
  for (const folder of [schema, kgen, testing]) await mkdir(folder, { recursive: true });
  for (const [path, text] of files) {
    if (!check) await writeFile(path, text);
    else if (!(await stands(path, text))) process.exitCode = 1;
  }
}

function parse() {
  try {
    return readArguments();
  } catch (error) {
    print(`${error.message}\n${usage}`);
    process.exit(2);
  }
}

const options = parse();
if (options.help) process.stdout.write(`${usage}\n`);
else {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stopGo);
  try {
    await main(options);
  } catch (error) {
    print(error.message);
    process.exitCode = 1;
  }
}
