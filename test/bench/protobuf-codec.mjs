// Pods read and written in memory, with unread managedFields: kgen's codec against JSON.parse and
// JSON.stringify on each Node, protobufjs, and Kubernetes' own Go.
import { join } from 'node:path';
import { peerFolder } from '../support/peer.mjs';
import { runClientGo } from './informer-client-go.mjs';
import { median } from './measure.mjs';
import * as programs from './protobuf-codec-programs.mjs';
import { measured, ratio } from './protobuf-figures.mjs';
import { runProgram } from './servers.mjs';

/** Runs on each of `nodes`: paths of Node programs by version. */
export function benchProtobufCodec({ root, project, rounds, nodes, clientGo }, settings) {
  const peer = peerFolder('protobufjs', '8.8.1');
  const own = { ...settings, proto: join(root, 'test/bench/protobuf-pod.proto') };
  return Object.entries(nodes).flatMap(([version, node]) => {
    const ours = (program) => () => runProgram(node, project, program, own);
    const theirs = (program) => () => runProgram(node, peer, program, own);
    const title = `5,000 pods, Node ${version}`;
    const raw = measured(title, rounds, {
      'JSON.parse': ours(programs.parse),
      decode: ours(programs.decode),
      'JSON.stringify': ours(programs.stringify),
      encode: ours(programs.encode),
      'encode of decoded pods': ours(programs.encodeDecoded),
      ...(peer !== undefined && {
        "protobufjs' decode": theirs(programs.protobufjsDecode),
        "protobufjs' encode": theirs(programs.protobufjsEncode),
      }),
      Go: () => inGo(clientGo, settings),
    });
    return [
      ...compared(`${title}: decode over JSON.parse`, raw.decode, raw['JSON.parse']),
      ...compared(`${title}: encode over JSON.stringify`, raw.encode, raw['JSON.stringify']),
      ...ratio(`${title}: decode over protobufjs'`, raw.decode, raw["protobufjs' decode"], 'laterMs'),
    ];
  });
}

/**
 * Compares runs for the first turn of a fresh process, in which no code is compiled yet, and for
 * later turns.
 */
function compared(what, runs, beside) {
  return [
    ...ratio(`${what}, first turn`, runs, beside, 'firstMs'),
    ...ratio(`${what}, later turns`, runs, beside, 'laterMs'),
  ];
}

function inGo(clientGo, settings) {
  const { decodeMs, encodeMs } = runClientGo(clientGo, 'codec', settings);
  return { decodeMs: median(decodeMs.slice(1)), encodeMs: median(encodeMs.slice(1)) };
}
