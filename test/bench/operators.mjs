// One operator on @kgen/controller, on controller-runtime, on kube-rs, and by hand on client-node and on
// the client of Pepr, and with the same requests of bare undici: Foos on a real server until each has its
// Deployment and its status.
// KGEN_BENCH_OBJECTS: numbers of Foos with `,` between them, 3000,10000 unless set; KGEN_BENCH_ROUNDS: 3
// unless set; KGEN_BENCH_PEERS: names of the operators to run, with `;` between them. KGEN_BENCH_FLAGS: flags
// of Node.js.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fluentFolder } from './client-node.mjs';
import { line, median } from './measure.mjs';
import { measureOperator } from './operators/measure-operator.mjs';
import { goOperator, kgenOperator, rustOperator } from './operators/programs.mjs';
import { addController, makeClientNodeProject } from './project.mjs';

/** kubernetes-fluent-client opens a connection for each request, and keeps it for ten minutes. */
const mostFluent = 3000;

const columns = {
  total: 'requests',
  wallSeconds: 's until converged',
  cpuSeconds: 's of processor time',
  heapMb: 'MB of live heap',
  peakMb: 'MB of resident memory',
  repairMs: 'ms from an edit to its repair, median',
  repairP95Ms: 'ms from an edit to its repair, 95 %',
  restPercent: '% of a core at rest',
};
/** Figures that are compared with those of the operator in Go. */
const compared = ['total', 'wallSeconds', 'cpuSeconds', 'heapMb', 'peakMb', 'repairMs'];

/** Measures the operators in turns, each with a fresh server. */
export async function benchOperators({ node, root, folder, project, clientNode }) {
  const counts = (process.env.KGEN_BENCH_OBJECTS ?? '3000,10000').split(',').map(Number);
  const { startControlPlane, controlPlaneAvailability } = await import(
    join(root, 'src/testing/dist/index.js')
  );
  if (!controlPlaneAvailability().available) {
    console.log('without operators: kube-apiserver is not available');
    return [];
  }
  const { Clientset } = await import(join(project, 'node_modules/@kgen/kubernetes/dist/index.js'));
  const programs = await programsOf({ node, root, folder, project, clientNode });
  const run = (program, size) =>
    measureOperator({ root, folder, api: { startControlPlane, Clientset }, ...program, ...size });
  const rows = [];
  for (const count of counts) {
    const raw = await measured(run, chosen(programs, count), count);
    printColumns(raw, count);
    rows.push(...results(raw, count));
  }
  return rows;
}

async function measured(run, programs, count) {
  const rounds = Number(process.env.KGEN_BENCH_ROUNDS ?? 3);
  const size = { count, concurrency: 8, edits: 50, restMs: 30_000 };
  const raw = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    // Every second round in the other order.
    const names = Object.keys(programs);
    for (const name of round % 2 === 0 ? names : names.reverse()) {
      const figures = await run(programs[name], size);
      raw[name].push(figures);
      console.log(`${count} Foos, ${name}, round ${round + 1}: ${JSON.stringify(figures)}`);
    }
  }
  return raw;
}

function chosen(programs, count) {
  const names = process.env.KGEN_BENCH_PEERS?.split(';') ?? Object.keys(programs);
  const able = names.filter((name) => count <= mostFluent || !name.startsWith('kubernetes-fluent-client'));
  return Object.fromEntries(able.map((name) => [name, programs[name]]));
}

async function programsOf({ node, root, folder, project, clientNode }) {
  const fluent = fluentFolder();
  addController({ root, project });
  const inKgen = await kgenOperator({ node, root, tree: root, project });
  const inGo = await goOperator(root);
  const inRust = await rustOperator(root);
  return {
    'controller-runtime, apply': { program: inGo, apply: true },
    'kgen, apply': { program: inKgen, apply: true },
    'controller-runtime, update': { program: inGo, apply: false },
    'kgen, update': { program: inKgen, apply: false },
    'bare undici, apply': { program: byHand({ node, root, project, file: 'floor.mjs' }), apply: true },
    ...(inRust && { 'kube-rs, apply': { program: inRust, apply: true } }),
    ...(clientNode !== undefined && {
      'client-node, update': {
        program: byHand({ node, root, project: clientNode, file: 'client-node.mjs' }),
        apply: false,
      },
    }),
    ...(fluent !== undefined && {
      'kubernetes-fluent-client, apply': {
        program: byHand({
          node,
          root,
          project: makeClientNodeProject({ folder, installed: fluent }),
          file: 'fluent.mjs',
        }),
        apply: true,
      },
    }),
  };
}

function byHand({ node, root, project, file }) {
  for (const each of ['protocol.mjs', file])
    cpSync(join(root, 'test/bench/operators', each), join(project, each));
  return { command: node, args: ['--expose-gc', '--max-semi-space-size=8', file], cwd: project };
}

function printColumns(raw, count) {
  for (const [column, unit] of Object.entries(columns)) {
    for (const [name, runs] of Object.entries(raw)) {
      const values = runs.map((run) => run[column]);
      console.log(line(`${count} Foos, ${name}`, values, unit));
    }
  }
}

/** Compares kgen's operator with those that write in the same way. */
function results(raw, count) {
  return ['apply', 'update'].flatMap((how) => {
    const ours = raw[`kgen, ${how}`];
    if (ours === undefined) return [];
    const rest = ours.map(({ restPercent }) => restPercent);
    const peers = Object.entries(raw).filter(
      ([name]) => name.endsWith(`, ${how}`) && !name.startsWith('kgen'),
    );
    return [
      ...peers.flatMap(([name, theirs]) =>
        ratios(ours, theirs, `operator, ${count} Foos, ${how}`, name.split(',')[0]),
      ),
      {
        what: `operator at rest, ${count} Foos, ${how}`,
        value: median(rest),
        best: Math.min(...rest),
        unit: '% of a core',
      },
    ];
  });
}

function ratios(ours, theirs, title, peer) {
  return compared.flatMap((column) => {
    const values = ours.map((run, round) => run[column] / theirs[round][column]);
    if (!values.every(Number.isFinite)) return [];
    const what = `${title}, ${columns[column]}, × ${peer}`;
    return [{ what, value: median(values), best: Math.min(...values), unit: '×' }];
  });
}
