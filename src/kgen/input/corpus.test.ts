import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { settleClashes } from './crd/clashes.ts';
import { loadCrds } from './load.ts';

const corpus = process.env['KGEN_CORPUS'];

test.skipIf(corpus === undefined)('reads real CRDs without a problem, equal to a second reader', async () => {
  const root = join(corpus ?? '', 'crds');
  const loaded = await loadCrds({ input: [root], cwd: '/', stdin: Readable.from([]) });
  const settled = settleClashes(loaded.crds);
  expect([...loaded.problems, ...settled.problems]).toEqual([]);
  expect(settled.value).toHaveLength(46);
  const files = readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.yaml'));
  const small = files.filter((name) => readFileSync(join(root, name)).length < 100_000);
  expect(small.length).toBeGreaterThan(10);
  for (const name of small) {
    const path = join(root, name);
    const want = parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS() as unknown);
    const got = loaded.crds.filter(({ input }) => input.file === path).map(({ input }) => input.value);
    expect(got).toEqual(want.filter((value) => value !== null));
  }
});
