// Servers for programs that measure clients, and the programs themselves, each in a separate process.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs a program in a fresh process, with its settings as JSON in $SETTINGS, and returns its output, parsed
 * as JSON.
 */
export function runProgram(node, cwd, program, settings) {
  const args = ['--expose-gc', '--input-type=module', '-e', program];
  const env = { ...process.env, SETTINGS: JSON.stringify(settings) };
  const { status, stdout, stderr } = spawnSync(node, args, { cwd, env, encoding: 'utf8', timeout: 300_000 });
  if (status !== 0) throw new Error(`a program of the bench ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}

/**
 * Runs measurements in turns, so that changes in the machine's load affect all of them, and returns their
 * results.
 */
export function byTurns(rounds, measurements) {
  const raw = measurements.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, measure] of measurements.entries()) raw[index].push(measure());
  }
  return raw;
}

/** Starts a program that serves HTTPS and prints its port. Its argument is the folder of the certificate. */
export async function startServer({ node, root, folder, program }) {
  const certificates = mkdtempSync(join(folder, 'tls-'));
  const testing = join(root, 'src/certificates/dist/authority.js');
  const authority = (await import(testing)).createAuthority();
  const { cert, key } = authority.issueServer('localhost', { names: [], addresses: ['127.0.0.1'] });
  writeFileSync(join(certificates, 'cert.pem'), cert);
  writeFileSync(join(certificates, 'key.pem'), key);
  const child = spawn(node, [join(root, 'test/bench', program), certificates], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { child, server: `https://127.0.0.1:${String(port).trim()}`, ca: authority.cert };
}

/** Starts kube-apiserver; prints a line and returns undefined if it is not available. */
export async function startKubernetes(root) {
  const testing = await import(join(root, 'src/testing/dist/index.js'));
  if (testing.controlPlaneAvailability().available) return testing.startControlPlane();
  console.log('without kube-apiserver: it is not available');
  return undefined;
}

/** Creates a client of a configuration from the built packages. */
export async function restClient(root, config) {
  const { RESTClient } = await import(join(root, 'src/runtime/dist/exports/index.js'));
  return new RESTClient(config);
}
