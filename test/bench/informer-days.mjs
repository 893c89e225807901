// Memory after a day of watching, in simulated time.
import { line, median } from './measure.mjs';
import { byTurns, runProgram } from './servers.mjs';

const program = `
import { byLabel, InformerFactory, RESTClient, TransportError } from '@kgen/runtime';
import { configMaps } from '@kgen/kubernetes/core/v1';
const { day: module } = JSON.parse(process.env.SETTINGS);
const { Day } = await import(module);
const day = new Day(TransportError);
const rest = new RESTClient({ server: 'https://server.example.com' }, { transport: day.server.transport });
const factory = new InformerFactory({ rest }, { environment: day.environment });
const informer = factory.of(configMaps);
const byApp = informer.addIndex('app', byLabel('app'));
const told = { add: 0, update: 0, delete: 0 };
let errors = 0;
informer.on('error', () => { errors += 1; });
informer.handle({
  add: () => { told.add += 1; },
  update: () => { told.update += 1; },
  delete: () => { told.delete += 1; },
});
informer.handle({ update: async () => undefined }, { resyncMs: 600_000 });
await factory.start();
await day.settle();
async function memoryMb() {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}
const started = performance.now();
await day.pass(1);
const firstMb = await memoryMb();
await day.pass(23);
const lastMb = await memoryMb();
const seconds = (performance.now() - started) / 1000;
await day.rest();
const wanted = new Map(day.server.versions());
const objects = informer.lister.list();
const right = objects.filter(({ metadata }) => wanted.get(metadata.name) === metadata.resourceVersion);
if (right.length !== wanted.size || objects.length !== wanted.size) {
  throw new Error(right.length + ' of ' + objects.length + ' objects are right instead of ' + wanted.size);
}
if (byApp.get('app-7').length !== 50) throw new Error('the index has ' + byApp.get('app-7').length);
const { lists, watches, relists, failures } = informer.stats();
await factory.stop();
await rest.close();
console.log(JSON.stringify({ firstMb, lastMb, seconds, told, errors, lists, watches, relists, failures }));
`;

/**
 * Measures an informer with handlers and an index: a million changes of 5,000 objects and one fault per
 * minute.
 */
export function benchDays({ node, project, rounds }) {
  const day = new URL('informer-day.mjs', import.meta.url).href;
  const [raw] = byTurns(rounds, [() => runProgram(node, project, program, { day })]);
  for (const [column, what, unit] of [
    ['firstMb', 'memory after an hour', 'MB'],
    ['lastMb', 'memory after a day', 'MB'],
    ['seconds', 'real time', 's'],
  ]) {
    const values = raw.map((one) => one[column]);
    console.log(line(`a day of watching, ${what}`, values, unit));
  }
  const [{ firstMb: _, lastMb: __, seconds: ___, ...counts }] = raw;
  console.log(`a day of watching: ${JSON.stringify(counts)}`);
  const ratios = raw.map(({ firstMb, lastMb }) => (100 * lastMb) / firstMb);
  const what = 'a day of watching: memory at its end, that after an hour being 100';
  return [{ what, value: median(ratios), best: Math.min(...ratios), unit: '%' }];
}
