import { describe, expect, test } from 'vitest';
import { crdText, readText } from '../reading.fixture.ts';
import type { CrdDefinition } from './crd.ts';

const oldVersion =
  'in.yaml:1:1: warning: apiextensions.k8s.io/v1beta1 is read as v1, and API servers since 1.22 reject it: convert the definition to v1';

const good = crdText('Good');

describe('a malformed envelope', () => {
  const cases: readonly { name: string; given: string; want: readonly string[] }[] = [
    {
      name: 'no spec',
      given: good.slice(0, good.indexOf('spec:')),
      want: ['in.yaml:1:1: error: spec is missing: add it'],
    },
    {
      name: 'no group',
      given: good.replace('  group: my.domain\n', ''),
      want: [
        'in.yaml:5:1: error: spec.group is missing: add the API group, a DNS name in lower case such as `example.com`',
      ],
    },
    {
      name: 'no kind and no plural',
      given: good.replace('    kind: Good\n    plural: goods\n', '    singular: good\n'),
      want: [
        'in.yaml:8:3: error: spec.names.kind is missing: add a kind such as `MyApp`: a letter, then letters, digits and dashes, at most 63',
        'in.yaml:8:3: error: spec.names.plural is missing: add the plural in lower case, as in the URL of the resource, such as `myapps`, at most 63 characters',
      ],
    },
    {
      name: 'no names',
      given: good.replace(/ {2}names:[\s\S]*plural: goods\n/, ''),
      want: ['in.yaml:5:1: error: spec.names is missing: add it'],
    },
    {
      name: 'no scope',
      given: good.replace('  scope: Namespaced\n', ''),
      want: ['in.yaml:5:1: error: spec.scope is missing: add `Namespaced` or `Cluster`'],
    },
    {
      name: 'a wrong scope',
      given: good.replace('Namespaced', 'namespaced'),
      want: ['in.yaml:7:3: error: spec.scope is the string "namespaced": make it `Namespaced` or `Cluster`'],
    },
    {
      name: 'a group that leaves the folder',
      given: good.replace('group: my.domain', 'group: ../../etc'),
      want: [
        'in.yaml:6:3: error: spec.group is the string "../../etc": make it the API group, a DNS name in lower case such as `example.com`',
      ],
    },
    {
      name: 'a kind that is code',
      given: good.replace('kind: Good', 'kind: "A*/;x"'),
      want: [
        'in.yaml:9:5: error: spec.names.kind is the string "A*/;x": make it a kind such as `MyApp`: a letter, then letters, digits and dashes, at most 63',
      ],
    },
    {
      name: 'a version without a name',
      given: good.replace('- name: v1', '- nme: v1'),
      want: [
        'in.yaml:12:7: error: spec.versions[0].name is missing: add a version such as `v1` or `v1alpha1`, in lower case',
      ],
    },
    {
      name: 'a version that is a path',
      given: good.replace('- name: v1', '- name: v1/../..'),
      want: [
        'in.yaml:12:7: error: spec.versions[0].name is the string "v1/../..": make it a version such as `v1` or `v1alpha1`, in lower case',
      ],
    },
    {
      name: 'no versions',
      given: good.replace(/versions:[\s\S]*/, 'versions: []\n'),
      want: [
        'in.yaml:11:3: error: spec.versions is missing or empty: add at least one version with a name and a schema',
      ],
    },
    {
      name: 'versions that are no list',
      given: good.replace(/versions:[\s\S]*/, 'versions: {}\n'),
      want: ['in.yaml:11:3: error: spec.versions is an object: make it a list'],
    },
    {
      name: 'a schema that is a list',
      given: crdText('Good', '[1]'),
      want: ['in.yaml:16:9: error: spec.versions[0].schema.openAPIV3Schema is a list: make it an object'],
    },
    {
      name: 'a schema that is a text',
      given: good.replace(/schema:[\s\S]*/, 'schema: none\n'),
      want: ['in.yaml:15:7: error: spec.versions[0].schema is the string "none": make it an object'],
    },
    {
      name: 'a file that ends with schema',
      given: good.slice(0, good.indexOf('        openAPIV3Schema')),
      want: [
        'in.yaml:15:7: error: spec.versions[0].schema is empty, as in a truncated file: write the schema, or remove the key',
      ],
    },
    {
      name: 'a file that ends with openAPIV3Schema',
      given: crdText('Good', ''),
      want: [
        'in.yaml:16:9: error: spec.versions[0].schema.openAPIV3Schema is empty, as in a truncated file: write the schema, or remove the key',
      ],
    },
    {
      name: 'a v1beta1 file that ends with validation',
      given: good
        .replace('apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1')
        .replace(/versions:[\s\S]*/, 'version: v1\n  validation:\n'),
      want: [
        oldVersion,
        'in.yaml:12:3: error: spec.validation is empty, as in a truncated file: write the schema, or remove the key',
      ],
    },
    ...[
      { type: 'string', is: 'the string "string"' },
      { type: '[object]', is: 'a list' },
      { type: '', is: 'nothing' },
    ].map(({ type, is }) => ({
      name: `a schema of type ${type}`,
      given: crdText('Good', `{type: ${type}, properties: {spec: {type: object}}}`),
      want: [
        `in.yaml:16:27: error: spec.versions[0].schema.openAPIV3Schema.type is ${is}, a schema that is not an object: make it object`,
      ],
    })),
    ...[
      { of: 'served: maybe', where: '13:7', what: 'served is the string "maybe": make it true or false' },
      { of: 'deprecated: 1', where: '13:7', what: 'deprecated is the number "1": make it true or false' },
      { of: 'subresources: [1]', where: '13:7', what: 'subresources is a list: make it an object' },
      {
        of: 'subresources: {scale: {specReplicasPath: .spec.n}}',
        where: '13:22',
        what: 'subresources.scale.statusReplicasPath is missing: add a string',
      },
    ].map(({ of, where, what }) => ({
      name: `a version with ${of}`,
      given: good.replace('served: true', of.startsWith('served') ? of : `${of}\n      served: true`),
      want: [`in.yaml:${where}: error: spec.versions[0].${what}`],
    })),
    {
      name: 'a name that differs',
      given: good.replace('name: goods.my.domain', 'name: other.my.domain'),
      want: [
        'in.yaml:4:3: error: metadata.name must be the plural, a dot and the group: make it "goods.my.domain", or correct spec',
      ],
    },
    {
      name: 'short names that are none',
      given: good.replace('plural: goods', 'plural: goods\n    shortNames: [ok, "*/"]'),
      want: [
        'in.yaml:11:22: error: spec.names.shortNames[1] is the string "*/": make it a DNS label: a lower-case letter, then letters, digits and dashes, at most 63',
      ],
    },
  ];

  test.each(cases)('$name', ({ given, want }) => {
    expect(readText(given)).toMatchObject({ problems: want, crds: [] });
  });

  test('drops an invalid version and keeps the others', () => {
    const v2 = '    - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n';
    const second = `${v2}${v2}`;
    const { crds, problems } = readText(crdText('Good', '[1]') + second);
    expect(crds[0]?.versions.map(({ name }) => name)).toEqual(['v2']);
    expect(problems).toEqual([
      'in.yaml:16:9: error: spec.versions[0].schema.openAPIV3Schema is a list: make it an object',
      'in.yaml:18:8: error: spec.versions[2] has the name of spec.versions[1]: rename or remove one of them',
    ]);
  });

  test('types a version without a schema as unknown, with a warning if the API server rejects it', () => {
    const bare = good.replace(/ {6}schema:[\s\S]*/, '');
    const { crds, problems } = readText(bare);
    expect(crds[0]?.versions).toMatchObject([{ name: 'v1', schemaPath: ['spec', 'versions', 0] }]);
    expect(problems).toEqual([
      'in.yaml:12:7: warning: spec.versions[0] has no schema.openAPIV3Schema, kgen types its objects as unknown and the API server rejects it: add it',
    ]);
    expect(readText(bare.replace('k8s.io/v1', 'k8s.io/v1beta1')).problems).toEqual([oldVersion]);
  });

  test('warns about fields that the API server requires and kgen does not', () => {
    const { crds, problems } = readText(
      good.replace('  name: goods.my.domain\n', '  labels: {}\n').replace('      served: true\n', ''),
    );
    expect(crds).toHaveLength(1);
    expect(problems).toEqual([
      'in.yaml:12:7: warning: spec.versions[0].served is missing, kgen treats it as true and the API server rejects it: add it',
      'in.yaml:3:1: warning: metadata.name is missing and the API server rejects that: add "goods.my.domain"',
    ]);
  });
});

describe('normalization of v1 and v1beta1', () => {
  const define = (spec: string, apiVersion = 'v1beta1'): CrdDefinition | undefined => {
    const head = `apiVersion: apiextensions.k8s.io/${apiVersion}\nkind: CustomResourceDefinition\nmetadata: {name: goods.my.domain}\n`;
    const { crds, problems } = readText(
      `${head}spec: {group: my.domain, names: {kind: Good, plural: goods}, ${spec}}\n`,
    );
    expect(problems).toEqual(apiVersion === 'v1' ? [] : [oldVersion]);
    return crds[0];
  };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    deprecated: false,
    subresources: { status: false },
    printerColumns: [],
    selectableFields: [],
  };

  test.each([
    { name: 'spec.version alone', given: 'version: v1', want: [{ ...version, schemaPath: ['spec'] }] },
    {
      name: 'one schema beside the versions',
      given:
        'preserveUnknownFields: false, validation: {openAPIV3Schema: {type: object}}, versions: [{name: v1, served: true, storage: true}, {name: v2, served: false, storage: false}]',
      want: [
        { ...version, schema: { type: 'object' }, schemaPath: ['spec', 'validation', 'openAPIV3Schema'] },
        {
          ...version,
          name: 'v2',
          served: false,
          storage: false,
          schema: { type: 'object' },
          schemaPath: ['spec', 'validation', 'openAPIV3Schema'],
        },
      ],
    },
    {
      name: 'a schema in the version, as closed as in v1 whatever the server keeps',
      given:
        'preserveUnknownFields: true, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]',
      want: [
        {
          ...version,
          schema: { type: 'object' },
          schemaPath: ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'],
        },
      ],
    },
    {
      name: 'subresources and columns beside the versions',
      given:
        'version: v1, subresources: {status: {}, scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}}, additionalPrinterColumns: [{name: Num, type: integer, JSONPath: .spec.n}]',
      want: [
        {
          ...version,
          schemaPath: ['spec'],
          subresources: {
            status: true,
            scale: { specReplicasPath: '.spec.n' },
          },
          printerColumns: [{ name: 'Num', type: 'integer', jsonPath: '.spec.n' }],
        },
      ],
    },
  ])('v1beta1: $name', ({ given, want }) => {
    expect(define(given)).toMatchObject({ scope: 'Namespaced', versions: want });
    expect(define(given)?.versions).toEqual(want);
  });

  test('v1: reads every field of a version', () => {
    const given =
      'scope: Cluster, versions: [{name: v1, served: true, storage: true, deprecated: true, deprecationWarning: "gone soon", selectableFields: [{jsonPath: .spec.color}], additionalPrinterColumns: [{name: Num, type: integer, format: int32, description: d, priority: 1, jsonPath: .spec.n}], subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {color: {type: string}}}}}}}]';
    const spec = { type: 'object', properties: { color: { type: 'string' } } };
    expect(define(given, 'v1')).toMatchObject({
      scope: 'Cluster',
      versions: [
        {
          ...version,
          schema: { type: 'object', properties: { spec } },
          schemaPath: ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'],
          deprecated: true,
          deprecationWarning: 'gone soon',
          selectableFields: ['.spec.color'],
          subresources: { status: true },
          printerColumns: [
            {
              name: 'Num',
              type: 'integer',
              description: 'd',
              jsonPath: '.spec.n',
            },
          ],
        },
      ],
    });
  });

  test('derives omitted names from the kind', () => {
    expect(define('version: v1')?.names).toEqual({
      kind: 'Good',
      listKind: 'GoodList',
      plural: 'goods',
      singular: 'good',
      shortNames: [],
      categories: [],
    });
  });
});
