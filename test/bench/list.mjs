// Lists of many large pods over HTTPS: kgen's client against a plain undici Pool that parses the response.
import { podToCreate } from './list-pod.mjs';
import { bare, ours } from './list-programs.mjs';
import { line, median } from './measure.mjs';
import { byTurns, restClient, runProgram, startKubernetes, startServer } from './servers.mjs';

const small = 10_000;
const large = 100_000;
const writers = 16;

/** Runs the programs in turns. */
function alternating({ node, project, rounds }, programs, settings) {
  const names = Object.keys(programs);
  const raw = byTurns(
    rounds,
    names.map((name) => () => runProgram(node, project, programs[name], settings)),
  );
  return Object.fromEntries(names.map((name, index) => [name, raw[index]]));
}

const columns = {
  ms: ['time', 'ms'],
  delayMs: ['event-loop delay', 'ms'],
  stretchMs: ['longest stretch without collections', 'ms'],
  gcMs: ['longest collection', 'ms'],
  peakMb: ['peak of memory', 'MB'],
};

function print(title, raw) {
  for (const [name, runs] of Object.entries(raw)) {
    for (const [column, [what, unit]] of Object.entries(columns)) {
      console.log(
        line(
          `${title}, ${name}, ${what}`,
          runs.map((one) => one[column]),
          unit,
        ),
      );
    }
  }
}

const of = (runs, column) => runs.map((one) => one[column]);

function figure(what, values, unit) {
  return { what, value: median(values), best: Math.min(...values), unit };
}

/** Compares with the plain pool, for lists that fit into one string. */
function compared(title, bench, settings) {
  const raw = alternating(bench, { bare, ours }, settings);
  print(title, raw);
  // Median of the ratios within a round.
  const ratios = of(raw.ours, 'ms').map((ms, round) => (100 * ms) / raw.bare[round].ms);
  return [
    figure(`${title}: time of kgen, undici and JSON.parse being 100`, ratios, '%'),
    figure(`${title}: event-loop delay`, of(raw.ours, 'delayMs'), 'ms'),
  ];
}

/** Measures kgen alone, for lists larger than one string. */
function alone(title, bench, settings) {
  const raw = alternating(bench, { ours }, settings);
  print(title, raw);
  return [
    figure(`${title}: longest stretch without collections`, of(raw.ours, 'stretchMs'), 'ms'),
    figure(`${title}: event-loop delay`, of(raw.ours, 'delayMs'), 'ms'),
  ];
}

const path = '/api/v1/namespaces/shop/pods';

/** Runs against a server with constant responses, and against kube-apiserver if available. */
export async function benchList(bench) {
  const { child, server, ca } = await startServer({ ...bench, program: 'list-server.mjs' });
  const fixed = (count) => ({ server, ca, count, prefix: `/${count}`, path: `/${count}${path}` });
  const results = [];
  try {
    results.push(...compared('10,000 pods of a fixed server', bench, fixed(small)));
    results.push(...alone('100,000 pods of a fixed server', bench, fixed(large)));
  } finally {
    child.kill();
  }
  return [...results, ...(await benchRealList(bench))];
}

/** Lists of kube-apiserver; returns nothing if it is not available. */
async function benchRealList(bench) {
  const plane = await startKubernetes(bench.root);
  if (plane === undefined) return [];
  try {
    await createPods(bench.root, plane.config, small);
    const { server, tls, auth } = plane.config;
    const settings = { ...tls, server, token: auth?.token, count: small, prefix: '', path };
    return compared('10,000 pods of kube-apiserver', bench, settings);
  } finally {
    await plane.stop();
  }
}

/** Creates the namespace `shop` and `count` pods in it. */
export async function createPods(root, config, count) {
  const rest = await restClient(root, config);
  await rest.post('/api/v1/namespaces', { body: { metadata: { name: 'shop' } } });
  // Pods require the service account of their namespace, which a controller creates in a complete cluster.
  await rest.post('/api/v1/namespaces/shop/serviceaccounts', { body: { metadata: { name: 'default' } } });
  let next = 0;
  const write = async () => {
    for (let index = next++; index < count; index = next++) {
      await rest.post(path, { body: podToCreate(`web-${String(index).padStart(8, '0')}`) });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  await rest.close();
}
