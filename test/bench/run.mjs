// Measures what kgen promises. Not a test: numbers of a shared machine are read, not asserted.
// KGEN_CORPUS=<folder with crds/> npm run bench
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchGenerate } from './generate.mjs';
import { machine } from './measure.mjs';
import { benchTypecheck } from './typecheck.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const corpus = process.env.KGEN_CORPUS;
if (corpus === undefined) {
  console.error('Set KGEN_CORPUS to a folder that has crds/.');
  process.exit(2);
}
const node = spawnSync(process.execPath, [`${root}scripts/node24.mjs`], { encoding: 'utf8' }).stdout.trim();
const settings = { node, root, corpus, rounds: 5 };
console.log(`${machine(node)}; medians of ${settings.rounds} fresh processes, raw numbers sorted`);

const results = [...benchGenerate(settings), ...benchTypecheck(settings)];
console.log();
for (const { what, value, limit, unit } of results) {
  console.log(
    `${value <= limit ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(0)} ${unit} (at most ${limit} ${unit})`,
  );
}
