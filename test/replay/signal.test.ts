/** A process that writes a recording for a signal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESTClient, resource } from '@kgen/runtime';
import { replay } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { expect, it, onTestFinished } from 'vitest';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';
import { bundleSources } from '../support/source-bundle.ts';
import { generationOperator } from './recording-program.ts';

it('a process writes a recording for SIGUSR2, continues, and the recording is repeated', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-signal-'));
  const directory = join(folder, 'recordings');
  mkdirSync(directory);
  const bundle = await bundleSources({ program: 'test/replay/recording-program.ts' });
  const server = await startTestServer({ crds: ['crds/myapp.yaml'] });
  const rest = new RESTClient(server.config);
  const { NODE_OPTIONS: _, ...env } = process.env;
  const program = join(bundle.folder, 'program.js');
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 });
  const child = spawn(process.execPath, [program, kubeconfig, directory], { env });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    await rest.close();
    await server.stop();
    await bundle.remove();
    rmSync(folder, { recursive: true });
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  const apps = resource(rest, myApps).in('default');
  const wait = { timeout: 60_000 };
  const observed = async (name: string) => (await apps.get(name)).status?.observedGeneration;
  await apps.create({ metadata: { name: 'web' }, spec: { appName: 'shop', version: '1.0' } });
  await expect.poll(() => observed('web'), wait).toBe(1);
  child.kill('SIGUSR2');
  await expect.poll(() => output, wait).toContain('recording written to ');
  const [file = ''] = readdirSync(directory);
  expect(output).toContain(`recording written to ${join(directory, file)}`);
  expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  const [header = ''] = readFileSync(join(directory, file), 'utf8').split('\n');
  expect(JSON.parse(header)).toMatchObject({ type: 'kgen recording', reason: 'signal' });
  // The process continues.
  await apps.create({ metadata: { name: 'cart' }, spec: { appName: 'shop', version: '1.0' } });
  await expect.poll(() => observed('cart'), wait).toBe(1);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  const report = await replay(join(directory, file), generationOperator);
  expect(report.text).toContain('all as recorded');
  expect(report.requests).toBeGreaterThan(0);
});
