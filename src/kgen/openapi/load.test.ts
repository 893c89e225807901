import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Checked, formatProblem } from '../common/problems.ts';
import { loadOpenApi } from './load.ts';
import { claim, operation, v2, v3 } from './openapi.fixture.ts';
import type { Loaded } from './types.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kgen-openapi-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const paths = { '/api/v1/pods': { get: operation('list', 'v1/Pod') } };
const newer = JSON.stringify(v3({ Pod: claim('v1/Pod') }, paths).value);
const older = JSON.stringify(v2({ Pod: { ...claim('v1/Pod'), description: 'old' } }, paths).value);
const yaml = `
openapi: 3.0.0
paths:
  /api/v1/pods:
    get:
      x-kubernetes-action: list
      x-kubernetes-group-version-kind: { group: '', version: v1, kind: Pod }
components:
  schemas:
    Pod:
      x-kubernetes-group-version-kind: [{ group: '', version: v1, kind: Pod }]
`;
const aggregated = JSON.stringify({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  items: [
    {
      metadata: {},
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'pods',
              responseKind: { kind: 'Pod' },
              scope: 'Namespaced',
              singularResource: 'pod',
              verbs: ['list'],
              shortNames: ['po'],
            },
          ],
        },
      ],
    },
  ],
});
const listed = JSON.stringify({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'v1',
  resources: [
    {
      name: 'pods',
      singularName: 'pod',
      kind: 'Pod',
      namespaced: true,
      verbs: ['list'],
      shortNames: ['old'],
    },
  ],
});

async function load(
  files: Readonly<Record<string, string>>,
  given: readonly string[] = ['.'],
): Promise<Checked<Loaded>> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return loadOpenApi({ paths: given, cwd: folder });
}

const shortNames = ({ value }: Checked<Loaded>): readonly string[] | undefined =>
  value.api?.groupVersions[0]?.resources[0]?.shortNames;

describe('saved documents', () => {
  test.each([
    { title: 'v3', files: { 'a/v3.json': newer }, dialects: [3] },
    { title: 'v2', files: { 'v2.json': older }, dialects: [2] },
    { title: 'YAML', files: { 'v3.yaml': yaml }, dialects: [3] },
    { title: 'JSON in a file of another name', files: { 'v3.yml': newer }, dialects: [3] },
  ])('$title', async ({ files, dialects }) => {
    const { value, problems } = await load(files);
    expect(problems).toEqual([]);
    expect(value.documents.map(({ dialect }) => dialect)).toEqual(dialects);
    expect(value.api?.groupVersions[0]?.resources[0]).toMatchObject({ plural: 'pods', definition: 'Pod' });
    expect([value.sources, value.skipped, value.crds.length]).toEqual([1, 0, 0]);
  });

  test('prefers v3 to v2, noted once, and counts other files', async () => {
    const { value, problems } = await load({
      'a.json': older,
      'b.json': newer,
      'c.json': older,
      'd.json': '{}',
      'e.json': '[]',
    });
    expect(value.documents.map(({ file }) => file)).toEqual(['b.json']);
    expect(problems.map(formatProblem)).toEqual([
      expect.stringMatching(/^a\.json: warning: this OpenAPI v2 document is left out/),
    ]);
    expect([value.sources, value.skipped]).toEqual([5, 2]);
  });

  test('reads each file once for any number of paths to it', async () => {
    const { value } = await load({ 'v3.json': newer }, ['.', 'v3.json', './v3.json', '*.json']);
    expect(value.sources).toBe(1);
  });

  test('uses discovery beside documents, the most complete format first', async () => {
    const both = await load({ 'a.json': listed, 'v3.json': newer, 'z.json': aggregated });
    expect(both.problems).toEqual([]);
    expect([shortNames(both), both.value.skipped]).toEqual([['po'], 0]);
    rmSync(join(folder, 'z.json'));
    expect(shortNames(await load({}))).toEqual(['old']);
  });
});

describe('malformed input', () => {
  const cut = newer.slice(0, newer.indexOf('"paths"') + 20);
  test.each([
    {
      title: 'cut off',
      name: 'a.json',
      text: cut,
      stated: `a.json:1:${cut.length + 1}: error: the document is truncated here`,
    },
    {
      title: 'broken',
      name: 'a.json',
      text: '{\n  "openapi": "3.0.0",\n  paths: {}\n}',
      stated: 'a.json:3:3: error: broken JSON',
    },
    {
      title: 'a login page',
      name: 'a.json',
      text: '<!DOCTYPE html><html>',
      stated: 'a.json:1:1: error: this is HTML',
    },
    { title: 'empty', name: 'a.json', text: ' \n', stated: 'error: the file is empty' },
    {
      title: 'a broken YAML document',
      name: 'a.yaml',
      text: 'a: [',
      stated: 'a.yaml:1:5: error: broken YAML',
    },
    {
      title: 'no document',
      name: 'a.json',
      text: '{}',
      stated: 'error: the input has no OpenAPI document, 1 file read',
    },
    {
      title: 'the index of documents',
      name: 'a.json',
      text: '{"paths": {"api/v1": {"serverRelativeURL": "/openapi/v3/api/v1?hash=A"}}}',
      stated:
        'a.json: error: this is the index of OpenAPI v3 documents, not a document: save those that it names, such as with `kubectl get --raw /openapi/v3/apis/apps/v1`',
    },
    {
      title: 'a document of something else',
      name: 'a.json',
      text: JSON.stringify({
        openapi: '3.0.0',
        paths: { '/pets': { get: {} } },
        components: { schemas: { 'a.v1.Pet': { type: 'object', properties: {} } } },
      }),
      stated: 'a.json: error: the OpenAPI documents have no Kubernetes resource',
    },
  ])('$title', async ({ name, text, stated }) => {
    const { value, problems } = await load({ [name]: text });
    expect(problems.map(formatProblem)).toEqual([expect.stringContaining(stated)]);
    expect(value.api).toBeUndefined();
  });

  test.each([
    {
      title: 'a reference to nothing',
      schemas: { Bad: { ...claim('x.io/v1/Bad'), properties: { x: { $ref: '#/components/schemas/Gone' } } } },
      stated: /^bad\.json: error: "Bad\.x" refers to "Gone"/,
    },
    {
      title: 'a definition that consists of itself',
      schemas: { Bad: { ...claim('x.io/v1/Bad'), allOf: [{ $ref: '#/components/schemas/Bad' }] } },
      stated: /^bad\.json: error: the definition "Bad" consists of itself/,
    },
    {
      title: 'two definitions of one kind',
      schemas: { Bad: claim('x.io/v1/Bad'), Other: claim('x.io/v1/Bad') },
      stated: /^bad\.json: error: the definitions "Bad", "Other" have the same kind/,
    },
  ])('$title: drops the document and keeps the others', async ({ schemas, stated }) => {
    const bad = v3(schemas, { '/apis/x.io/v1/bads': { get: operation('list', 'x.io/v1/Bad') } }).value;
    const groups = async (files: Readonly<Record<string, string>>): Promise<unknown> => {
      const { value, problems } = await load(files);
      expect(problems.map(formatProblem)).toEqual([expect.stringMatching(stated)]);
      return [value.api?.groupVersions.map(({ group }) => group), value.documents.map(({ file }) => file)];
    };
    expect(await groups({ 'bad.json': JSON.stringify(bad) })).toEqual([undefined, []]);
    const bads = [{ name: 'bads', singularName: 'bad', kind: 'Bad', namespaced: true, verbs: ['list'] }];
    const discovered = JSON.stringify({ ...JSON.parse(listed), groupVersion: 'x.io/v1', resources: bads });
    expect(await groups({ 'good.json': newer, 'discovery.json': discovered })).toEqual([[''], ['good.json']]);
  });

  test('reports a file that does not exist', async () => {
    const { problems } = await load({}, ['gone.json']);
    expect(problems.map(formatProblem)).toEqual([
      'gone.json: error: file or folder not found: check the path',
    ]);
  });
});
