// Resources that 100 informers on one client hold open: connections counted by the server, timers and handles
// of the process.
import { runProgram, startServer } from './servers.mjs';

const informers = 100;

const program = `
import { Clientset, InformerFactory } from '@kgen/kubernetes';
const { server, ca, prefix, informers, streaming } = JSON.parse(process.env.SETTINGS);
const settled = () => new Promise((resolve) => setTimeout(resolve, 200));
const clientset = new Clientset({ server, tls: { ca } });
const count = async () => (await clientset.rest.get('/connections')).connections;
await count();
await settled();
const before = process.getActiveResourcesInfo();
const followed = new Clientset({ server: server + prefix, tls: { ca } });
const factory = new InformerFactory(followed, { streaming });
for (let index = 0; index < informers; index += 1) {
  factory.coreV1.pods({ labelSelector: { app: 'shop-app-' + index } }).handle({});
}
await factory.start();
await factory.waitForSync();
await settled();
const connections = await count();
const open = {};
for (const name of process.getActiveResourcesInfo()) open[name] = (open[name] ?? 0) + 1;
for (const name of before) open[name] -= 1;
await factory.stop();
await followed.close();
await clientset.close();
await settled();
console.log(JSON.stringify({ connections, open, left: process.getActiveResourcesInfo() }));
`;

/** Prints the counts without a limit: each watch occupies a connection of its own. */
export async function benchConnections(bench) {
  const { node, project } = bench;
  const results = [];
  const { child, server, ca } = await startServer({ ...bench, program: 'informer-server.mjs' });
  try {
    for (const streaming of [true, false]) {
      const mode = streaming ? 'stream' : 'list';
      const settings = { server, ca, prefix: `/${mode}/10`, informers, streaming };
      const { connections, open, left } = runProgram(node, project, program, settings);
      const what = `${informers} informers, ${streaming ? 'streamed' : 'listed'}`;
      console.log(
        `${what}: ${connections} connections; ${JSON.stringify(open)}; afterwards ${JSON.stringify(left)}`,
      );
      results.push({ what: `${what}: connections`, value: connections, unit: '' });
      results.push({ what: `${what}: timers`, value: open.Timeout ?? 0, unit: '' });
    }
  } finally {
    child.kill();
  }
  return results;
}
