/** Versions and webhooks that commands add to a project: their files, the compiler and their tests. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';

const run = promisify(execFile);
let cwd = '';

const node = async (path: string, ...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, [join(repository, path), ...args], { cwd })).stdout;
const kgen = (line: string): Promise<string> =>
  node('src/kgen/bin/kgen.js', ...line.split(' ').filter((word) => word !== ''));
const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-project-'));
  symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
  await kgen('init my-operator --domain example.com');
  await kgen('create api --group shop --version v1alpha1 --kind Cart');
  const operator = read('src/operator.ts');
  writeFileSync(join(cwd, 'src/operator.ts'), operator.replace('port: 8443', 'port: 9090'));
  await kgen('create api --group shop --version v1beta1 --kind Cart');
  await kgen('create webhook --group shop --version v1alpha1 --kind Cart --validates');
  await kgen('create webhook --group core --version v1 --kind Pod');
}, 120_000);
afterAll(() => rmSync(cwd, { recursive: true }));

test('a further version and webhooks have the texts of the golden file, and keep edits of the author', async () => {
  const paths = ['api/cart.ts', 'src/operator.ts', 'src/webhooks/cart.ts', 'src/webhooks/pod.ts'];
  const tests = ['test/cart.webhooks.test.ts', 'test/pod.webhooks.test.ts'];
  const texts = [...paths, ...tests].map((path) => `=== ${path}\n${read(path)}`);
  await expect(texts.join('\n')).toMatchFileSnapshot('./webhooks.golden.txt');
  expect(read('src/operator.ts')).toContain('port: 9090');
});

test('a further version and webhooks are written to the manifests, compile, and pass their tests', {
  timeout: 240_000,
}, async () => {
  await kgen('');
  expect(read('config/crd/shop.example.com_carts.yaml')).toContain('strategy: Webhook');
  expect(read('config/webhook/validating.yaml')).toContain('carts');
  expect(read('config/webhook/mutating.yaml')).toContain('pods');
  expect(await node('node_modules/typescript/bin/tsc', '--noEmit')).toBe('');
  const files = ['test/cart.test.ts', 'test/cart.webhooks.test.ts', 'test/pod.webhooks.test.ts'];
  await node('node_modules/vitest/vitest.mjs', 'run', ...files);
});
