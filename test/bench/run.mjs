// Measures the performance that kgen documents. Not a test: figures of a shared machine are read, not
// asserted.
// KGEN_CORPUS=<folder with crds/ and openapi/> npm run bench [-- <part> ...]
// `--check` runs each part three times, and ends with 1 if even the best run of a figure misses its budget in
// budgets.mjs, or the limit of a budget that is not reached yet. `--json FILE` writes all figures, with the
// machine and the time, to a file.
// KGEN_BENCH_ROUNDS is the number of fresh processes for each measurement. `--seeds N` is the number of seeds
// of each correct operator in the tables of `simulate` (20).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchApi } from './api.mjs';
import { budgets } from './budgets.mjs';
import { benchBundle } from './bundle.mjs';
import { clientNodeFolder } from './client-node.mjs';
import { benchGenerate, benchWorkflows } from './generate.mjs';
import { benchGenerators } from './generators.mjs';
import { benchImport, benchRuntime } from './import.mjs';
import { benchConnections } from './informer-connections.mjs';
import { benchDays } from './informer-days.mjs';
import { benchEvents } from './informer-events.mjs';
import { benchLister } from './informer-lister.mjs';
import { benchInformers } from './informers.mjs';
import { benchLarge } from './large.mjs';
import { benchList } from './list.mjs';
import { machine } from './measure.mjs';
import { benchOperators } from './operators.mjs';
import { makeClientNodeProject, makeProject, packKubernetes } from './project.mjs';
import { benchProjectStart } from './project-start.mjs';
import { benchProjection } from './projection.mjs';
import { benchProtobuf } from './protobuf.mjs';
import { benchQueue } from './queue.mjs';
import { benchReplay } from './replay.mjs';
import { benchRest, benchRestReal } from './rest.mjs';
import { benchSimulate } from './simulate.mjs';
import { benchTables } from './simulate-tables.mjs';
import { benchSkim } from './skim.mjs';
import { benchStarvation } from './starvation.mjs';
import { benchStreams } from './streams.mjs';
import { benchTestServer } from './testserver.mjs';
import { benchTypecheckCrds, benchTypecheckKubernetes, benchTypecheckWorkflows } from './typecheck.mjs';
import { judgeRuns, tableOf } from './verdicts.mjs';
import { benchWebhooks } from './webhooks.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const corpus = process.env.KGEN_CORPUS;
const parts = {
  crds: (settings) => [...benchGenerate(settings), ...benchTypecheckCrds(settings)],
  workflows: (settings) => [...benchWorkflows(settings), ...benchTypecheckWorkflows(settings)],
  generators: benchGenerators,
  api: benchApi,
  kubernetes: benchKubernetes,
  rest: benchRuntimes,
  list: (settings) => benchList({ ...settings, ...projects(settings) }),
  informers: (settings) => benchInformers({ ...settings, ...projects(settings) }),
  events: (settings) => benchEvents({ ...settings, ...projects(settings) }),
  lister: (settings) => benchLister({ ...settings, ...projects(settings) }),
  connections: (settings) => benchConnections({ ...settings, ...projects(settings) }),
  days: (settings) => benchDays({ ...settings, ...projects(settings) }),
  queue: benchQueue,
  starvation: benchStarvation,
  replay: benchReplay,
  operators: (settings) => benchOperators({ ...settings, ...projects(settings) }),
  webhooks: ({ root, folder, ...settings }) =>
    benchWebhooks({ ...settings, root, folder, project: makeProject({ root, folder }) }),
  streams: benchStreams,
  testserver: benchTestServer,
  simulate: benchTables,
  'simulate-rate': benchSimulate,
  protobuf: (settings) => benchProtobuf({ ...settings, ...projects(settings) }),
  skim: benchSkim,
  large: (settings) => benchLarge({ ...settings, ...projects(settings) }),
  start: benchProjectStart,
  projection: (settings) => benchProjection({ ...settings, ...projects(settings) }),
};
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string' }, check: { type: 'boolean' }, json: { type: 'string' } },
});
const chosen = positionals.length > 0 ? positionals : Object.keys(parts);
const seeds = values.seeds === undefined ? {} : { seeds: Number(values.seeds) };
const isValid = Object.values(seeds).every((count) => Number.isSafeInteger(count) && count > 0);
if (corpus === undefined || !isValid || chosen.some((name) => !Object.hasOwn(parts, name))) {
  console.error(
    `Set KGEN_CORPUS to a folder that has crds/ and openapi/; the parts are ${Object.keys(parts)}; --seeds is a number.`,
  );
  process.exit(2);
}
const node = spawnSync(process.execPath, [`${root}scripts/node24.mjs`], { encoding: 'utf8' }).stdout.trim();
const folder = mkdtempSync(join(tmpdir(), 'kgen-bench-'));
/** Number of runs of each part with `--check`. */
const checks = 3;
/** Projects shared by several parts. */
let made;
try {
  const settings = {
    node,
    root,
    corpus,
    folder,
    rounds: Number(process.env.KGEN_BENCH_ROUNDS ?? 5),
    ...seeds,
  };
  console.log(`${machine(node)}; medians of ${settings.rounds} fresh processes, raw numbers sorted`);
  const runs = [];
  // Whole runs in turns: load of the machine affects one of them, not all of a part.
  for (let run = 0; run < (values.check ? checks : 1); run += 1) {
    const results = [];
    for (const part of chosen) for (const row of await parts[part](settings)) results.push({ ...row, part });
    runs.push(results);
  }
  report(runs, node);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Creates projects with @kgen/kubernetes and with client-node, which is omitted if it cannot be installed.
 */
function projects({ root, folder }) {
  made ??= makeProjects({ root, folder });
  return made;
}

function makeProjects({ root, folder }) {
  const installed = clientNodeFolder();
  const clientNode = installed === undefined ? undefined : makeClientNodeProject({ folder, installed });
  return { project: makeProject({ root, folder, kubernetes: packKubernetes({ root, folder }) }), clientNode };
}

/** Measures @kgen/kubernetes for its users, compared with @kubernetes/client-node. */
async function benchKubernetes({ node, root, folder, rounds }) {
  const settings = { node, root, rounds, ...projects({ root, folder }) };
  return [...benchTypecheckKubernetes(settings), ...(await benchBundle(settings)), ...benchImport(settings)];
}

/** Measures requests to servers. */
async function benchRuntimes({ node, root, folder, rounds }) {
  const settings = { node, root, folder, rounds, ...projects({ root, folder }) };
  return [...benchRuntime(settings), ...(await benchRest(settings)), ...(await benchRestReal(settings))];
}

/** Prints the verdicts, and those of peers beside them. */
function report(runs, node) {
  const rows = judgeRuns(runs, budgets);
  console.log(`\n${tableOf(rows).join('\n')}`);
  for (const { what, clientNode, unit } of runs[0])
    if (clientNode !== undefined)
      console.log(`${what}: @kubernetes/client-node ${clientNode.toFixed(1)} ${unit}`);
  if (values.json !== undefined) {
    const figures = { machine: machine(node), date: new Date().toISOString(), parts: chosen, rows };
    writeFileSync(values.json, `${JSON.stringify(figures, undefined, 2)}\n`);
  }
  if (values.check && rows.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}
