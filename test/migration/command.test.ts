/** `kgen migrate` on the server in memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESTClient } from '@kgen/runtime';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrateKinds } from '../../src/kgen/cli/commands/migrate/migrate-kinds.ts';
import { runIn } from '../../src/kgen/cli/console.fixture.ts';
import { definitionsPath, GadgetDefinition } from './gadgets.ts';

const folder = mkdtempSync(join(tmpdir(), 'kgen-migrate-'));
let server: TestServer;
let context: string;
beforeAll(async () => {
  server = await startTestServer();
  writeFileSync(join(folder, 'config'), server.kubeconfig);
  const rest = new RESTClient(server.config);
  for (const plural of ['gadgets', 'widgets']) {
    const definition = new GadgetDefinition(rest, plural);
    await rest.post(definitionsPath, { body: definition.body('v1alpha1', ['v1alpha1', 'v1']) });
    const path = `/apis/migration.example.com/v1alpha1/namespaces/default/${plural}`;
    await rest.post(path, { body: definition.object('v1alpha1', 'a', 1) });
    if (plural === 'gadgets') await definition.store('v1');
  }
  await rest.close();
  context = `context ${server.config.context ?? '.*'}: https://`;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

const run = (line: string) => runIn(folder, `migrate ${line}`);

it('prints the context, and counts the objects of a dry run', async () => {
  const { code, stdout, stderr } = await run('--all --dry-run --kubeconfig config');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [first, ...lines] = stdout.trim().split('\n');
  expect(first).toMatch(new RegExp(`^${context}`));
  expect(lines).toEqual([
    'gadgets.migration.example.com: 1 objects would be written as v1, and v1alpha1 removed from storedVersions',
  ]);
});

it.each([
  { line: '', message: /name kinds as GROUP\/KIND, or pass --all/ },
  { line: '--all a/B', message: /name kinds as GROUP\/KIND, or pass --all/ },
  { line: 'gadgets', message: /"gadgets" is not GROUP\/KIND/ },
  { line: '--all --rate 0', message: /integer of at least 1/ },
])('refuses the command line "$line"', async ({ line, message }) => {
  const { code, stderr } = await run(line);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

it('has exit status 1 for a kind that does not exist, and for a missing cluster', async () => {
  const unknown = await run('migration.example.com/Nothing --kubeconfig config');
  expect(unknown).toMatchObject({ code: 1, stdout: expect.stringMatching(new RegExp(`^${context}`)) });
  expect(unknown.stderr).toContain('no CustomResourceDefinition of "migration.example.com/Nothing"');
  const missing = await run('--all --kubeconfig none');
  expect(missing).toMatchObject({ code: 1, stdout: '' });
});

it('migrates a kind, whose name may be in lower case', async () => {
  const lines: string[] = [];
  const choice = { kinds: ['migration.example.com/gadgets'], dryRun: false, settleMs: 0 } as const;
  const kubeconfig = join(folder, 'config');
  for await (const { line } of migrateKinds({ ...choice, kubeconfig }, () => undefined)) lines.push(line);
  expect(lines.slice(1)).toEqual([
    'gadgets.migration.example.com: 1 objects written as v1, v1alpha1 removed from storedVersions',
  ]);
  const { stdout } = await run('--all --kubeconfig config');
  expect(stdout.trim().split('\n').slice(1)).toEqual(['all objects are stored in the storage version']);
});
