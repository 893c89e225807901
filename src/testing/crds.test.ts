import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadDefinitions } from './crds.ts';
import { startTestServer } from './testserver.ts';

const corpus = process.env['KGEN_CORPUS'];
if (corpus === undefined) console.log('definitions of other projects: skipped, KGEN_CORPUS is not set');

const definition = (name: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${name} }
`;

test('finds definitions in many documents and lists, and skips the rest', async () => {
  const yaml = [
    definition('a'),
    '# nothing but a comment',
    'kind: ConfigMap',
    `kind: List\nitems: [{ kind: Secret }, { apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: { name: b } }]`,
  ].join('\n---\n');
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'c' },
  };
  const found = await loadDefinitions([{ yaml }, object]);
  expect(found.map((crd) => crd['metadata'])).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
});

test.skipIf(corpus === undefined)(
  'serves the definitions of real projects',
  { timeout: 120_000 },
  async () => {
    const names = readdirSync(`${corpus}/crds`, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => name.endsWith('.yaml')).map((name) => `${corpus}/crds/${name}`);
    const definitions = await loadDefinitions(files);
    expect(definitions.length).toBeGreaterThan(0);
    const server = await startTestServer({ crds: files });
    await server.stop();
  },
);
