// Caches of many pods: kgen's informer against those of client-node and client-go, and against a plain array.
import { clientGoProgram, runClientGoInformer } from './informer-client-go.mjs';
import * as programs from './informer-programs.mjs';
import { createPods } from './list.mjs';
import { line, median } from './measure.mjs';
import { byTurns, runProgram, startKubernetes, startServer } from './servers.mjs';

const fixed = 50_000;
const real = 10_000;

const columns = {
  memoryMb: ['memory', 'MB'],
  ms: ['time to sync', 'ms'],
  delayMs: ['event-loop delay', 'ms'],
  stretchMs: ['longest stretch without collections', 'ms'],
  gcMs: ['longest collection', 'ms'],
  peakMb: ['peak of memory', 'MB'],
  heapSysMb: ['heap taken from the system', 'MB'],
  residentMb: ['resident memory', 'MB'],
};

/** Runs the programs in turns and prints their measurements. */
function measured(title, rounds, runs) {
  const names = Object.keys(runs);
  const raw = byTurns(rounds, Object.values(runs));
  for (const [index, name] of names.entries()) {
    for (const [column, [what, unit]] of Object.entries(columns)) {
      const values = of(raw[index], column);
      if (values.length > 0) console.log(line(`${title}, ${name}, ${what}`, values, unit));
    }
  }
  return Object.fromEntries(names.map((name, index) => [name, raw[index]]));
}

/** Returns one measurement of each run that has it. */
function of(runs, column) {
  return runs.map((one) => one[column]).filter((value) => value !== undefined);
}

/** Returns the median of the ratios within a round, or nothing without runs. */
function ratio(what, runs, beside, column) {
  if (beside === undefined) return [];
  const ratios = of(runs, column).map((value, round) => value / beside[round][column]);
  return [{ what, value: median(ratios), best: Math.min(...ratios), unit: '×' }];
}

function figure(what, values, unit) {
  return { what, value: median(values), best: Math.min(...values), unit };
}

/** Runs against a fixed server, and against kube-apiserver if available. */
export async function benchInformers(bench) {
  return [...(await benchFixedInformers(bench)), ...(await benchRealInformers(bench))];
}

/** Runs against a server that paginates the state and one that streams it; other clients only list. */
async function benchFixedInformers(bench) {
  const { node, project, clientNode, rounds } = bench;
  const { child, server, ca } = await startServer({ ...bench, program: 'informer-server.mjs' });
  const from = (mode) => ({ server, ca, count: fixed, prefix: `/${mode}/${fixed}`, path: '/api/v1/pods' });
  try {
    // The server's responses must exist before the measurement.
    runProgram(node, project, programs.prepare, { ...from('prepare'), path: '' });
    const title = '50,000 pods of a fixed server';
    const raw = measured(title, rounds, {
      'bare array': () => runProgram(node, project, programs.bare, from('list')),
      'bare array without managedFields': () => runProgram(node, project, programs.bareWithout, from('list')),
      'kgen, listed': () => runProgram(node, project, programs.ours, from('list')),
      'kgen, streamed': () => runProgram(node, project, programs.ours, from('stream')),
      ...(clientNode !== undefined && {
        'client-node': () => runProgram(node, clientNode, programs.clientNode, from('list')),
      }),
    });
    return ['listed', 'streamed'].flatMap((way) =>
      figuresOf(`${title}, ${way}`, raw[`kgen, ${way}`], raw['client-node']),
    );
  } finally {
    child.kill();
  }
}

function figuresOf(title, runs, clientNode) {
  return [
    ...ratio(`${title}: memory over client-node's`, runs, clientNode, 'memoryMb'),
    ...ratio(`${title}: time to sync over client-node's`, runs, clientNode, 'ms'),
    figure(`${title}: event-loop delay`, of(runs, 'delayMs'), 'ms'),
    figure(`${title}: longest stretch without collections`, of(runs, 'stretchMs'), 'ms'),
  ];
}

/** Runs against kube-apiserver, which streams; returns nothing if it is not available. */
async function benchRealInformers({ node, root, project, clientNode, rounds }) {
  const plane = await startKubernetes(root);
  if (plane === undefined) return [];
  const clientGo = await clientGoProgram(root);
  try {
    await createPods(root, plane.config, real);
    const { server, tls, auth } = plane.config;
    const settings = { ...tls, server, token: auth?.token, count: real, prefix: '', path: '/api/v1/pods' };
    const title = '10,000 pods of kube-apiserver';
    const raw = measured(title, rounds, {
      kgen: () => runProgram(node, project, programs.ours, settings),
      ...(clientNode !== undefined && {
        'client-node': () => runProgram(node, clientNode, programs.clientNode, settings),
      }),
      ...(clientGo !== undefined && { 'client-go': () => runClientGoInformer(clientGo, settings) }),
    });
    return [
      ...ratio(`${title}: memory over client-go's`, raw.kgen, raw['client-go'], 'memoryMb'),
      ...ratio(`${title}: time to sync over client-node's`, raw.kgen, raw['client-node'], 'ms'),
      figure(`${title}: event-loop delay`, of(raw.kgen, 'delayMs'), 'ms'),
    ];
  } finally {
    await plane.stop();
  }
}
