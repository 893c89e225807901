import { describe, expect, test } from 'vitest';
import type { CrdDefinition } from './crd.ts';
import { crdText, readText } from './reading.fixture.ts';

const good = crdText('Good');

describe('a broken envelope', () => {
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
        'in.yaml:8:3: error: spec.names.plural is missing: add the plural in lower case, as in the URL of the resource, such as `myapps`',
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
      name: 'a name that says something else',
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

  test('a broken version costs no other version', () => {
    const second =
      '    - {name: v2, served: true, storage: false}\n    - {name: v2, served: true, storage: false}\n';
    const { crds, problems } = readText(crdText('Good', '[1]') + second);
    expect(crds[0]?.versions.map(({ name }) => name)).toEqual(['v2']);
    expect(problems).toEqual([
      'in.yaml:16:9: error: spec.versions[0].schema.openAPIV3Schema is a list: make it an object',
      'in.yaml:18:8: error: spec.versions[2] has the name of spec.versions[1]: rename or remove one of them',
    ]);
  });

  test('what the API server misses and kgen does not need is a warning', () => {
    const { crds, problems } = readText(
      good.replace('  name: goods.my.domain\n', '  labels: {}\n').replace('      served: true\n', ''),
    );
    expect(crds).toHaveLength(1);
    expect(problems).toEqual([
      'in.yaml:12:7: warning: spec.versions[0].served is missing, kgen takes it for true and the API server refuses it: add it',
      'in.yaml:3:1: warning: metadata.name is missing and the API server refuses that: add "goods.my.domain"',
    ]);
  });
});

describe('one form for v1 and v1beta1', () => {
  const define = (spec: string, apiVersion = 'v1beta1'): CrdDefinition | undefined => {
    const head = `apiVersion: apiextensions.k8s.io/${apiVersion}\nkind: CustomResourceDefinition\nmetadata: {name: goods.my.domain}\n`;
    const { crds, problems } = readText(
      `${head}spec: {group: my.domain, names: {kind: Good, plural: goods}, ${spec}}\n`,
    );
    expect(problems).toEqual([]);
    return crds[0];
  };
  const preserved = 'x-kubernetes-preserve-unknown-fields';
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
      name: 'a schema in the version, unknown fields kept by default',
      given: 'versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]',
      want: [
        {
          ...version,
          schema: { type: 'object', [preserved]: true },
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
            scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' },
          },
          printerColumns: [{ name: 'Num', type: 'integer', jsonPath: '.spec.n' }],
        },
      ],
    },
  ])('v1beta1: $name', ({ given, want }) => {
    expect(define(given)).toMatchObject({ scope: 'Namespaced', versions: want });
    expect(define(given)?.versions).toEqual(want);
  });

  test('v1: everything a version can say', () => {
    const given =
      'scope: Cluster, versions: [{name: v1, served: true, storage: true, deprecated: true, deprecationWarning: "gone soon", selectableFields: [{jsonPath: .spec.color}], additionalPrinterColumns: [{name: Num, type: integer, format: int32, description: d, priority: 1, jsonPath: .spec.n}], subresources: {status: {}}}]';
    expect(define(given, 'v1')).toMatchObject({
      scope: 'Cluster',
      versions: [
        {
          ...version,
          schemaPath: ['spec', 'versions', 0],
          deprecated: true,
          deprecationWarning: 'gone soon',
          selectableFields: ['.spec.color'],
          subresources: { status: true },
          printerColumns: [
            {
              name: 'Num',
              type: 'integer',
              format: 'int32',
              description: 'd',
              priority: 1,
              jsonPath: '.spec.n',
            },
          ],
        },
      ],
    });
  });

  test('names that are left out follow from the kind', () => {
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
