/** Runs of the programs of this folder. */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Clientset } from '@kgen/kubernetes';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { expect } from 'vitest';
import { repository } from '../support/emitted.ts';

/** Packages of this repository that the programs need. */
export const packages: readonly string[] = [
  'src/certificates',
  'src/runtime',
  'src/controller',
  'generated/kubernetes',
];
/** Packages of others that the programs need. */
export const dependencies: readonly string[] = [
  'undici',
  'prom-client',
  '@opentelemetry/api',
  'tdigest',
  'bintrees',
];

/** Path of Node.js 24. */
export const node24: string = execFileSync(process.execPath, [join(repository, 'scripts/node24.mjs')], {
  encoding: 'utf8',
}).trim();

/** Paths of this Node.js, of Node.js 24, and of each other version in `PATH`, by their versions. */
export const nodes: ReadonlyMap<string, string> = new Map(
  [...pathNodes(), node24, process.execPath].map((path) => [
    execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(),
    path,
  ]),
);

function pathNodes(): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => {
    try {
      return readdirSync(folder).includes('node') ? [join(folder, 'node')] : [];
    } catch {
      return [];
    }
  });
}

/** Starts a server with a Pod in the namespace `shop`. */
export async function startShop(): Promise<TestServer> {
  const server = await startTestServer({ namespaces: ['shop'] });
  const clientset = new Clientset(server.config);
  const spec = { containers: [{ name: 'main', image: 'web' }] };
  await clientset.coreV1.pods('shop').create({ metadata: { name: 'web-0' }, spec });
  await clientset.close();
  return server;
}

/** Executable and arguments of a program. */
export type Command = readonly [string, ...string[]];

/** Expects that a program lists the Pod. The folder contains `kubeconfig.yaml`. */
export async function expectPods(folder: string, command: Command): Promise<void> {
  const { ended, output } = start(folder, command);
  expect(await ended, await output).toBe(0);
  expect(await output).toBe('web-0\n');
}

/** Expects that an operator leads, by a worker thread, reconciles a new object, and ends. */
export async function expectOperator(
  server: TestServer,
  folder: string,
  command: Command,
  name: string,
): Promise<void> {
  const clientset = new Clientset(server.config);
  const configMaps = clientset.coreV1.configMaps('shop');
  await configMaps.create({ metadata: { name } });
  const operator = start(folder, command);
  const early = operator.ended.then(async () => Promise.reject(new Error(await operator.output)));
  const labelled = configMaps.waitFor(name, (object) => object?.metadata.labels?.['seen'] === 'true');
  await Promise.race([labelled, early]);
  early.catch(() => undefined);
  operator.child.kill('SIGTERM');
  expect(await operator.ended, await operator.output).toBe(0);
  expect(await operator.output).toContain('a worker thread has started');
  expect(await operator.output).not.toMatch(/Warning|"level":"?(warn|error|40|50)/);
  await clientset.close();
}

function start(cwd: string, [command, ...args]: Command) {
  const child = spawn(command, args, { cwd, env: { KUBECONFIG: 'kubeconfig.yaml' } });
  const output = Promise.all([text(child.stdout), text(child.stderr)]).then((both) => both.join(''));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output, ended };
}
