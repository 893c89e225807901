// Small requests over HTTPS: kgen's client against a plain undici Pool and against client-node.
import { line, median } from './measure.mjs';
import * as programs from './rest-programs.mjs';
import { byTurns, restClient, runProgram, startKubernetes, startServer } from './servers.mjs';

const pod = { namespace: 'shop', name: 'web', path: '/api/v1/namespaces/shop/pods/web' };

/** Returns the median of the ratios within a round. */
function ratio(raw, base) {
  return median(raw.map((value, round) => value / base[round]));
}

function compare({ title, raw, names, least }) {
  const results = [];
  for (const concurrency of ['c1', 'c50']) {
    const rates = raw.map((runs) => runs.map((one) => one[concurrency]));
    if (rates[0][0] === 0) continue;
    for (const [index, name] of names.entries()) {
      console.log(line(`${title}, ${concurrency}, ${name}`, rates[index], 'requests/s'));
    }
    for (const [index, name] of names.entries()) {
      const limit = least[concurrency][index];
      if (limit === undefined) continue;
      const value = ratio(rates[1], rates[index]);
      results.push({ what: `${title}, ${concurrency}: kgen over ${name}`, value, least: limit, unit: '×' });
    }
  }
  return results;
}

/** Runs against a server with a constant response. */
export async function benchRest({ node, root, folder, rounds, project, clientNode }) {
  const { child, ...settings } = await startServer({ node, root, folder, program: 'rest-server.mjs' });
  try {
    const common = { ...settings, ...pod, single: 20_000, many: 20_000 };
    const slow = { ...common, single: 300, many: 600 };
    const names = ['bare undici', 'kgen', 'client-node with one agent', 'client-node'];
    const raw = byTurns(rounds, [
      () => runProgram(node, project, programs.bare, common),
      () => runProgram(node, project, programs.ours, common),
      ...(clientNode === undefined
        ? []
        : [
            () => runProgram(node, clientNode, programs.clientNode, { ...common, shared: true }),
            () => runProgram(node, clientNode, programs.clientNode, slow),
          ]),
    ]);
    const least = { c1: [0.9, undefined, 2, 14], c50: [0.9, undefined, 2.4, 20] };
    const results = compare({ title: 'small GET', raw, names: names.slice(0, raw.length), least });
    const { connections } = runProgram(node, project, programs.connections, common);
    const leaks = runProgram(node, project, programs.leaks, common);
    console.log(`24,000 requests: ${JSON.stringify(leaks)}`);
    return [
      ...results,
      { what: 'connections of 20,000 requests, 50 at a time', value: connections, limit: 50, unit: '' },
      { what: 'heap that 24,000 requests leave', value: leaks.growthMb, limit: 1, unit: 'MB' },
      { what: 'handles that they leave', value: leaks.before === leaks.after ? 0 : 1, limit: 0, unit: '' },
    ];
  } finally {
    child.kill();
  }
}

/** Runs against kube-apiserver; returns nothing if it is not available. */
export async function benchRestReal({ node, root, rounds, project }) {
  const plane = await startKubernetes(root);
  if (plane === undefined) return [];
  try {
    const { server, tls, auth } = plane.config;
    const rest = await restClient(root, plane.config);
    await rest.post('/api/v1/namespaces/default/pods', {
      body: { metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'web' }] } },
    });
    await rest.close();
    const path = '/api/v1/namespaces/default/pods/web';
    const settings = { ...tls, server, token: auth?.token, path, namespace: 'default', name: 'web' };
    const common = { ...settings, single: 1500, many: 4000 };
    const raw = byTurns(rounds, [
      () => runProgram(node, project, programs.bare, common),
      () => runProgram(node, project, programs.ours, common),
    ]);
    const least = { c1: [0.95], c50: [0.95] };
    return compare({ title: 'real server', raw, names: ['bare undici', 'kgen'], least });
  } finally {
    await plane.stop();
  }
}
