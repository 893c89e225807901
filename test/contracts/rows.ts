/** Changes of a custom resource, each with the drifts that a client of the unchanged resource has. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Schema of the spec, as fields by name. */
type Fields = Readonly<Record<string, Json>>;

/** Parts of a definition that rows change. */
export interface Parts {
  readonly scope: 'Namespaced' | 'Cluster';
  readonly kind: string;
  readonly plural: string;
  readonly served: boolean;
  readonly version: Fields;
  readonly required: readonly string[];
  readonly rules: readonly Json[];
  readonly fields: Fields;
  readonly status: Fields;
}

/** One change, and what it results in. */
export interface Row {
  readonly title: string;
  /** The definition of the server. Absent: the server has none. */
  readonly change?: (parts: Parts) => Partial<Parts>;
  /** `breaking` or `note`, kind and path of each drift. */
  readonly drifts: readonly string[];
  /** Whether the server refuses samples of the client. Absent: none are created. */
  readonly refusesSamples?: boolean;
}

const text = { type: 'string' };

/** The resource as the client knows it. */
export const base: Parts = {
  scope: 'Namespaced',
  kind: 'Widget',
  plural: 'widgets',
  served: true,
  version: {
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
    },
    selectableFields: [{ jsonPath: '.spec.mode' }],
  },
  required: ['name'],
  rules: [],
  fields: {
    name: { type: 'string', maxLength: 20 },
    size: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    mode: { type: 'string', enum: ['A', 'B', 'C'] },
    level: { type: 'integer' },
    port: { 'x-kubernetes-int-or-string': true },
    tags: { type: 'array', maxItems: 5, items: text, 'x-kubernetes-list-type': 'set' },
    users: {
      type: 'array',
      items: { type: 'object', required: ['id'], properties: { id: text, role: text } },
    },
    labels: { type: 'object', additionalProperties: text },
    extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    note: { type: 'string', nullable: true },
    code: { type: 'string', pattern: '^[a-z]+$' },
    ratio: { type: 'number' },
  },
  status: { phase: text, size: { type: 'integer' } },
};

const fields =
  (changed: Fields, ...without: readonly string[]) =>
  (parts: Parts): Partial<Parts> => ({
    fields: Object.fromEntries(
      Object.entries({ ...parts.fields, ...changed }).filter(([name]) => !without.includes(name)),
    ),
  });

export const rows: readonly Row[] = [
  { title: 'nothing', change: () => ({}), drifts: [], refusesSamples: false },
  { title: 'a new optional field', change: fields({ color: text }), drifts: [] },
  {
    title: 'looser limits',
    change: fields({
      name: text,
      size: { type: 'integer', minimum: 0, maximum: 20, default: 3 },
      tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      code: text,
    }),
    drifts: [],
    refusesSamples: false,
  },
  {
    title: 'a new required field with a default',
    change: (parts) => ({
      ...fields({ color: { type: 'string', default: 'red' } })(parts),
      required: ['name', 'color'],
    }),
    drifts: [],
  },
  {
    title: 'a removed field',
    change: fields({}, 'level'),
    drifts: ['breaking field-missing spec.level'],
    refusesSamples: true,
  },
  {
    title: 'a removed field of items',
    change: fields({
      users: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: text } } },
    }),
    drifts: ['breaking field-missing spec.users[].role'],
    refusesSamples: true,
  },
  {
    title: 'a removed field of the status',
    change: () => ({ status: { size: { type: 'integer' } } }),
    drifts: ['breaking field-missing status.phase'],
  },
  {
    title: 'another type',
    change: fields({ level: text }),
    drifts: ['breaking type-changed spec.level'],
    refusesSamples: true,
  },
  {
    title: 'another type of items',
    change: fields({
      tags: { type: 'array', maxItems: 5, items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
    }),
    drifts: ['breaking type-changed spec.tags[]'],
    refusesSamples: true,
  },
  {
    title: 'another type of map values',
    change: fields({ labels: { type: 'object', additionalProperties: { type: 'boolean' } } }),
    drifts: ['breaking type-changed spec.labels{}'],
    refusesSamples: true,
  },
  {
    title: 'a map with fixed fields',
    change: fields({ labels: { type: 'object', properties: { app: text } } }),
    drifts: ['breaking type-changed spec.labels'],
    refusesSamples: true,
  },
  {
    title: 'a type with more values',
    change: fields({ level: { 'x-kubernetes-int-or-string': true } }),
    drifts: ['breaking type-changed spec.level'],
  },
  {
    title: 'fractions instead of integers',
    change: fields({ level: { type: 'number' } }),
    drifts: ['note type-changed spec.level'],
  },
  {
    title: 'integers instead of fractions',
    change: fields({ ratio: { type: 'integer' } }),
    drifts: ['breaking type-changed spec.ratio'],
  },
  {
    title: 'a field without a schema',
    change: fields({ level: { 'x-kubernetes-preserve-unknown-fields': true } }),
    drifts: ['note type-removed spec.level'],
  },
  {
    title: 'tighter numbers',
    change: fields({ size: { type: 'integer', minimum: 2, maximum: 5, default: 3 } }),
    drifts: ['breaking limit-tightened spec.size', 'breaking limit-tightened spec.size'],
    refusesSamples: true,
  },
  {
    title: 'tighter lengths and sizes',
    change: fields({
      name: { type: 'string', minLength: 2, maxLength: 10 },
      tags: { type: 'array', maxItems: 3, items: text, 'x-kubernetes-list-type': 'set' },
      labels: { type: 'object', maxProperties: 1, additionalProperties: text },
    }),
    drifts: [
      'breaking limit-tightened spec.labels',
      'breaking limit-tightened spec.name',
      'breaking limit-tightened spec.name',
      'breaking limit-tightened spec.tags',
    ],
    refusesSamples: true,
  },
  {
    title: 'a format',
    change: fields({ note: { type: 'string', nullable: true, format: 'ipv4' } }),
    drifts: ['breaking format-changed spec.note'],
    refusesSamples: true,
  },
  {
    title: 'a pattern where there was none',
    change: fields({ note: { type: 'string', nullable: true, pattern: '^x+$' } }),
    drifts: ['breaking pattern-changed spec.note'],
    refusesSamples: true,
  },
  {
    title: 'another pattern',
    change: fields({ code: { type: 'string', pattern: '^[a-z0-9]+$' } }),
    drifts: ['note pattern-changed spec.code'],
  },
  {
    title: 'an optional field that is required',
    change: () => ({ required: ['name', 'level'] }),
    drifts: ['breaking required-added spec.level'],
    refusesSamples: true,
  },
  {
    title: 'a new required field',
    change: (parts) => ({ ...fields({ color: text })(parts), required: ['name', 'color'] }),
    drifts: ['breaking required-added spec.color'],
    refusesSamples: true,
  },
  {
    title: 'a required field that is optional',
    change: () => ({ required: [] }),
    drifts: ['breaking required-removed spec.name'],
    refusesSamples: false,
  },
  {
    title: 'fewer values of an enum',
    change: fields({ mode: { type: 'string', enum: ['A', 'B'] } }),
    drifts: ['breaking enum-narrowed spec.mode'],
    refusesSamples: true,
  },
  {
    title: 'an enum where there was none',
    change: fields({ level: { type: 'integer', enum: [1, 2] } }),
    drifts: ['breaking enum-narrowed spec.level'],
    refusesSamples: true,
  },
  {
    title: 'more values of an enum',
    change: fields({ mode: { type: 'string', enum: ['A', 'B', 'C', 'D'] } }),
    drifts: ['note enum-widened spec.mode'],
  },
  {
    title: 'no enum any more',
    change: fields({ mode: text }),
    drifts: ['note enum-widened spec.mode'],
  },
  {
    title: 'no null any more',
    change: fields({ note: text }),
    drifts: ['note nullable-removed spec.note'],
    refusesSamples: false,
  },
  {
    title: 'null as a new value',
    change: fields({ level: { type: 'integer', nullable: true } }),
    drifts: ['breaking nullable-added spec.level'],
  },
  {
    title: 'another default',
    change: fields({ size: { type: 'integer', minimum: 1, maximum: 9, default: 4 } }),
    drifts: ['note default-changed spec.size'],
  },
  {
    title: 'another type of list',
    change: fields({ tags: { type: 'array', maxItems: 5, items: text } }),
    drifts: ['note list-type-changed spec.tags'],
  },
  {
    title: 'unknown fields that are dropped',
    change: fields({ extra: { type: 'object' } }),
    drifts: ['breaking unknown-fields-dropped spec.extra'],
    refusesSamples: true,
  },
  {
    title: 'a new rule',
    change: () => ({ rules: [{ rule: "self.name != 'forbidden'", message: 'the name is forbidden' }] }),
    drifts: ['note rule-added spec'],
  },
  {
    title: 'new alternatives',
    change: fields({
      code: { type: 'string', pattern: '^[a-z]+$', anyOf: [{ minLength: 1 }, { maxLength: 9 }] },
    }),
    drifts: ['note alternatives-changed spec.code'],
  },
  {
    title: 'a version that is not served any more',
    change: () => ({ served: false }),
    drifts: ['breaking version-missing '],
  },
  {
    title: 'a deprecated version',
    change: ({ version }) => ({
      version: { ...version, deprecated: true, deprecationWarning: 'Widget is deprecated in v1.2+' },
    }),
    drifts: ['note deprecated  v1.2'],
  },
  {
    title: 'another scope',
    change: () => ({ scope: 'Cluster' }),
    drifts: ['breaking scope-changed '],
  },
  {
    title: 'another kind',
    change: () => ({ kind: 'Gadget' }),
    drifts: ['breaking kind-changed '],
    refusesSamples: true,
  },
  {
    title: 'another plural',
    change: () => ({ plural: 'widgetz' }),
    drifts: ['breaking resource-renamed '],
  },
  {
    title: 'no status subresource any more',
    change: ({ version }) => ({ version: { ...version, subresources: {} } }),
    drifts: ['breaking subresource-missing ', 'breaking subresource-missing '],
  },
  {
    title: 'a field that selectors do not accept any more',
    change: ({ version }) => ({ version: { ...version, selectableFields: [{ jsonPath: '.spec.code' }] } }),
    drifts: ['breaking selectable-field-missing spec.mode'],
  },
  { title: 'no definition any more', drifts: ['breaking resource-missing '] },
];

/** Returns a definition for a group. Version v2 has the schema of `base`. */
export function definitionOf(
  group: string,
  parts: Parts,
): Readonly<Record<'apiVersion' | 'kind' | 'metadata' | 'spec', unknown>> {
  const { scope, kind, plural, served, version, required, rules } = parts;
  const schemaOf = (own: Parts): Json => ({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: own.fields,
        ...(own.required.length === 0 ? {} : { required: own.required }),
        ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
      },
      status: { type: 'object', properties: own.status },
    },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served,
          storage: false,
          schema: { openAPIV3Schema: schemaOf({ ...parts, required }) },
          ...version,
        },
        { name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  };
}
