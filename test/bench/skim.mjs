// JSON of pods of which some fields are selected: a pass over the bytes before the parse, against a parse of
// everything besides managedFields, and against JSON.parse of everything. Prints the processor time of each.
import { join } from 'node:path';
import { listedPod } from './list-pod.mjs';
import { line, median } from './measure.mjs';

const pods = 500;
const repetitions = 5;

const selections = {
  nothing: {},
  'images and resources': {
    metadata: { labels: true },
    spec: { nodeName: true, containers: { image: true, resources: true } },
    status: { phase: true },
  },
  containers: { spec: { containers: true } },
  spec: { spec: true },
  'all besides managedFields': { metadata: true, spec: true, status: true },
};

/** Returns the processor time of work for each object, in microseconds. */
function microseconds(objects, work) {
  const before = process.cpuUsage();
  for (const bytes of objects) work(bytes);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / objects.length;
}

/** Measures in this process, because the compared functions are not exported. */
export async function benchSkim({ root }) {
  const codec = (name) => import(join(root, 'src/runtime/dist/codec', name));
  const { JsonSkimmer } = await codec('projection/skim-json.js');
  const { Projection } = await codec('projection/projection.js');
  const { LeanReader } = await codec('lean-json.js');
  const { StringPool } = await codec('string-pool.js');
  const objects = Array.from({ length: pods }, (_, index) =>
    Buffer.from(JSON.stringify(listedPod(`web-${String(index).padStart(8, '0')}`))),
  );
  const lean = new LeanReader({ keepManagedFields: false, strings: new StringPool() });
  return Object.entries(selections).map(([name, select]) => {
    const { branch } = Projection.of(select);
    const skimmer = new JsonSkimmer(branch, false);
    const ways = {
      'a pass': (bytes) => skimmer.object(bytes, 0, bytes.length),
      'a pass and a parse': (bytes) => JSON.parse(skimmer.object(bytes, 0, bytes.length)),
      'a parse without managedFields': (bytes) => lean.readItem(bytes, 0, bytes.length),
      'a parse': (bytes) => JSON.parse(bytes.toString()),
    };
    const times = Object.fromEntries(
      Object.entries(ways).map(([way, work]) => {
        microseconds(objects, work);
        return [way, Array.from({ length: repetitions }, () => microseconds(objects, work))];
      }),
    );
    for (const [way, values] of Object.entries(times)) console.log(line(`${name}: ${way}`, values, 'µs'));
    const parsed = median(times['a parse without managedFields']);
    const value = median(times['a pass and a parse']) / parsed;
    return { what: `${name}: a pass and a parse over a parse without managedFields`, value, unit: '×' };
  });
}
