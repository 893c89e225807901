/** `kgen --check` depends neither on unused parts of a definition, nor on the rights of its user. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESTClient } from '@kgen/runtime';
import { kubeconfigOf, startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runIn } from '../../src/kgen/cli/console.fixture.ts';

const group = 'rights.contracts.example.com';
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const cache = process.env['XDG_CACHE_HOME'];
let folder: string;
let server: TestServer;
let rest: RESTClient;

beforeAll(async () => {
  server = await startTestServer({ controllers: false });
  rest = new RESTClient(server.config);
  await rest.post(path, { body: definition });
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kgen-rights-'));
  process.env['XDG_CACHE_HOME'] = join(folder, 'cache');
  writeFileSync(join(folder, 'admin'), kubeconfigOf(server.config));
  writeFileSync(join(folder, 'reader'), kubeconfigOf(server.as({ user: 'reader' })));
  await change({ spec: definition.spec });
  return () => rmSync(folder, { recursive: true });
});
afterAll(async () => {
  if (cache === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = cache;
  await rest.close();
  await server.stop();
});

const text = { type: 'string' };
const version = (name: string, more: object, properties: object = {}) => ({
  name,
  served: true,
  storage: name === 'v2',
  subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
  ...more,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      description: 'A gadget.',
      properties: {
        apiVersion: { ...text, description: 'Own words.' },
        kind: { ...text, description: 'Own words.', enum: ['Gadget'] },
        metadata: { type: 'object', properties: { name: { ...text, maxLength: 20 } } },
        spec: {
          type: 'object',
          properties: {
            zone: {
              ...text,
              default: 'b',
              title: 'Zone',
              example: 'a',
              externalDocs: { url: 'https://example.com' },
            },
            size: { minimum: 1, type: 'integer' },
            rule: { type: 'object', default: { b: 1, a: 2 }, additionalProperties: { type: 'integer' } },
            area: { ...text, nullable: true },
            template: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              properties: { kind: { ...text, enum: ['Pod'] }, metadata: { type: 'object' }, data: text },
            },
            ...properties,
          },
        },
        status: { type: 'object', properties: { size: { type: 'integer' } } },
      },
    },
  },
});
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `gadgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Gadget', plural: 'gadgets', listKind: 'GadgetCollection', shortNames: ['gg'] },
    versions: [
      version('v1', { deprecated: true, deprecationWarning: 'use v2' }),
      version('v2', { additionalPrinterColumns: [{ name: 'Zone', type: 'string', jsonPath: '.spec.zone' }] }),
    ],
  },
};

function change(body: object): Promise<unknown> {
  return rest.patch(`${path}/gadgets.${group}`, { body, contentType: 'application/merge-patch+json' });
}

function kgen(user: string, options = ''): ReturnType<typeof runIn> {
  return runIn(folder, `--from-cluster --kubeconfig ${user} --include ${group} --out generated ${options}`);
}

function generated(file: string): string {
  return readFileSync(join(folder, 'generated', group, file), 'utf8');
}

test.each([
  ['admin', 'reader'],
  ['reader', 'admin'],
  ['admin', 'admin'],
  ['reader', 'reader'],
])('the output of %s passes the check of %s', async (first, second) => {
  expect(await kgen(first)).toMatchObject({ code: 0 });
  const { code, stdout } = await kgen(second, '--check');
  expect(stdout).not.toContain('not up to date');
  expect(code).toBe(0);
});

test('the output of a user without rights keeps the facts that only definitions have', async () => {
  await kgen('admin');
  const before = [generated('v1/index.ts'), generated('v2/index.ts')];
  expect(before).toEqual([expect.stringContaining('@deprecated use v2'), expect.stringContaining('`Zone`')]);
  const { stdout, stderr } = await kgen('reader', '--no-listers');
  expect(stdout + stderr).toContain(`definitions cannot be read: gadgets.${group}`);
  await kgen('reader');
  expect([generated('v1/index.ts'), generated('v2/index.ts')]).toEqual(before);
});

test('a user with rights adds the facts of definitions, and a check reports a new deprecation', async () => {
  await kgen('reader');
  expect(generated('v1/index.ts')).not.toContain('@deprecated');
  await kgen('admin');
  expect(generated('v1/index.ts')).toContain('@deprecated use v2');
  const [v1, v2] = definition.spec.versions;
  await change({ spec: { versions: [v1, { ...v2, deprecated: true }] } });
  expect(await kgen('admin', '--check')).toMatchObject({ code: 1 });
});

test('files depend neither on a conversion webhook, nor on another version, nor on their source', async () => {
  await kgen('admin');
  const clientConfig = { url: 'https://hooks.example.com', caBundle: 'Zm9v' };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  await change({ spec: { conversion } });
  expect(await kgen('admin', '--check')).toMatchObject({ code: 0 });
  const [v1] = definition.spec.versions;
  await change({ spec: { versions: [v1, version('v2', {}, { extra: text })] } });
  const { stdout } = await kgen('admin', '--dry-run');
  expect(stdout).toContain(`${group}/v2/types.ts`);
  expect(stdout).not.toContain('v1/types.ts');
  await change({
    spec: { versions: definition.spec.versions, conversion: { strategy: 'None', webhook: null } },
  });
  writeFileSync(join(folder, 'any-name.json'), JSON.stringify(definition));
  expect(await runIn(folder, 'any-name.json --out generated --check')).toMatchObject({ code: 0 });
});
