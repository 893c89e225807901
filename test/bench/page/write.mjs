// Writes docs/benchmarks.md and its charts from the results of `npm run bench -- --json FILE`.
// node test/bench/page/write.mjs [FILE ...]
// Files are merged into figures.json, part by part: files of a part in one call add up, and replace those of
// earlier calls.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { budgets } from '../budgets.mjs';
import { pageOf } from './page.mjs';

const kept = fileURLToPath(new URL('figures.json', import.meta.url));
const docs = fileURLToPath(new URL('../../../docs', import.meta.url));

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const figures = read(kept);
const begun = new Set();
for (const { machine, date, parts, rows } of process.argv.slice(2).map(read)) {
  for (const part of parts) {
    const own = rows.filter((row) => row.part === part);
    const before = begun.has(part) ? figures[part] : [];
    begun.add(part);
    const values = own.map(({ what, unit, values }) => ({ what, unit, values }));
    figures[part] = [...before, { machine, date, rows: values }];
  }
}
writeFileSync(kept, `${JSON.stringify(figures, undefined, 1)}\n`);
for (const [path, content] of pageOf(figures, budgets)) writeFileSync(join(docs, path), content);
