import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFiles as findCommandFiles } from '../../kgen/input/sources/files.ts';
import { findFiles as findManifestFiles } from '../../runtime/manifests/files/find-files.ts';
import { findFiles } from './crd-files.ts';
import { loadDefinitions } from './crds.ts';
import { startTestServer } from './testserver.ts';

const corpus = process.env['KGEN_CORPUS'];
if (corpus === undefined) console.log('definitions of other projects: skipped, KGEN_CORPUS is not set');

const definition = (name: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${name} }
`;

test('reads definitions from several documents and lists, and skips other objects', async () => {
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
  expect(found.map(({ value }) => value['metadata'])).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
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

const crd = (name: string): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
  });

function folderOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'kgen-crds-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

const tree = {
  'b.yaml': crd('b'),
  'a/a.yml': crd('a'),
  'a/other.yaml': 'kind: Secret',
  'c.JSON': crd('c'),
  'notes.txt': 'not: [read',
  'kgen.lock.json': '{}',
  'kgen.config.yaml': 'not: [read',
  '.hidden/h.yaml': crd('h'),
  '.h.yaml': crd('h'),
  'node_modules/n.yaml': crd('n'),
};

test.each([
  ['a folder', '', ['a/a.yml', 'a/other.yaml', 'b.yaml', 'c.JSON']],
  ['a folder below', 'a', ['a/a.yml', 'a/other.yaml']],
  ['a file', 'b.yaml', ['b.yaml']],
  ['a pattern', '*.yaml', ['b.yaml']],
  ['a pattern over folders', '**/*.y*ml', ['a/a.yml', 'a/other.yaml', 'b.yaml']],
  ['braces', '{b.yaml,c.JSON}', ['b.yaml', 'c.JSON']],
  ['settings of kgen by a pattern', 'kgen.{config,lock}.*', []],
])('resolves %s to the same files as the kgen command and applyManifests', async (_, argument, want) => {
  const root = folderOf(tree);
  const expected = want.map((name) => `${root}/${name}`);
  const path = `${root}/${argument}`;
  if (want.length === 0) {
    for (const find of [findFiles, findManifestFiles])
      await expect(find(path, root)).rejects.toThrow('no file matches the pattern');
    expect((await findCommandFiles(path, root)).value).toEqual([]);
    return;
  }
  for (const find of [findFiles, findManifestFiles])
    expect((await find(path, root)).map((file) => posix.normalize(file))).toEqual(expected);
  const command = await findCommandFiles(path, root);
  expect(command.problems).toEqual([]);
  expect(command.value.map(({ file }) => posix.normalize(file))).toEqual(expected);
});

test('reads a folder and a pattern in full', async () => {
  const root = folderOf(tree);
  const names = async (source: string): Promise<unknown> =>
    (await loadDefinitions([source])).map(({ value }) => value['metadata']);
  expect(await names(root)).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  expect(await names(`${root}/*.yaml`)).toEqual([{ name: 'b' }]);
});

test.each<[string, Readonly<Record<string, string>>, string, RegExp]>([
  ['line and column of a syntax error', { 'x.yaml': 'kind: List\na: [b' }, 'x.yaml', /x\.yaml:3:1: /],
  [
    'line of a template',
    { 'x.yaml': 'kind: List\na: {{ b }}' },
    'x.yaml',
    /x\.yaml:2:\d+: a key is a mapping/,
  ],
  ['a pattern without matches', {}, '*.yaml', /\*\.yaml: no file matches the pattern/],
  ['an empty folder', { 'notes.txt': '' }, '', /: the folder has no \*\.yaml/],
  ['a folder without definitions', { 'x.yaml': 'kind: Secret' }, '', /no CustomResourceDefinition found/],
  ['a missing file', {}, 'none.yaml', /cannot read .*none\.yaml.*ENOENT/],
])('throws an error that names %s', async (_, files, argument, message) => {
  const root = folderOf(files);
  await expect(loadDefinitions([`${root}/${argument}`])).rejects.toThrow(message);
});

test('reads only https addresses', async () => {
  await expect(loadDefinitions(['http://example.com/crd.yaml'])).rejects.toThrow('only https addresses');
});
