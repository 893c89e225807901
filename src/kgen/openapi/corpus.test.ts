import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Checked } from '../common/problems.ts';
import type { JsonObject } from '../input/crd/crd-input.ts';
import { isObject } from '../input/json.ts';
import { loadOpenApi } from './load.ts';
import type { ApiResource, Loaded } from './types.ts';

const corpus = process.env['KGEN_CORPUS'];

describe.skipIf(corpus === undefined)('the published document of Kubernetes', () => {
  const file = join(corpus ?? '', 'openapi', 'kubernetes-v2.json');
  let text = '';
  let loaded: Checked<Loaded>;
  beforeAll(async () => {
    text = readFileSync(file, 'utf8');
    loaded = await loadOpenApi({ paths: [file], cwd: '/' });
  });

  const groupVersions = (): NonNullable<Loaded['api']>['groupVersions'] =>
    loaded.value.api?.groupVersions ?? [];

  test('is read without a problem', () => {
    expect(loaded.problems).toEqual([]);
    expect(loaded.value.crds).toEqual([]);
    expect(groupVersions()).toHaveLength(36);
    expect(groupVersions().flatMap(({ resources }) => resources)).toHaveLength(95);
  });

  test('has a resource for every path with an action', () => {
    // seam: JSON.parse returns JSON values
    const paths = (JSON.parse(text) as { readonly paths: JsonObject }).paths;
    const stems = new Set<string>();
    for (const [path, item] of Object.entries(paths)) {
      if (!isObject(item) || !JSON.stringify(item).includes('"x-kubernetes-action"')) continue;
      const plain = path.replace('/watch/', '/').replace(/\/namespaces\/\{namespace\}(?=\/)/, '');
      const [stem = '', subresource] = plain.replace(/\/\{path\}$/, '').split('/{name}');
      stems.add(stem + (subresource ?? ''));
    }
    const known = groupVersions().flatMap(({ group, version, resources }) => {
      const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      return resources.flatMap(({ plural, subresources }) => [
        `${root}/${plural}`,
        ...subresources.map(({ name }) => `${root}/${plural}/${name}`),
      ]);
    });
    expect([...stems].sort()).toEqual(known.sort());
  });

  test('has a definition for every resource, and a strategic merge patch unless it is only created', () => {
    const resources = groupVersions().flatMap((each) => each.resources);
    const names = (requested: (resource: ApiResource) => boolean): readonly string[] =>
      resources.filter(requested).map(({ plural }) => plural);
    expect(names(({ definition }) => definition === undefined)).toEqual([]);
    expect(
      names(({ verbs, listDefinition }) => verbs.includes('list') !== (listDefinition !== undefined)),
    ).toEqual([]);
    expect(names(({ verbs, strategicPatch }) => verbs.includes('patch') !== strategicPatch)).toEqual([]);
    expect(names(({ verbs }) => verbs.includes('list') && !verbs.includes('watch'))).toEqual([
      'componentstatuses',
    ]);
  });

  test('has only references that resolve, and no allOf with a single reference', () => {
    const definitions = loaded.value.api?.definitions ?? new Map();
    expect(definitions.size).toBe(771);
    const all = JSON.stringify([...definitions.values()].map(({ schema }) => schema));
    expect(all).not.toMatch(/"allOf":\[\{"\$ref"/);
    const refs = new Set([...all.matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name ?? ''));
    expect(refs.size).toBeGreaterThan(300);
    expect([...refs].filter((name) => !definitions.has(name))).toEqual([]);
  });
});
