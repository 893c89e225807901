// Small requests over HTTPS: kgen's client against a plain undici Pool, client-node and the client of
// Pepr.
import { join } from 'node:path';
import { fluentFolder } from './client-node.mjs';
import { line, median } from './measure.mjs';
import * as programs from './rest-programs.mjs';
import { byTurns, restClient, runProgram, startKubernetes, startServer } from './servers.mjs';

const pod = { namespace: 'shop', name: 'web', path: '/api/v1/namespaces/shop/pods/web' };

/** Returns the median of the ratios within a round. */
function ratio(raw, base) {
  return median(raw.map((value, round) => value / base[round]));
}

/** Requests by the names that the programs print. */
const kinds = { c1: 'GET', c50: 'GET, 50 at a time', p1: 'PATCH', p50: 'PATCH, 50 at a time' };

function compare({ title, raw, names }) {
  const results = [];
  for (const [kind, text] of Object.entries(kinds)) {
    const of = raw.map((runs) => runs.flatMap((one) => one[kind] ?? []));
    for (const [index, runs] of of.entries()) {
      if (runs.length === 0) continue;
      const column = (member) => runs.map((one) => one[member]);
      console.log(line(`${title}, ${text}, ${names[index]}`, column('perSecond'), 'requests/s'));
      console.log(line(`${title}, ${text}, ${names[index]}`, column('micros'), 'µs of processor time'));
    }
    const compared = (index, member) =>
      ratio(
        of[1].map((one) => one[member]),
        of[index].map((one) => one[member]),
      );
    for (const [index, runs] of of.entries()) {
      if (index === 1 || runs.length === 0 || text.startsWith('PATCH')) continue;
      const what = `${title}, ${text}: rate of kgen over ${names[index]}`;
      results.push({ what, value: compared(index, 'perSecond'), unit: '×' });
    }
    const what = `${title}, ${text}: processor time of kgen over ${names[0]}`;
    results.push({ what, value: compared(0, 'micros'), unit: '×' });
  }
  return results;
}

/** Runs against a server with a constant response. */
export async function benchRest({ node, root, folder, rounds, project, clientNode }) {
  const { child, ...settings } = await startServer({ node, root, folder, program: 'rest-server.mjs' });
  try {
    const common = { ...settings, ...pod, single: 20_000, many: 20_000 };
    const slow = { ...common, single: 300, many: 600 };
    const peers = peerPrograms({ folder, clientNode, common, slow });
    const raw = byTurns(rounds, [
      () => runProgram(node, project, programs.bare, common),
      () => runProgram(node, project, programs.ours, common),
      ...peers.map((peer) => () => runProgram(node, ...peer.run)),
    ]);
    const names = ['bare undici', 'kgen', ...peers.map(({ name }) => name)];
    const results = compare({ title: 'small', raw, names });
    const { connections } = runProgram(node, project, programs.connections, common);
    const leaks = runProgram(node, project, programs.leaks, common);
    console.log(`24,000 requests: ${JSON.stringify(leaks)}`);
    return [
      ...results,
      { what: 'connections of 20,000 requests, 50 at a time', value: connections, unit: '' },
      { what: 'heap that 24,000 requests leave', value: leaks.growthMb, unit: 'MB' },
      { what: 'handles that they leave', value: leaks.before === leaks.after ? 0 : 1, unit: '' },
    ];
  } finally {
    child.kill();
  }
}

/** Returns the peers that are installed; `run` has the folder, the program and its settings. */
function peerPrograms({ folder, clientNode, common, slow }) {
  const peers = [];
  if (clientNode !== undefined) {
    const name = 'client-node with one agent';
    peers.push({ name, run: [clientNode, programs.clientNode, { ...common, shared: true }] });
    peers.push({ name: 'client-node', run: [clientNode, programs.clientNode, slow] });
  }
  const fluent = fluentFolder();
  if (fluent !== undefined) {
    const settings = { ...slow, kubeconfig: join(folder, 'fluent.kubeconfig') };
    peers.push({ name: 'kubernetes-fluent-client', run: [fluent, programs.fluent, settings] });
  }
  return peers;
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
    // As many requests that code which is compiled once does not count.
    const common = { ...settings, single: 8000, many: 12_000 };
    const raw = byTurns(rounds, [
      () => runProgram(node, project, programs.bare, common),
      () => runProgram(node, project, programs.ours, common),
    ]);
    return compare({ title: 'real server', raw, names: ['bare undici', 'kgen'] });
  } finally {
    await plane.stop();
  }
}
