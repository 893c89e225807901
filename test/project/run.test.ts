/** `kgen run` of a new project, against a cluster in memory. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kubeconfigOf, startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { type Command, command } from './command.ts';

const program = join(repository, 'src/kgen/bin/kgen.js');
let cwd = '';
let server: TestServer;

const words = (line: string): readonly string[] => [program, ...line.split(' ').filter(Boolean)];
const kgen = async (line: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, words(line), { cwd })).stdout;
const start = (line: string): Command => command(words(line), cwd);

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-project-'));
  symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
  await kgen('init my-operator --domain example.com');
  await kgen('create api --group shop --version v1alpha1 --kind Cart');
  const file = join(cwd, 'src/operator.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/port: 808\d/g, 'port: 0'));
  await kgen('');
  server = await startTestServer({ controllers: true, nodes: ['n1'] });
  writeFileSync(join(cwd, 'kubeconfig'), kubeconfigOf(server.admin));
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(cwd, { recursive: true });
});

test('names the command that installs definitions', { timeout: 60_000 }, async () => {
  const { end } = start('run --kubeconfig kubeconfig');
  expect(await end).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not serve carts.shop.example.com: run kgen install first'),
  });
});

test('runs the operator until a signal, and returns its status', { timeout: 60_000 }, async () => {
  await kgen('install --kubeconfig kubeconfig');
  const { end, line, child } = start('run --kubeconfig kubeconfig');
  expect(await line('context')).toContain('context test: http');
  await line('leads');
  child.kill('SIGINT');
  expect(await end).toMatchObject({ code: 0 });
});

test('refuses to run beside the deployed operator', { timeout: 60_000 }, async () => {
  await kgen('deploy --kubeconfig kubeconfig');
  const { end } = start('run --kubeconfig kubeconfig');
  expect(await end).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('kgen undeploy removes it'),
  });
});
