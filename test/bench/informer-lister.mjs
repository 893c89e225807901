// Reads from a cache of 50,000 pods: by name, and by an index whose values have 100 pods each.
import { prepare } from './informer-programs.mjs';
import { line, median } from './measure.mjs';
import { byTurns, runProgram, startServer } from './servers.mjs';

const count = 50_000;

const program = `
import { byLabel } from '@kgen/runtime';
import { Clientset, InformerFactory } from '@kgen/kubernetes';
const { server, ca, prefix, count } = JSON.parse(process.env.SETTINGS);
const clientset = new Clientset({ server: server + prefix, tls: { ca } });
const factory = new InformerFactory(clientset);
const informer = factory.coreV1.pods();
const byApp = informer.addIndex('app', byLabel('app'));
await factory.start();
await factory.waitForSync();
await factory.stop();
const { lister } = informer;
/** Keys in new strings, as from a queue. */
const keys = JSON.parse(
  JSON.stringify(lister.list().map(({ metadata: { namespace, name } }) => ({ namespace, name }))),
);
const apps = byApp.values();
const selectors = apps.map((app) => 'app=' + app);
/** Repeats all \`inputs\` for a second after a warm-up; every result is counted. */
function perSecond(inputs, read, wanted) {
  let calls = 0;
  let started = performance.now();
  for (let warm = true; ; ) {
    let found = 0;
    for (const input of inputs) found += read(input);
    if (found !== inputs.length * wanted) throw new Error(found + ' objects were found');
    calls += inputs.length;
    const ms = performance.now() - started;
    if (ms < 1000) continue;
    if (!warm) return (calls / ms) * 1000;
    warm = false;
    calls = 0;
    started = performance.now();
  }
}
const measured = {
  get: perSecond(keys, ({ namespace, name }) => (lister.get(namespace, name) === undefined ? 0 : 1), 1),
  index: perSecond(apps, (app) => byApp.get(app).length, count / apps.length),
  list: perSecond(selectors, (labelSelector) => lister.list({ labelSelector }).length, count / apps.length),
};
console.log(JSON.stringify(measured));
await clientset.close();
`;

/** Measures reads, which send no request. */
export async function benchLister(bench) {
  const { node, project, rounds } = bench;
  const { child, server, ca } = await startServer({ ...bench, program: 'informer-server.mjs' });
  try {
    const settings = { server, ca, count, prefix: `/stream/${count}` };
    runProgram(node, project, prepare, { ...settings, prefix: `/prepare/${count}` });
    const [raw] = byTurns(rounds, [() => runProgram(node, project, program, settings)]);
    const rows = [
      ['get', 'lister.get of 50,000 pods'],
      ['index', 'addIndex(…).get, 100 of 50,000 pods'],
      ['list', 'lister.list by an indexed label, 100 of 50,000 pods'],
    ];
    return rows.map(([column, what]) => {
      const values = raw.map((one) => one[column]);
      console.log(line(what, values, 'a second'));
      return { what, value: median(values), unit: 'a second' };
    });
  } finally {
    child.kill();
  }
}
