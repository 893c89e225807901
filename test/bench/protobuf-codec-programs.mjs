// Programs that read and write pods in memory, each in another way. They run in a fresh process with the
// settings as JSON in $SETTINGS, and print the duration of the first turn and the median of the others as
// JSON. No module is loaded and no request is sent during a turn. The garbage of a turn is collected before
// the next, except one result: without any live object of a class V8 would discard its optimized code, which
// does not happen in a program that reads pods continuously.

const measuring = `
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
const { folder, count, proto } = JSON.parse(process.env.SETTINGS);
const turns = 6;
const jsonText = () => readFileSync(folder + '/list.json', 'latin1');
const wire = () => new Uint8Array(readFileSync(folder + '/list.pb'));
/** Milliseconds of each turn of work, which returns one result per pod. */
async function measured(work) {
  const ms = [];
  const kept = [];
  for (let turn = 0; turn < turns; turn += 1) {
    gc();
    await nextTurn();
    const started = performance.now();
    const result = await work();
    ms.push(performance.now() - started);
    kept[0] = result[0];
    if (result.length !== count) throw new Error(result.length + ' pods instead of ' + count);
  }
  return ms;
}
function print(ms) {
  console.log(JSON.stringify({ firstMs: ms[0], laterMs: ms.slice(1).sort((a, b) => a - b)[turns / 2 - 1] }));
}
`;

const ours = `
import { decode, encode } from '@kgen/kubernetes/protobuf';
${measuring}
`;

export const parse = `
${measuring}
const text = jsonText();
print(await measured(() => JSON.parse(text).items));
`;

export const decode = `
${ours}
// Loads the codecs of a list of pods.
await decode(await encode({ apiVersion: 'v1', kind: 'PodList', metadata: {}, items: [] }));
const bytes = wire();
print(await measured(async () => (await decode(bytes)).items));
`;

/** Plain objects from JSON.parse, with managedFields. */
const plainPods = `
const pods = JSON.parse(jsonText()).items.map((pod) => ({ apiVersion: 'v1', kind: 'Pod', ...pod }));
`;

export const stringify = `
${measuring}
${plainPods}
print(await measured(() => pods.map((pod) => JSON.stringify(pod))));
`;

const encodeAll = `
await encode({ apiVersion: 'v1', kind: 'Pod' });
print(
  await measured(async () => {
    const all = [];
    for (const pod of pods) all.push(await encode(pod));
    return all;
  }),
);
`;

export const encode = `
${ours}
${plainPods}
${encodeAll}
`;

/** Objects from decode, whose fieldsV1 has not been read. */
export const encodeDecoded = `
${ours}
const pods = (await decode(wire())).items;
${encodeAll}
`;

const theirs = `
import protobuf from 'protobufjs';
${measuring}
const types = protobuf.parse(readFileSync(proto, 'utf8'), { keepCase: true }).root;
const type = (name) => types.lookupType('bench.' + name);
const [Envelope, PodList, Pod] = ['Envelope', 'PodList', 'Pod'].map(type);
const magic = 4;
const bytes = wire();
const read = () => PodList.decode(Envelope.decode(bytes.subarray(magic)).raw);
`;

export const protobufjsDecode = `
${theirs}
print(await measured(() => read().items));
`;

export const protobufjsEncode = `
${theirs}
const pods = read().items;
const head = Buffer.from('k8s\\0', 'latin1');
const envelope = (pod) => {
  const typeMeta = { apiVersion: 'v1', kind: 'Pod' };
  const raw = Pod.encode(pod).finish();
  return Buffer.concat([head, Envelope.encode({ typeMeta, raw, contentEncoding: '', contentType: '' }).finish()]);
};
const sum = pods.reduce((bytes, pod) => bytes + Pod.encode(pod).finish().length, 0);
// Unknown fields would be dropped, which would make the time meaningless.
const lost = bytes.length - sum;
if (lost > pods.length * 8) throw new Error('protobufjs does not know all that the pods have: ' + lost + ' bytes are lost');
print(await measured(() => pods.map(envelope)));
`;
