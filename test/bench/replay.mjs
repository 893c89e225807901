// The operator of operators.mjs with the recorded responses of a server, without a network: processor time
// and memory of kgen alone. KGEN_BENCH_OBJECTS: number of Foos, 3,000 unless set. KGEN_BENCH_OTHER: another
// checkout, built, which is measured in turns with this one. KGEN_BENCH_FLAGS: flags of Node.js.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { line, median } from './measure.mjs';
import { recordTape } from './operators/measure-operator.mjs';
import { OperatorProcess } from './operators/process.mjs';
import { kgenOperator } from './operators/programs.mjs';
import { addController, makeProject } from './project.mjs';

const columns = {
  cpuMs: 'ms of processor time',
  heapMb: 'MB of live heap',
  peakMb: 'MB of resident memory',
};

/** Records each form of writes once, then replays it in fresh processes. */
export async function benchReplay({ node, root, folder, rounds }) {
  const count = Number(process.env.KGEN_BENCH_OBJECTS ?? 3000);
  const api = await import(join(root, 'src/testing/dist/index.js'));
  if (!api.controlPlaneAvailability().available) {
    console.log('without replay: kube-apiserver is not available');
    return [];
  }
  const { Clientset } = await import(join(root, 'generated/kubernetes/dist/index.js'));
  const other = process.env.KGEN_BENCH_OTHER;
  const trees = { kgen: root, ...(other && { [other]: other }) };
  const programs = {};
  for (const [name, tree] of Object.entries(trees))
    programs[name] = await programOf({ node, root, tree, folder });
  const size = { count, concurrency: 8 };
  const results = [];
  for (const apply of [true, false]) {
    const file = join(folder, `tape-${apply}`);
    const server = { startControlPlane: api.startControlPlane, Clientset };
    await recordTape({ root, api: server, program: programs.kgen, apply, file, ...size });
    const raw = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      const names = Object.keys(programs);
      for (const name of round % 2 === 0 ? names : names.reverse())
        raw[name].push(await replay(programs[name], { ...size, apply, replay: file }));
    }
    rmSync(file);
    results.push(...figuresOf(raw, `replay, ${count} Foos, ${apply ? 'apply' : 'update'}`));
  }
  return results;
}

/** The operator in a project of a user with the packages of a checkout. */
function programOf({ node, root, tree, folder }) {
  const project = makeProject({ root: tree, folder, kubernetes: join(tree, 'generated/kubernetes/dist') });
  addController({ root: tree, project });
  return kgenOperator({ node, root, tree, project });
}

async function replay(program, settings) {
  const operator = new OperatorProcess(program, settings);
  try {
    await operator.line();
    // Events of the last writes, and runs that follow from them.
    await sleep(1000);
    const cpuMs = operator.threadSeconds() * 1000;
    const peakMb = operator.peakMb();
    return { cpuMs, peakMb, heapMb: await operator.heapMb() };
  } finally {
    await operator.stop();
  }
}

function figuresOf(raw, title) {
  const [ours] = Object.values(raw);
  return Object.entries(columns).flatMap(([column, unit]) => {
    for (const [name, runs] of Object.entries(raw)) {
      const values = runs.map((run) => run[column]);
      console.log(line(`${title}, ${name}`, values, unit));
    }
    const values = ours.map((run) => run[column]);
    return [{ what: `${title}, ${unit}`, value: median(values), best: Math.min(...values), unit: '' }];
  });
}
