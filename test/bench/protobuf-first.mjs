// Cost of protobuf until the first response, and its cost for a program that does not use it.
import { figure, measured, of } from './protobuf-figures.mjs';
import { runProgram } from './servers.mjs';

/** A program that lists pods in the encoding of the settings, then imports core/v1's codecs. */
const program = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({
  load(url, context, next) {
    if (/protobuf[^/]*(\\/[^/]*)?\\.js$/.test(url)) loaded.push(url);
    return next(url, context);
  },
});
const { server, ca, prefix, encoding } = JSON.parse(process.env.SETTINGS);
const { Clientset } = await import('@kgen/kubernetes');
const clientset = new Clientset({ server: server + prefix, tls: { ca } }, { encoding });
const listStarted = performance.now();
const { items } = await clientset.coreV1.pods().list();
const firstListMs = performance.now() - listStarted;
if (items.length !== 1) throw new Error(items.length + ' pods came instead of 1');
const modules = loaded.length;
const started = performance.now();
const { codecs } = await import(new URL('protobuf.js', import.meta.resolve('@kgen/kubernetes/core/v1')));
const importMs = performance.now() - started;
if (!codecs.has('PodList') || loaded.length === 0) throw new Error('the codecs are not there');
await clientset.close();
console.log(JSON.stringify({ firstListMs, importMs, modules }));
`;

/** Runs against a server with one pod. */
export function benchProtobufFirst({ node, project, rounds }, settings) {
  const run = (encoding) => () => runProgram(node, project, program, { ...settings, encoding });
  const raw = measured('a program that lists one pod', rounds, {
    'over JSON': run('json'),
    'over protobuf': run('protobuf'),
  });
  const json = raw['over JSON'];
  const protobuf = raw['over protobuf'];
  const [unused, used] = [json, protobuf].map((runs) => Math.max(...of(runs, 'modules')));
  if (used === 0)
    throw new Error('no module of protobuf was loaded where it is spoken: the hook misses them');
  const added = of(protobuf, 'firstListMs').map((ms, round) => ms - json[round].firstListMs);
  return [
    figure("first import of core/v1's protobuf.js", of(json, 'importMs'), 'ms'),
    figure('first list over protobuf, over a first list over JSON', added, 'ms'),
    {
      what: 'modules of protobuf that a program loads where encoding is json',
      value: unused,
      unit: '',
    },
  ];
}
