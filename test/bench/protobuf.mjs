// Protobuf relative to JSON: pods in memory, from kube-apiserver, and in changes.
import { spawnSync } from 'node:child_process';
import { clientGoProgram } from './informer-client-go.mjs';
import { prepare } from './informer-programs.mjs';
import { benchProtobufCodec } from './protobuf-codec.mjs';
import { benchProtobufEvents } from './protobuf-events.mjs';
import { benchProtobufFirst } from './protobuf-first.mjs';
import { benchProtobufLists } from './protobuf-list.mjs';
import { writePods } from './protobuf-pods.mjs';
import { runProgram, startServer } from './servers.mjs';

/** Runs all parts. Go encodes the input; without Go, only kube-apiserver is measured. */
export async function benchProtobuf(bench) {
  const clientGo = await clientGoProgram(bench.root);
  if (clientGo === undefined) return benchProtobufLists(bench);
  const pods = (count) => ({ count, folder: writePods({ folder: bench.folder, clientGo, count }) });
  return [
    ...benchProtobufCodec({ ...bench, clientGo, nodes: nodesOf(bench) }, pods(5000)),
    ...(await benchServed(bench, pods)),
    ...(await benchProtobufLists(bench)),
  ];
}

/** Returns the Node of the bench, and the Node that runs it if its version differs. */
function nodesOf({ node }) {
  const major = (program) =>
    spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.split('.')[0];
  return { [major(process.execPath)]: process.execPath, [major(node)]: node };
}

/** Measures responses of a fixed server. */
async function benchServed(bench, pods) {
  const { node, project } = bench;
  const { child, server, ca } = await startServer({ ...bench, program: 'protobuf-server.mjs' });
  const settings = (count) => ({ server, ca, prefix: `/${count}`, path: '/api/v1/pods' });
  try {
    for (const { count, folder } of [pods(1), pods(1000)]) {
      const prefix = `/prepare?count=${count}&pods=${encodeURIComponent(folder)}`;
      runProgram(node, project, prepare, { server, ca, prefix });
    }
    return [...benchProtobufFirst(bench, settings(1)), ...benchProtobufEvents(bench, settings(1000))];
  } finally {
    child.kill();
  }
}
