/** Rules of changes. `test/e2e-changes` compares their effects with those on a real server. */
import type { JsonObject } from '@kgen/schema/values/json';
import { describe, expect, test } from 'vitest';
import { crd } from '../../../../test/support/crd.ts';
import type { DefinitionChange } from './change.ts';
import { definitionChanges } from './definition-changes.ts';

function definition(version: object, spec: object = {}, status: object = {}): JsonObject {
  const { spec: whole, ...others } = crd({ kind: 'Widget', versions: [version as never] }) as {
    spec: object;
  };
  return { ...others, spec: { ...whole, ...spec }, ...status } as JsonObject;
}

const withSchema = (schema: object): object => ({ schema });

/** A definition whose objects have the field `spec.field` of a schema. */
const fieldOf = (field: object): JsonObject =>
  definition(withSchema({ type: 'object', properties: { spec: { type: 'object', properties: { field } } } }));

function shown(changes: readonly DefinitionChange[]): readonly string[] {
  return changes.map(({ rule, field, stored, unchanged, clients }) =>
    [rule, field, stored, unchanged, clients === 'breaks' ? 'clients' : undefined]
      .filter((part) => part !== undefined && part !== '')
      .join(' | '),
  );
}

const text = { type: 'string' };
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });
const map = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] };
const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const rules = (...expressions: readonly string[]): object => ({
  'x-kubernetes-validations': expressions.map((rule) => ({ rule })),
});

/** A change that is refused where the value changes. */
const kept = (rule: string, field = '.spec.field', unit = field): string =>
  `${rule} | ${field} | breaks unless unchanged | ${unit} | clients`;

describe('a field', () => {
  test.each<[string, object, object, readonly string[]]>([
    ['another type', text, { type: 'boolean' }, [kept('type-narrowed')]],
    [
      'a wider type',
      { type: 'integer' },
      { type: 'number' },
      ['type-widened | .spec.field | none | clients'],
    ],
    ['a narrower number', { type: 'number' }, { type: 'integer' }, [kept('type-narrowed')]],
    [
      'int-or-string instead of an integer',
      { type: 'integer' },
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      ['type-widened | .spec.field | none | clients'],
    ],
    [
      'a string instead of int-or-string',
      { 'x-kubernetes-int-or-string': true },
      text,
      [kept('type-narrowed')],
    ],
    [
      'a removed value of an enum',
      { ...text, enum: ['a', 'b'] },
      { ...text, enum: ['b'] },
      [kept('enum-narrowed')],
    ],
    ['a new enum', text, { ...text, enum: ['b'] }, [kept('enum-narrowed')]],
    [
      'a new value of an enum',
      { ...text, enum: ['a'] },
      { ...text, enum: ['b', 'a'] },
      ['enum-widened | .spec.field | none'],
    ],
    ['an enum in another order', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['b', 'a'] }, []],
    ['an empty enum', text, { ...text, enum: [] }, []],
    ['a new pattern', text, { ...text, pattern: '^a' }, [kept('pattern-changed')]],
    ['a removed pattern', { ...text, pattern: '^a' }, text, []],
    ['a new format', text, { ...text, format: 'date-time' }, [kept('format-narrowed')]],
    ['an unknown format', text, { ...text, format: 'colour' }, []],
    ['a wider format', { type: 'integer', format: 'int32' }, { type: 'integer', format: 'int64' }, []],
    ['the format of all integers', { type: 'integer' }, { type: 'integer', format: 'int64' }, []],
    [
      'a narrower format',
      { type: 'integer' },
      { type: 'integer', format: 'int32' },
      [kept('format-narrowed')],
    ],
    [
      'a higher minimum',
      { type: 'integer', minimum: 1 },
      { type: 'integer', minimum: 2 },
      [kept('minimum-raised')],
    ],
    ['a lower minimum', { type: 'integer', minimum: 1 }, { type: 'integer', minimum: 0 }, []],
    [
      'an exclusive minimum',
      { type: 'integer', minimum: 1 },
      { type: 'integer', minimum: 1, exclusiveMinimum: true },
      [kept('minimum-raised')],
    ],
    [
      'an exclusive minimum with the same integral part',
      { type: 'number', minimum: 1.2 },
      { type: 'number', minimum: 1.1, exclusiveMinimum: true },
      [kept('minimum-raised')],
    ],
    [
      'a lower maximum',
      { type: 'integer', maximum: 2 },
      { type: 'integer', maximum: 1 },
      [kept('maximum-lowered')],
    ],
    ['a new maximum', { type: 'integer' }, { type: 'integer', maximum: 1 }, [kept('maximum-lowered')]],
    ['a divisor of the divisor', { type: 'integer', multipleOf: 6 }, { type: 'integer', multipleOf: 3 }, []],
    [
      'another divisor',
      { type: 'integer', multipleOf: 6 },
      { type: 'integer', multipleOf: 4 },
      [kept('multiple-of-changed')],
    ],
    ['a longer minimum', text, { ...text, minLength: 1 }, [kept('min-length-raised')]],
    ['a shorter maximum', { ...text, maxLength: 9 }, { ...text, maxLength: 8 }, [kept('max-length-lowered')]],
    ['more items', list(text), list(text, { minItems: 1 }), [kept('min-items-raised')]],
    ['fewer items', list(text), list(text, { maxItems: 1 }), [kept('max-items-lowered')]],
    [
      'fewer properties',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: text, maxProperties: 1 },
      [kept('max-properties-lowered')],
    ],
    [
      'an alternative less',
      object({ a: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      object({ a: text }, { anyOf: [{ required: ['a'] }] }),
      [kept('alternatives-changed')],
    ],
    [
      'an alternative more',
      object({ a: text }, { anyOf: [{ required: ['a'] }] }),
      object({ a: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      [],
    ],
    ['a new exclusion', text, { ...text, not: { enum: ['a'] } }, [kept('alternatives-changed')]],
    [
      'null, which a field may lack',
      { ...text, nullable: true },
      text,
      ['nullable-removed | .spec.field | drops data | clients'],
    ],
    [
      'null in lists',
      list({ ...text, nullable: true }),
      list(text),
      [kept('nullable-removed', '.spec.field[]', '.spec.field')],
    ],
    ['a new null', text, { ...text, nullable: true }, ['nullable-added | .spec.field | none | clients']],
    ['a new rule', text, { ...text, ...rules('self != "a"') }, [kept('rule-added')]],
    [
      'a rule with another message',
      { ...text, ...rules('self != "a"') },
      { ...text, 'x-kubernetes-validations': [{ rule: 'self != "a"', message: 'a is reserved' }] },
      [],
    ],
    [
      'a field that cannot be changed any more',
      text,
      { ...text, ...rules('self == oldSelf') },
      ['transition-rule-added | .spec.field | none | clients'],
    ],
    [
      'a rule about changes that refuses each update',
      { type: 'integer' },
      { type: 'integer', ...rules('self > oldSelf') },
      ['transition-rule-added | .spec.field | breaks | clients'],
    ],
    ['a new default', text, { ...text, default: 'a' }, ['default-added | .spec.field | none | clients']],
    [
      'another default',
      { ...text, default: 'a' },
      { ...text, default: 'b' },
      ['default-changed | .spec.field | none | clients'],
    ],
    [
      'no default any more',
      { ...text, default: 'a' },
      text,
      ['default-removed | .spec.field | none | clients'],
    ],
    [
      'no field any more',
      object({ a: text, b: text }),
      object({ a: text }),
      ['field-removed | .spec.field.b | drops data | clients'],
    ],
    ['another field', object({ a: text }), object({ a: text, b: text }), []],
    [
      'a new required field',
      object({ a: text }),
      object({ a: text, b: text }, { required: ['b'] }),
      [kept('required-added', '.spec.field.b', '.spec.field')],
    ],
    [
      'a required field with a default',
      object({ a: text }),
      object({ a: { ...text, default: 'x' } }, { required: ['a'] }),
      ['default-added | .spec.field.a | none | clients', 'required-added | .spec.field.a | none'],
    ],
    [
      'a field that is not required any more',
      object({ a: text }, { required: ['a'] }),
      object({ a: text }),
      ['required-removed | .spec.field.a | none | clients'],
    ],
    [
      'a map of fewer values',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: { ...text, maxLength: 3 } },
      [kept('max-length-lowered', '.spec.field{}')],
    ],
    [
      'an object instead of a map',
      { type: 'object', additionalProperties: text },
      object({ a: { ...text, maxLength: 3 } }),
      [
        'additional-properties-removed | .spec.field | drops data | clients',
        kept('max-length-lowered', '.spec.field.a'),
      ],
    ],
    [
      'unknown fields, which are dropped',
      { type: 'object', ...preserve },
      object({ a: text }),
      ['unknown-fields-dropped | .spec.field | drops data | clients', kept('type-narrowed', '.spec.field.a')],
    ],
    [
      'an embedded resource',
      object({ a: text }),
      object({ a: text }, { 'x-kubernetes-embedded-resource': true }),
      ['embedded-resource-added | .spec.field | breaks | clients'],
    ],
    ['a set', list(text), list(text, { 'x-kubernetes-list-type': 'set' }), [kept('list-type-changed')]],
    [
      'an atomic list',
      list(text, { 'x-kubernetes-list-type': 'set' }),
      list(text),
      ['list-type-changed | .spec.field | none | clients'],
    ],
    [
      'another map type',
      object({ a: text }),
      object({ a: text }, { 'x-kubernetes-map-type': 'atomic' }),
      ['map-type-changed | .spec.field | none | clients'],
    ],
    [
      'an item of a list map',
      list(object({ id: text, a: text }, { required: ['id'] }), map),
      list(object({ id: text, a: { ...text, maxLength: 1 } }, { required: ['id'] }), map),
      [kept('max-length-lowered', '.spec.field[].a')],
    ],
    [
      'an item of another list',
      list(object({ a: text })),
      list(object({ a: { ...text, maxLength: 1 } })),
      [kept('max-length-lowered', '.spec.field[].a', '.spec.field')],
    ],
    [
      'a field that a rule around it reads',
      object({ a: text, b: text }, rules('has(self.b)')),
      object({ a: text }, rules('has(self.b)')),
      ['field-removed | .spec.field.b | breaks unless unchanged | .spec.field | clients'],
    ],
    [
      'a type that a rule around it reads, which fails for unchanged values, too',
      object({ a: text }, rules('has(self.a)')),
      object({ a: { type: 'integer' } }, rules('has(self.a)')),
      ['type-narrowed | .spec.field.a | breaks | clients'],
    ],
    [
      'a value with fields that have no schema, which servers never take as unchanged',
      object({ a: { type: 'object', ...preserve } }),
      object({ a: { type: 'object', ...preserve } }, { minProperties: 1 }),
      ['min-properties-raised | .spec.field | breaks | clients'],
    ],
    [
      'descriptions',
      { ...text, description: 'a' },
      { ...text, description: 'b', title: 'c', example: 'd' },
      [],
    ],
    [
      'names of members of objects',
      object({ toString: text }),
      object({}),
      ['field-removed | .spec.field.toString | drops data | clients'],
    ],
  ])('is compared: %s', (_, before, after, expected) => {
    expect(shown(definitionChanges(fieldOf(before), fieldOf(after)))).toEqual(expected);
    expect(definitionChanges(fieldOf(before), fieldOf(before))).toEqual([]);
    expect(definitionChanges(fieldOf(after), fieldOf(after))).toEqual([]);
  });

  test('of the whole object is refused in each update', () => {
    const before = definition(withSchema(object({ spec: object({}) })));
    const after = definition(withSchema(object({ spec: object({}) }, { required: ['spec'] })));
    expect(shown(definitionChanges(before, after))).toEqual(['required-added | .spec | breaks | clients']);
  });

  test('has the position of the changed keyword, and of a removed field in the old definition', () => {
    const steps = [
      'spec',
      'versions',
      0,
      'schema',
      'openAPIV3Schema',
      'properties',
      'spec',
      'properties',
      'field',
    ];
    const [narrowed] = definitionChanges(fieldOf(text), fieldOf({ ...text, maxLength: 3 }));
    expect(narrowed).toMatchObject({ version: 'v1', path: [...steps, 'maxLength'], after: 3 });
    expect(narrowed).not.toHaveProperty('isRemoved');
    const [removed] = definitionChanges(fieldOf(object({ a: text })), fieldOf(object({})));
    expect(removed).toMatchObject({ path: [...steps, 'properties', 'a'], isRemoved: true });
  });
});

describe('a definition', () => {
  const schema = object({ spec: object({ replicas: { type: 'integer' } }) });
  const v1 = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  const v2 = { ...v1, name: 'v2', storage: false };
  const versions = (...all: readonly object[]): JsonObject => definition({}, { versions: all });
  const names = (more: object): JsonObject =>
    definition({ schema }, { names: { kind: 'Widget', plural: 'widgets', singular: 'widget', ...more } });
  const scale = (specReplicasPath: string): JsonObject =>
    versions({
      ...v1,
      subresources: { scale: { specReplicasPath, statusReplicasPath: '.status.replicas' } },
    });
  const webhook = { conversion: { strategy: 'Webhook' } };

  test.each<[string, JsonObject | undefined, JsonObject | undefined, readonly string[]]>([
    ['is new', undefined, versions(v1), []],
    ['is removed', versions(v1), undefined, ['definition-removed | drops data | clients']],
    [
      'another scope',
      versions(v1),
      definition({}, { versions: [v1], scope: 'Cluster' }),
      ['scope-changed | breaks | clients'],
    ],
    [
      'another group',
      versions(v1),
      definition({}, { versions: [v1], group: 'other.example.com' }),
      ['group-changed | breaks | clients'],
    ],
    [
      'another kind',
      versions(v1),
      names({ kind: 'Gadget' }),
      ['kind-changed | breaks | clients', 'list-kind-changed | none | clients'],
    ],
    ['another plural', names({}), names({ plural: 'widgetz' }), ['plural-changed | breaks | clients']],
    [
      'another kind of lists',
      names({}),
      names({ listKind: 'Widgets' }),
      ['list-kind-changed | none | clients'],
    ],
    ['the default kind of lists', names({}), names({ listKind: 'WidgetList' }), []],
    [
      'a removed short name',
      names({ shortNames: ['w', 'wi'] }),
      names({ shortNames: ['wi'] }),
      ['short-name-removed | none | clients'],
    ],
    ['a removed category', names({ categories: ['all'] }), names({}), ['category-removed | none | clients']],
    ['a removed version', versions(v1, v2), versions(v1), ['stored-version-removed | breaks | clients']],
    [
      'a removed version without stored objects',
      definition({}, { versions: [v1, v2] }, { status: { storedVersions: ['v1'] } }),
      versions(v1),
      ['version-removed | none | clients'],
    ],
    [
      'a removed version that is not served',
      definition({}, { versions: [v1, { ...v2, served: false }] }, { status: { storedVersions: ['v1'] } }),
      versions(v1),
      ['version-removed | none'],
    ],
    [
      'a version that is not served any more',
      versions(v1, v2),
      versions(v1, { ...v2, served: false }),
      ['version-unserved | none | clients'],
    ],
    [
      'another storage version',
      versions(v1, v2),
      versions({ ...v1, storage: false }, { ...v2, storage: true }),
      ['storage-version-changed | none'],
    ],
    [
      'a new version that accepts fewer objects',
      versions(v1),
      versions(v1, { ...v2, schema: { openAPIV3Schema: object({ spec: object({}, { required: ['a'] }) }) } }),
      [
        'required-added | .spec.a | breaks unless unchanged | .spec',
        'field-removed | .spec.replicas | drops data',
      ],
    ],
    [
      'a new version with a webhook',
      definition({}, { versions: [v1], ...webhook }),
      definition({}, { versions: [v1, { ...v2, schema: { openAPIV3Schema: object({}) } }], ...webhook }),
      [],
    ],
    [
      'no webhook any more',
      definition({}, { versions: [v1, v2], ...webhook }),
      versions(v1, v2),
      ['conversion-changed | drops data | clients'],
    ],
    [
      'a new webhook',
      versions(v1, v2),
      definition({}, { versions: [v1, v2], ...webhook }),
      ['conversion-changed | none'],
    ],
    [
      'a new status',
      versions(v1),
      versions({ ...v1, subresources: { status: {} } }),
      ['status-added | .status | none | clients'],
    ],
    [
      'no status',
      versions({ ...v1, subresources: { status: {} } }),
      versions(v1),
      ['status-removed | .status | none | clients'],
    ],
    ['a scale of unlimited numbers', versions(v1), scale('.spec.replicas'), ['scale-added | breaks']],
    ['another scale', scale('.spec.replicas'), scale('.spec.size'), ['scale-changed | breaks | clients']],
    ['no scale', scale('.spec.replicas'), versions(v1), ['scale-removed | none | clients']],
    [
      'a removed column',
      versions({
        ...v1,
        additionalPrinterColumns: [{ name: 'Wanted', type: 'integer', jsonPath: '.spec.replicas' }],
      }),
      versions(v1),
      ['column-removed | .spec.replicas | none | clients'],
    ],
    [
      'a removed selectable field',
      versions({ ...v1, selectableFields: [{ jsonPath: '.spec.replicas' }] }),
      versions(v1),
      ['selectable-field-removed | .spec.replicas | none | clients'],
    ],
    [
      'no unknown fields any more',
      definition({}, { versions: [v1], preserveUnknownFields: true }),
      versions(v1),
      ['unknown-fields-dropped | drops data | clients'],
    ],
    [
      'a version that no program can use',
      versions(v1, { ...v2, served: false }),
      versions(v1, { ...v2, served: false, schema: { openAPIV3Schema: object({}) } }),
      ['field-removed | .spec | drops data'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(shown(definitionChanges(before, after))).toEqual(expected);
    expect(definitionChanges(before, before)).toEqual([]);
  });
});
