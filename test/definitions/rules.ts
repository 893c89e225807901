/** Rules of API servers for definitions outside of their schemas. */
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CrdVersion, crd } from '../support/crd.ts';
import { refusalsOf } from '../support/sample-attempts.ts';

const long = 'a'.repeat(64);
const scalar = { type: 'string' };
const letters = [...'abcdefghi'];

/** A schema with fields of several types. */
const schema = {
  type: 'object',
  properties: {
    metadata: { type: 'object', properties: { name: scalar } },
    status: { type: 'object', properties: { phase: scalar } },
    spec: {
      type: 'object',
      properties: {
        ...Object.fromEntries(letters.map((name) => [name, scalar])),
        whole: { type: 'integer' },
        real: { type: 'number' },
        list: { type: 'array', items: scalar },
        map: { type: 'object', additionalProperties: scalar },
        free: { type: 'object', additionalProperties: true },
        empty: { type: 'object' },
      },
    },
  },
};

interface Change {
  readonly group?: string;
  readonly names?: object;
  readonly versions?: readonly CrdVersion[];
  readonly metadata?: object;
  readonly spec?: object;
}

function definition({ group = 'tables.example.com', names = {}, versions = [{}], ...more }: Change): object {
  const all = versions.map((version) => ({ schema, ...version }));
  const value = Object(crd({ kind: 'Thing', group, names, versions: all }));
  return {
    ...value,
    metadata: { ...value.metadata, ...more.metadata },
    spec: { ...value.spec, ...more.spec },
  };
}

const approval = 'api-approved.kubernetes.io';

function fields(...paths: readonly string[]): CrdVersion {
  return { selectableFields: paths.map((jsonPath) => ({ jsonPath })) };
}

function columns(...additionalPrinterColumns: readonly object[]): CrdVersion {
  return { additionalPrinterColumns };
}

function scale(paths: object): CrdVersion {
  const scale = { specReplicasPath: '.spec.whole', statusReplicasPath: '.status.count', ...paths };
  return { subresources: { scale } };
}

function warning(deprecationWarning: string, deprecated = true): CrdVersion {
  return { deprecated, deprecationWarning };
}

function webhook(conversionReviewVersions: readonly string[], more: object = {}): object {
  const clientConfig = { service: { name: 'a', namespace: 'b' } };
  return {
    conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions, ...more } },
  };
}

const other = { ...schema, description: 'other' };
const column = { name: 'A', type: 'string', jsonPath: '.spec.a' };

/** Definitions with mistakes, and valid ones near them. */
const definitions: Readonly<Record<string, Change>> = {
  'a group without a dot': { group: 'example' },
  'a group in upper case': { group: 'Example.com' },
  'an empty group': { group: '' },
  'a name that is not the plural and the group': { metadata: { name: 'things.example.com' } },
  'an unknown scope': { spec: { scope: 'Namespace' } },
  'no scope': { spec: { scope: '' } },
  'a reserved group': { group: 'tables.k8s.io' },
  'a reserved group with another annotation': {
    group: 'tables.kubernetes.io',
    metadata: { annotations: { [approval]: 'by nobody' } },
  },
  'a reserved group with a path': { group: 'k8s.io', metadata: { annotations: { [approval]: '/1' } } },
  'a reserved group with a URL': {
    group: 'tables.k8s.io',
    metadata: { annotations: { [approval]: 'https://github.com/kubernetes/kubernetes/pull/1' } },
  },
  'a reserved group that states that it is not approved': {
    group: 'tables.k8s.io',
    metadata: { annotations: { [approval]: 'unapproved, experimental' } },
  },
  'a group that ends like a reserved one': { group: 'tables.notk8s.io' },
  'names that are no labels': {
    names: {
      plural: '1s',
      singular: 'A',
      kind: 'a_b',
      listKind: 'c.d',
      shortNames: ['T_'],
      categories: ['-'],
    },
  },
  'names that are too long': {
    names: {
      plural: long,
      singular: long,
      kind: long,
      listKind: `${long}_`,
      shortNames: [long],
      categories: [long],
    },
  },
  'a list kind that is the kind': { names: { listKind: 'Thing' } },
  'no kind and no plural': { names: { kind: '', plural: '' } },
  'an empty short name': { names: { shortNames: ['a', ''] } },
  'a version that is not a label': { versions: [{ name: '1' }] },
  'a second version that is not a label': { versions: [{}, { name: 'V2' }] },
  'a version that is too long': { versions: [{ name: long }] },
  'no versions': { versions: [] },
  'no version that is stored': { versions: [{ storage: false }] },
  'two versions that are stored, with one name': { versions: [{}, { storage: true }] },
  'no version that is served': { versions: [{ served: false }] },
  'no schema': { versions: [{ schema: undefined }] },
  'no schema of the second version': { versions: [{}, { name: 'v2', schema: undefined }] },
  'an empty schema': { spec: { versions: [{ name: 'v1', served: true, storage: true, schema: {} }] } },
  'a warning of a version that is not deprecated': { versions: [warning('old', false)] },
  'an empty warning': { versions: [warning('')] },
  'a warning of 257 bytes': { versions: [warning(`${'é'.repeat(128)}a`)] },
  'a warning of 256 bytes': { versions: [warning('é'.repeat(128))] },
  'a warning with a line break': { versions: [warning('é\nuse v2')] },
  'a warning with a character without a form': { versions: [{}, { name: 'v2', ...warning('a\u200bb') }] },
  'a warning with a space that is not that of ASCII': { versions: [warning('a\u00a0b')] },
  'columns without members': { versions: [columns({ name: '', type: '', jsonPath: '' })] },
  'columns of unknown types and formats': {
    versions: [
      columns({ ...column, type: 'object', format: 'uuid' }, { ...column, type: 'date', format: 'date' }),
    ],
  },
  'a column whose path has no dot': { versions: [columns({ ...column, jsonPath: 'spec.a' })] },
  'a column whose path is a dot': { versions: [columns({ ...column, jsonPath: '.' })] },
  'columns of two versions': {
    versions: [columns({ ...column, type: 'x' }), { name: 'v2', ...columns({ ...column, jsonPath: 'a' }) }],
  },
  'equal columns of two versions': {
    versions: [columns({ ...column, type: 'x' }), { name: 'v2', ...columns({ ...column, type: 'x' }) }],
  },
  'a selectable field without a path': { versions: [fields('')] },
  'selectable fields that do not exist': { versions: [fields('.spec.none', '.spec.empty.a', '.spec.a.b')] },
  'selectable fields in another form': {
    versions: [fields('spec.a', '.spec.', '.', '..', ".spec['a']", '.spec.list[0]', "'a", '.spec]', "''")],
  },
  'selectable fields that are not scalars': {
    versions: [fields('.spec', '.spec.list', '.spec.real', '.spec.map', '.spec.free.a', '.metadata')],
  },
  'selectable values of maps': { versions: [fields('.spec.map.a', '.spec.map.b', '.spec.map.a')] },
  'a selectable field of the metadata': { versions: [fields('.metadata.name')] },
  'a selectable field twice': { versions: [fields('.spec.a', '.spec.a')] },
  'eight selectable fields': { versions: [fields(...letters.slice(0, 8).map((name) => `.spec.${name}`))] },
  'nine selectable fields': { versions: [fields(...letters.map((name) => `.spec.${name}`))] },
  'nine selectable fields, two of them equal': {
    versions: [fields('.spec.a', ...letters.slice(0, 8).map((name) => `.spec.${name}`))],
  },
  'equal selectable fields of two versions with one schema': {
    versions: [fields('.spec.real'), { name: 'v2', ...fields('.spec.real') }],
  },
  'equal selectable fields of two versions with different schemas': {
    versions: [fields('.spec.a'), { name: 'v2', schema: other, ...fields('.spec.a') }],
  },
  'different selectable fields of two versions with one schema': {
    versions: [fields('.spec.a'), { name: 'v2', ...fields('.spec.b') }],
  },
  'different selectable fields of two versions with different schemas': {
    versions: [fields('.spec.real'), { name: 'v2', schema: other, ...fields('.spec.list') }],
  },
  'paths of a scale elsewhere': {
    versions: [
      scale({
        specReplicasPath: '.status.a',
        statusReplicasPath: 'status.a',
        labelSelectorPath: '.metadata.a',
      }),
    ],
  },
  'no paths of a scale': { versions: [scale({ specReplicasPath: '', statusReplicasPath: '' })] },
  'paths of a scale without a dot': {
    versions: [scale({ specReplicasPath: 'spec.a', labelSelectorPath: 'status.a' })],
  },
  'a label selector in the spec': { versions: [scale({ labelSelectorPath: '.spec.a' })] },
  'scales of two versions': {
    versions: [scale({}), { name: 'v2', ...scale({ labelSelectorPath: '.a' }) }],
  },
  'unknown fields that are preserved': { spec: { preserveUnknownFields: true } },
  'unknown fields that are preserved beside a default and a webhook': {
    versions: [{ schema: { type: 'object', properties: { a: { ...scalar, default: 'b' } } } }],
    spec: { preserveUnknownFields: true, ...webhook(['v1']) },
  },
  'an unknown strategy of conversion': { spec: { conversion: { strategy: 'Other' } } },
  'a strategy without a webhook': { spec: { conversion: { strategy: 'Webhook' } } },
  'a webhook without a strategy': {
    spec: { conversion: { ...Object(webhook(['v1'])).conversion, strategy: 'None' } },
  },
  'review versions that are unknown, no labels and duplicates': { spec: webhook(['v2', 'V3', 'v2']) },
  'a webhook without an address': { spec: webhook(['v1'], { clientConfig: {} }) },
  'a webhook with a wrong address': {
    spec: webhook(['v1'], { clientConfig: { url: 'http://a:b@c/?d#e' } }),
  },
  'a webhook with a wrong service': {
    spec: webhook(['v1'], { clientConfig: { service: { port: 0, path: 'a', name: '', namespace: '' } } }),
  },
  'mistakes in each part': {
    group: 'example',
    names: { shortNames: ['T_'] },
    versions: [
      {
        name: 'V1',
        storage: false,
        schema: { type: 'object', properties: { a: { type: 'array' } } },
        ...warning('', false),
        ...columns({ ...column, type: 'x' }),
        ...scale({ specReplicasPath: '' }),
        ...fields('a'),
      },
    ],
    spec: { scope: 'x', conversion: { strategy: 'y' } },
  },
  'mistakes in each part of two versions': {
    versions: [
      {
        schema: { type: 'object', properties: { a: { type: 'array' } } },
        ...columns({ ...column, type: 'x' }),
        ...scale({ specReplicasPath: '' }),
        ...fields('a'),
      },
      { name: 'v2', schema: other, ...warning('', false), ...fields('b') },
    ],
  },
};

/** Both servers refuse the definitions with the messages of one file, in its order. */
export function rulesSuite(config: () => ClusterConfig): void {
  let rest: RESTClient;
  beforeAll(() => {
    rest = new RESTClient(config());
  });
  afterAll(() => rest?.close());

  it('mistakes outside of schemas are refused with the messages of API servers', async () => {
    const report: string[] = [];
    for (const [title, change] of Object.entries(definitions)) {
      const messages = await refusalsOf(rest, definition(change));
      report.push(`${title}\n${messages.map((message) => `    ${message}\n`).join('')}`);
    }
    await expect(report.join('\n')).toMatchFileSnapshot('rules.golden.txt');
  });
}
