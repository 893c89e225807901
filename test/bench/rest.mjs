// Small requests over HTTPS: kgen's client against a bare undici Pool and against client-node.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { line, median } from './measure.mjs';
import * as programs from './rest-programs.mjs';

/** Runs a program in a fresh process and gives what it printed. */
function run(node, cwd, program, settings) {
  const args = ['--expose-gc', '--input-type=module', '-e', program];
  const env = { ...process.env, SETTINGS: JSON.stringify(settings) };
  const { status, stdout, stderr } = spawnSync(node, args, { cwd, env, encoding: 'utf8', timeout: 300_000 });
  if (status !== 0) throw new Error(`a program of the bench ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}

async function fixedServer({ node, root, folder }) {
  const certificates = mkdtempSync(join(folder, 'tls-'));
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  writeFileSync(join(certificates, 'cert.pem'), cert);
  writeFileSync(join(certificates, 'key.pem'), key);
  const child = spawn(node, [join(root, 'test/bench/rest-server.mjs'), certificates], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { child, settings: { server: `https://127.0.0.1:${String(port).trim()}`, ca: cert } };
}

const pod = { namespace: 'shop', name: 'web', path: '/api/v1/namespaces/shop/pods/web' };

/** The programs by turns, each in a fresh process, so that a change of the machine's mood hits all of them. */
function alternating(rounds, cases) {
  const raw = cases.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, measure] of cases.entries()) raw[index].push(measure());
  }
  return raw;
}

/** The median of the ratios of what ran in one round. */
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

/** Against a server that always gives the same answer. */
export async function benchRest({ node, root, folder, rounds, project, clientNode }) {
  const { child, settings } = await fixedServer({ node, root, folder });
  try {
    const common = { ...settings, ...pod, single: 6000, many: 20_000 };
    const slow = { ...common, single: 300, many: 600 };
    const names = ['bare undici', 'kgen', 'client-node with one agent', 'client-node'];
    const raw = alternating(rounds, [
      () => run(node, project, programs.bare, common),
      () => run(node, project, programs.ours, common),
      ...(clientNode === undefined
        ? []
        : [
            () => run(node, clientNode, programs.clientNode, { ...common, shared: true }),
            () => run(node, clientNode, programs.clientNode, slow),
          ]),
    ]);
    const least = { c1: [0.9, undefined, 2, 14], c50: [0.9, undefined, 2.4, 20] };
    const results = compare({ title: 'small GET', raw, names: names.slice(0, raw.length), least });
    const { connections } = run(node, project, programs.connections, common);
    const leaks = run(node, project, programs.leaks, common);
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

/** Against kube-apiserver; nothing where there is none. */
export async function benchRestReal({ node, root, rounds, project }) {
  const { startControlPlane, controlPlaneAvailability } = await import(
    join(root, 'src/testing/dist/index.js')
  );
  const { RESTClient } = await import(join(root, 'src/runtime/dist/index.js'));
  if (!controlPlaneAvailability().available) {
    console.log('without kube-apiserver: there is none to start');
    return [];
  }
  const plane = await startControlPlane({});
  try {
    const { server, tls, auth } = plane.config;
    const rest = new RESTClient(plane.config);
    await rest.post('/api/v1/namespaces/default/pods', {
      body: { metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'web' }] } },
    });
    await rest.close();
    const path = '/api/v1/namespaces/default/pods/web';
    const settings = { ...tls, server, token: auth?.token, path, namespace: 'default', name: 'web' };
    const common = { ...settings, single: 1500, many: 4000 };
    const raw = alternating(rounds, [
      () => run(node, project, programs.bare, common),
      () => run(node, project, programs.ours, common),
    ]);
    const least = { c1: [0.95], c50: [0.95] };
    return compare({ title: 'real server', raw, names: ['bare undici', 'kgen'], least });
  } finally {
    await plane.stop();
  }
}
