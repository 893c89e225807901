/** Contract tests that `node:test` runs in a process of its own, with the packages as they are built. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';

function run(definition: string): { readonly status: number | null; readonly stdout: string } {
  const code = `
    import { readFileSync } from 'node:fs';
    import { contractTests } from '@kgen/testing';
    import { startTestServer } from '@kgen/testserver';
    import { load } from 'js-yaml';
    import { defineResource } from '@kgen/runtime/client';
    const definition = load(readFileSync('crds/foo.yaml', 'utf8'));
    const { group, names, scope, versions: [{ name: version, schema }] } = definition.spec;
    const root = structuredClone(schema.openAPIV3Schema);
    ${definition}
    const server = await startTestServer({ crds: [definition] });
    const resource = defineResource({
      group, version, kind: names.kind, singular: names.singular, plural: names.plural, scope, verbs: ['create', 'get'],
      schema: async () => ({ definitions: { it: root }, kinds: { [names.kind]: 'it' }, imports: {} }),
    });
    await contractTests([resource], server.config);
    (await import('node:test')).after(() => server.stop());
  `;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--test-reporter=tap', '--input-type=module', '--eval', code],
    { cwd: repository, encoding: 'utf8' },
  );
  return { status, stdout: stdout + stderr };
}

test('contract tests pass with node:test', () => {
  const { status, stdout } = run('');
  expect(stdout).toContain('ok 3 - accepts samples in dry runs');
  expect(status, stdout).toBe(0);
});

test('contract tests fail with node:test if the cluster differs', () => {
  const { status, stdout } = run('delete schema.openAPIV3Schema.properties.spec.properties.replicas;');
  expect(stdout).toContain('spec.replicas: the field does not exist (field-missing)');
  expect(status).toBe(1);
});
