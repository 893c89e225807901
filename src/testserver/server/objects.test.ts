import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { array, at, type Json, text } from '../../schema/values/json.ts';
import { call, crd, foosPath, start } from '../client.fixture.ts';
import type { ObjectSource } from './sources.ts';
import { startTestServer } from './testserver.ts';

const foo = (name: string, more: object = {}): { readonly kind: string } => ({
  ...{ apiVersion: 'test.example.com/v1', kind: 'Foo', metadata: { name } },
  ...more,
});
const fooYaml = (name: string): string =>
  `apiVersion: test.example.com/v1\nkind: Foo\nmetadata: { name: ${name} }\n`;

function folderOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'kgen-objects-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

async function namesWith(objects: readonly ObjectSource[]): Promise<readonly string[]> {
  const server = await start({ crds: [{ yaml: crd }], objects });
  const { body } = await call(server, '/apis/test.example.com/v1/foos');
  return array(body, 'items').map(
    (item) => `${text(item, 'metadata', 'namespace')}/${text(item, 'metadata', 'name')}`,
  );
}

describe('objects', () => {
  test('come from values, YAML, files, folders, patterns and file URLs', async () => {
    const root = folderOf({
      'a.yaml': `${fooYaml('a')}---\n${fooYaml('b')}`,
      'more/c.yml': fooYaml('c'),
      'more/d.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [foo('d')] }),
      'x/e.yaml': fooYaml('e'),
      'f.yaml': fooYaml('f'),
    });
    const url = pathToFileURL(join(root, 'f.yaml'));
    const list = { apiVersion: 'test.example.com/v1', kind: 'FooList', items: [{ metadata: { name: 'g' } }] };
    const sources = [
      join(root, 'a.yaml'),
      join(root, 'more'),
      join(root, 'x/*.yaml'),
      url,
      list,
      { yaml: fooYaml('h') },
      foo('i'),
    ];
    expect(await namesWith(sources)).toEqual([...'abcdefghi'].map((name) => `default/${name}`));
  });

  test('are created after the objects that they depend on', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    const objects = [foo('a', { metadata: { name: 'a', namespace: 'shop' } }), { yaml: crd }, namespace];
    const server = await start({ objects });
    const { code } = await call(server, foosPath.replace('default', 'shop').concat('/a'));
    expect(code).toBe(200);
  });

  test('complete namespaces that every server has', async () => {
    const labels = { team: 'red' };
    const server = await start({
      objects: [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels } } as ObjectSource,
      ],
    });
    const { body } = await call(server, '/api/v1/namespaces/default');
    expect(at(body, 'metadata', 'labels', 'team')).toBe('red');
  });

  test('keep their status and owners, and lose what a server assigns', async () => {
    const definition = crd
      .replace('storage: true', 'storage: true\n      subresources: { status: {} }')
      .replace(
        'spec:\n              type: object',
        'status: { type: object, properties: { ready: { type: boolean } } }\n            spec:\n              type: object',
      );
    const assigned = { uid: 'u1', resourceVersion: '7', creationTimestamp: '2020-01-01T00:00:00Z' };
    const owner = { apiVersion: 'test.example.com/v1', kind: 'Foo', name: 'a', uid: 'u1' };
    const objects = [
      foo('a', { metadata: { name: 'a', ...assigned }, status: { ready: true } }),
      foo('b', { metadata: { name: 'b', ownerReferences: [owner] } }),
    ];
    const server = await start({ crds: [{ yaml: definition }], objects });
    const [a, b] = [await call(server, `${foosPath}/a`), await call(server, `${foosPath}/b`)];
    expect(at(a.body, 'status', 'ready')).toBe(true);
    const reference = array(b.body, 'metadata', 'ownerReferences')[0];
    expect(text(reference, 'uid')).toBe(text(a.body, 'metadata', 'uid'));
    expect(text(a.body, 'metadata', 'uid')).not.toBe('u1');
  });

  test('are being deleted if they have a deletionTimestamp and a finalizer', async () => {
    const deletionTimestamp = '2020-01-01T00:00:00Z';
    const names = ['example.com/hold', 'foregroundDeletion', 'orphan'];
    const objects = [
      ...names.map((finalizer, index) => {
        const name = `a${index}`;
        return foo(name, {
          metadata: { name, namespace: 'shop', deletionTimestamp, finalizers: [finalizer] },
        });
      }),
      foo('b', { metadata: { name: 'b', namespace: 'shop' } }),
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'shop', deletionTimestamp },
      } as ObjectSource,
    ];
    const server = await start({ crds: [{ yaml: crd }], objects, controllers: false });
    const { body } = await call(server, foosPath.replace('default', 'shop'));
    const marked = array(body, 'items').map((item) => [
      text(item, 'metadata', 'deletionTimestamp') !== '',
      at(item, 'metadata', 'finalizers'),
    ]);
    expect(marked).toEqual([...names.map((finalizer) => [true, [finalizer]]), [false, undefined]]);
    const namespace = await call(server, '/api/v1/namespaces/shop');
    expect(text(namespace.body, 'status', 'phase')).toBe('Terminating');
  });

  test.each<[string, string | Json, RegExp]>([
    [
      'an object that is being deleted, although nothing holds it',
      fooYaml('a').replace('name: a', 'name: a, deletionTimestamp: "2020-01-01T00:00:00Z"'),
      /x\.yaml:1: Foo a has a deletionTimestamp, but nothing holds it.* `deleted\(…\)`/,
    ],
    [
      'the line of an object that the API refuses',
      `${fooYaml('a')}---\n\n${fooYaml('A')}`,
      /x\.yaml:6: cannot create Foo A: .*metadata\.name/,
    ],
    [
      'the line of an item of a list',
      `kind: List\nitems:\n  - apiVersion: v2\n    kind: Foo\n`,
      /x\.yaml:3: cannot create Foo …: the server does not serve Foo of v2/,
    ],
    [
      'the missing namespace',
      fooYaml('a').replace('name: a', 'name: a, namespace: nix'),
      /x\.yaml:1: cannot create Foo nix\/a: namespaces "nix" not found; add it to `namespaces` or `objects`/,
    ],
    [
      'a document that is not an object',
      `${fooYaml('a')}---\njust text`,
      /x\.yaml:5: not a Kubernetes object: it has no apiVersion/,
    ],
    ['an object without a kind', `a: b`, /x\.yaml:1: not a Kubernetes object: it has no apiVersion/],
    ['the position of a syntax error', `a: [`, /x\.yaml:2:1: /],
    [
      'two objects with one name',
      `${fooYaml('a')}---\n${fooYaml('a')}`,
      /x\.yaml:5: cannot create Foo a: .*already exists/,
    ],
  ])('throws an error that names %s', async (_, content, message) => {
    const file = join(folderOf({ 'x.yaml': String(content) }), 'x.yaml');
    await expect(startTestServer({ crds: [{ yaml: crd }], objects: [file] })).rejects.toThrow(message);
  });
});
