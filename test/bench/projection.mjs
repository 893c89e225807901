// Informers that hold selected fields, against those that hold whole pods: kgen's, client-go's without and
// with a transform that drops the same fields, and client-node's.
//
// Memory is what is live after two collections: heap and external memory of Node, HeapAlloc of Go. The
// variables KGEN_BENCH_PODS, KGEN_BENCH_MANY_PODS and KGEN_BENCH_CHANGES reduce the numbers.
import { clientGoProgram, runClientGoInformer } from './informer-client-go.mjs';
import * as programs from './informer-programs.mjs';
import { createPods } from './list.mjs';
import { pagePods, recordPods } from './projection-pods.mjs';
import { following } from './protobuf-event-programs.mjs';
import { figure, measured, of, ratio, ratioUpwards } from './protobuf-figures.mjs';
import { runProgram, startKubernetes, startServer } from './servers.mjs';

const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const count = Number(process.env.KGEN_BENCH_PODS ?? 10_000);
const many = Number(process.env.KGEN_BENCH_MANY_PODS ?? 100_000);
const changes = Number(process.env.KGEN_BENCH_CHANGES ?? 100_000);

const select = {
  metadata: { labels: true },
  spec: { nodeName: true, containers: { image: true, resources: true } },
  status: { phase: true },
};

/** Runs against kube-apiserver if it is available, and against servers that repeat what it has sent. */
export async function benchProjection(bench) {
  const clientGo = await clientGoProgram(bench.root);
  const plane = await startKubernetes(bench.root);
  if (plane === undefined) return [];
  let pods;
  const results = [];
  try {
    await createPods(bench.root, plane.config, count);
    pods = await recordPods({ ...bench, config: plane.config });
    results.push(...benchReal({ ...bench, clientGo, config: plane.config }));
  } finally {
    await plane.stop();
  }
  return [...results, ...(await benchFixed({ ...bench, pods }))];
}

function benchReal({ node, project, clientNode, rounds, clientGo, config }) {
  const { server, tls, auth } = config;
  const settings = { ...tls, server, token: auth?.token, count, prefix: '', path: '/api/v1/pods' };
  const title = `${count} pods of kube-apiserver`;
  const kgen = (more) => () => runProgram(node, project, programs.ours, { ...settings, ...more });
  const go = (more) => () => runClientGoInformer(clientGo, { ...settings, ...more });
  const raw = measured(title, rounds, {
    'kgen, whole': kgen({}),
    'kgen, selected': kgen({ select }),
    'kgen, whole, JSON': kgen({ encoding: 'json' }),
    'kgen, selected, JSON': kgen({ select, encoding: 'json' }),
    ...(clientGo !== undefined && {
      'client-go, whole': go({ contentType: protobuf }),
      'client-go, transformed': go({ contentType: protobuf, transform: true }),
      'client-go, whole, JSON': go({ contentType: json }),
      'client-go, transformed, JSON': go({ contentType: json, transform: true }),
    }),
    ...(clientNode !== undefined && {
      'client-node': () => runProgram(node, clientNode, programs.clientNode, settings),
    }),
  });
  return ['', ', JSON'].flatMap((encoding) => {
    const selected = raw[`kgen, selected${encoding}`];
    const [whole, transformed] = ['whole', 'transformed'].map((form) => raw[`client-go, ${form}${encoding}`]);
    const about = `${title}${encoding}, selected`;
    return [
      ...ratio(`${about}: memory over client-go's`, selected, whole, 'memoryMb'),
      ...ratio(`${about}: memory over client-go's with a transform`, selected, transformed, 'memoryMb'),
      ...ratio(`${about}: memory over kgen's whole`, selected, raw[`kgen, whole${encoding}`], 'memoryMb'),
      ...ratio(`${about}: processor over client-go's`, selected, whole, 'cpuMs'),
      ...ratio(`${about}: processor over client-go's with a transform`, selected, transformed, 'cpuMs'),
      ...ratio(`${about}: processor over kgen's whole`, selected, raw[`kgen, whole${encoding}`], 'cpuMs'),
      figure(`${about}: event-loop delay`, of(selected, 'delayMs'), 'ms'),
    ];
  });
}

/** Runs against a server that repeats the recorded pods. */
async function benchFixed(bench) {
  const { node, project, pods } = bench;
  const { child, server, ca } = await startServer({ ...bench, program: 'projection-server.mjs' });
  const settings = { server, ca, path: '/api/v1/pods' };
  try {
    const prefix = `/prepare?pods=${encodeURIComponent(pods)}`;
    runProgram(node, project, programs.prepare, { server, ca, prefix });
    return ['protobuf', 'json'].flatMap((encoding) => [
      ...benchMany(bench, { ...settings, encoding }),
      ...benchUnselected(bench, { ...settings, encoding }),
    ]);
  } finally {
    child.kill();
  }
}

/** Compares the cost of ten times as many pods. */
function benchMany({ node, project, rounds }, settings) {
  const title = `${many} pods of a fixed server, ${settings.encoding}`;
  const run = (size) => () =>
    runProgram(node, project, programs.ours, { ...settings, select, count: size, prefix: `/${size}` });
  const raw = measured(title, rounds, { 'a tenth': run(many / 10), all: run(many) });
  return [
    figure(`${title}: memory`, of(raw.all, 'memoryMb'), 'MB'),
    ...ratio(`${title}: processor over that of a tenth`, raw.all, raw['a tenth'], 'cpuMs'),
    figure(`${title}: event-loop delay`, of(raw.all, 'delayMs'), 'ms'),
  ];
}

/** Compares updates in which only the version changes. */
function benchUnselected({ node, project, rounds }, common) {
  const title = `${changes} changes of unselected fields, ${common.encoding}`;
  const lastVersion = String(1_000_000 + changes);
  const settings = { ...common, changes, lastVersion, prefix: `/${pagePods}` };
  const run = (more) => () => runProgram(node, project, following, { ...settings, ...more });
  const raw = measured(title, rounds, { whole: run({}), selected: run({ select }) });
  const what = `${title}: those a second of the processor is worth, over those of whole pods`;
  return [ratioUpwards(what, raw.selected, raw.whole, 'perCpuSecond')];
}
