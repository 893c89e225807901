// Writes docs/benchmarks.md and its charts from the results of `npm run bench -- --json FILE`.
// node test/bench/page/write.mjs [FILE ...]
// Files are merged into figures.json, part by part: a later run of a part replaces it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageOf } from './page.mjs';

const kept = fileURLToPath(new URL('figures.json', import.meta.url));
const docs = fileURLToPath(new URL('../../../docs', import.meta.url));

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const merged = process.argv.slice(2).reduce((before, file) => {
  const { machine, date, parts, rows } = read(file);
  const others = before.rows.filter(({ part }) => !parts.includes(part));
  return { machine, date, rows: [...others, ...rows] };
}, read(kept));
writeFileSync(kept, `${JSON.stringify(merged, undefined, 1)}\n`);
for (const [path, content] of pageOf(merged)) writeFileSync(join(docs, path), content);
