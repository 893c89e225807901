// Pods of kube-apiserver over protobuf: lists against plain undici with JSON.parse and against client-go, and
// informers against those over JSON and against client-go's. Responses are not compressed.
import { clientGoProgram, runClientGo, runClientGoInformer } from './informer-client-go.mjs';
import * as informers from './informer-programs.mjs';
import { createPods } from './list.mjs';
import { bare } from './list-programs.mjs';
import { figure, measured, of, ratio } from './protobuf-figures.mjs';
import { ours, unread } from './protobuf-list-programs.mjs';
import { runProgram, startKubernetes } from './servers.mjs';

const count = 10_000;
const protobuf = 'application/vnd.kubernetes.protobuf';

/** Returns nothing if kube-apiserver is not available. */
export async function benchProtobufLists(bench) {
  const plane = await startKubernetes(bench.root);
  if (plane === undefined) return [];
  try {
    await createPods(bench.root, plane.config, count);
    const clientGo = await clientGoProgram(bench.root);
    const { server, tls, auth } = plane.config;
    const settings = { ...tls, server, token: auth?.token, count };
    return [...listed(bench, settings, clientGo), ...informed(bench, settings, clientGo)];
  } finally {
    await plane.stop();
  }
}

function listed({ node, project, rounds }, common, clientGo) {
  const title = '10,000 pods of kube-apiserver, listed';
  const settings = { ...common, path: '/api/v1/namespaces/shop/pods' };
  const run = (program, more) => () => runProgram(node, project, program, { ...settings, ...more });
  const raw = measured(title, rounds, {
    'undici, unread JSON': run(unread, { accept: 'application/json' }),
    'undici, unread protobuf': run(unread, { accept: protobuf }),
    'undici and JSON.parse': run(bare),
    'kgen over JSON': run(ours, { encoding: 'json' }),
    'kgen over protobuf': run(ours, { encoding: 'protobuf' }),
    ...(clientGo !== undefined && {
      'client-go over protobuf': () => runClientGo(clientGo, 'list', { ...settings, contentType: protobuf }),
    }),
  });
  const kgen = raw['kgen over protobuf'];
  const parsed = raw['undici and JSON.parse'];
  return [
    ...ratio(`${title}: time over that of undici and JSON.parse`, kgen, parsed, 'ms'),
    ...ratio(`${title}: processor over that of undici and JSON.parse`, kgen, parsed, 'cpuMs'),
    ...ratio(`${title}: processor over client-go's`, kgen, raw['client-go over protobuf'], 'cpuMs'),
    figure(`${title}: event-loop delay`, of(kgen, 'delayMs'), 'ms'),
  ];
}

function informed({ node, project, rounds }, common, clientGo) {
  const title = '10,000 pods of kube-apiserver, informer';
  const settings = { ...common, prefix: '', path: '/api/v1/pods' };
  const run = (encoding) => () => runProgram(node, project, informers.ours, { ...settings, encoding });
  const raw = measured(title, rounds, {
    'kgen over JSON': run('json'),
    'kgen over protobuf': run('protobuf'),
    ...(clientGo !== undefined && {
      'client-go over protobuf': () => runClientGoInformer(clientGo, { ...settings, contentType: protobuf }),
    }),
  });
  const kgen = raw['kgen over protobuf'];
  const json = raw['kgen over JSON'];
  return [
    ...ratio(`${title}: memory over that over JSON`, kgen, json, 'memoryMb'),
    ...ratio(`${title}: time to sync over that over JSON`, kgen, json, 'ms'),
    ...ratio(`${title}: memory over client-go's`, kgen, raw['client-go over protobuf'], 'memoryMb'),
    ...ratio(`${title}: time to sync over client-go's`, kgen, raw['client-go over protobuf'], 'ms'),
    figure(`${title}: event-loop delay`, of(kgen, 'delayMs'), 'ms'),
  ];
}
