// npm run mutate -- FOLDER... [--seed 1] [--count 200] [--near] [--tests PATH]... [--survivors] [--json]
//
// Changes one token at a time in the sources of each folder, and lists the changes that no test of `npm test`
// detects.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { explanationOf, readExplained } from './equivalent.mjs';
import { nearestFirst, testsInMemory } from './files.mjs';
import { Hunt } from './hunt.mjs';
import { mutantsOf } from './mutants.mjs';
import { Session } from './session.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    near: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true, default: [] },
    survivors: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const folders = positionals.map((folder) => folder.replace(/\/$/, ''));
if (folders.length === 0) {
  console.error('Name a folder of sources: npm run mutate -- src/runtime/watch');
  process.exit(2);
}
const kept = join(root, 'node_modules/.cache/kgen-mutate');
const work = mkdtempSync(join(tmpdir(), 'kgen-mutate-'));
const print = (line) => {
  if (!values.json) console.error(line);
};

const tests = await testsInMemory(root);
const results = [];
for (const folder of folders) results.push(await measure(folder));
rmSync(work, { recursive: true, force: true });
if (values.json) console.log(JSON.stringify(results, null, 2));

async function measure(folder) {
  const explained = readExplained();
  const all = mutantsOf(root, folder, Number(values.count), Number(values.seed));
  const known = values.survivors ? lastSurvivors(folder, all) : new Set(all.map(key));
  const open = all.filter((one) => known.has(key(one)) && explanationOf(one, explained) === undefined);
  const mutants = open.map((one, id) => ({ ...one, id }));
  const session = new Session(work, mutants);
  const resultNow = () => resultOf(folder, all, explained, mutants, hunt);
  const hunt = new Hunt(session, mutants, (line) => {
    print(line);
    keep(resultNow());
  });
  const below = [...values.tests, ...(values.near ? [`${folder}/`] : [])];
  const isTried = (path) => below.length === 0 || below.some((start) => path.startsWith(start));
  const order = nearestFirst(tests.keys(), folder).filter(isTried);
  try {
    await hunt.run(order.map((path) => [path, tests.get(path)]));
  } finally {
    session.close();
  }
  const result = resultNow();
  keep(result);
  if (!values.json) report(result);
  return result;
}

function resultOf(folder, all, explained, mutants, hunt) {
  const survivors = mutants
    .filter(({ id }) => !hunt.caught.has(id))
    .map((one) => ({ ...one, isReached: hunt.isReached(one.id) }));
  const equivalent = all.filter((one) => explanationOf(one, explained) !== undefined).length;
  const caught = all.length - survivors.length - equivalent;
  return { folder, seed: Number(values.seed), mutants: all.length, caught, equivalent, survivors };
}

/** Saved after each test file, so that `--survivors` continues an interrupted run. */
function keep(result) {
  mkdirSync(kept, { recursive: true });
  writeFileSync(keptPath(result.folder), JSON.stringify(result, null, 2));
}

/** Key of a mutant, independent of changes elsewhere in the file. */
function key({ file, operator, original, changed }) {
  return [file, operator, original, changed].join('\n');
}

function keptPath(folder) {
  return join(kept, `${folder.replaceAll('/', '-')}-${values.seed}-${values.count}.json`);
}

/** @throws if the sources have changed so that the sample differs */
function lastSurvivors(folder, all) {
  const known = new Set(JSON.parse(readFileSync(keptPath(folder), 'utf8')).survivors.map(key));
  const sampled = new Set(all.map(key));
  if ([...known].every((one) => sampled.has(one))) return known;
  throw new Error(`The sources of ${folder} have changed since the last run: run once without --survivors.`);
}

function report({ folder, seed, mutants, caught, equivalent, survivors }) {
  for (const { file, line, column, original, changed, isReached } of survivors) {
    console.log(
      `${file}:${line}:${column}${isReached ? '' : ' (no test reaches it)'}\n  - ${original}\n  + ${changed}`,
    );
  }
  const share = ((100 * caught) / (mutants - equivalent)).toFixed(1);
  console.log(
    `${folder}, seed ${seed}: ${caught} of ${mutants} caught, ${equivalent} explained, ${survivors.length} survive (${share} % without those explained)`,
  );
}
