/** Definitions with unusual content survive `kgen manifests`, by `kgen import` and by generated types. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/schema/values/json.ts';
import { roundTrip, roundTripOf, typesRoundTrip } from '../support/round-trip.ts';

const text = { type: 'string' };
const int32 = { type: 'integer', format: 'int32' };
const intOrString = { 'x-kubernetes-int-or-string': true };
const kept = { 'x-kubernetes-preserve-unknown-fields': true };

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

function list(items: Json, more: JsonObject = {}): JsonObject {
  return { type: 'array', items, ...more };
}

function map(additionalProperties: Json, more: JsonObject = {}): JsonObject {
  return { type: 'object', additionalProperties, ...more };
}

function described(...descriptions: readonly string[]): JsonObject {
  return object(
    Object.fromEntries(descriptions.map((description, index) => [`d${index}`, { ...text, description }])),
  );
}

function rules(...validations: readonly JsonObject[]): JsonObject {
  return { 'x-kubernetes-validations': validations };
}

const unchanged = { rule: 'self == oldSelf', message: 'field is immutable' };

/** Schemas of `spec`. */
const specs: Readonly<Record<string, JsonObject>> = {
  'descriptions that end comments or look like tags': described(
    'Ends */ here, and /** begins */ again.',
    'Globs such as /**/ and **/*.yaml.',
    '@tag at the start, an @inline one, (@param) and {@link x}, mail@example.com, and \\@escaped.',
    'First line.\n@minimum 3\n@schema {"type":"integer"}',
    'A backslash before a slash: *\\/ and \\@ alone.',
  ),
  'descriptions with code, fences and white space': described(
    'Example:\n```yaml\na: 1\n  b: @x\n```\nEnd.',
    'An open fence:\n```\n@not a tag',
    '~~~\n*/\n~~~',
    '  leading and trailing   \n\n\n\n  lines\t with tabs  ',
    'One ` backtick and an @at sign.',
    `A very long line ${'with words '.repeat(60)}and an end.`,
    `${'x'.repeat(400)} ${'@y '.repeat(100)}`,
  ),
  'descriptions that say Deprecated': described(
    'Deprecated: use other.',
    'DEPRECATED',
    'Deprecated.',
    'A field. Deprecated: it is old.',
    'deprecated: lower case',
  ),
  'descriptions with invisible and wide characters': described(
    'Zero\u200bwidth, right\u202eto left, a joiner \u{1f468}\u200d\u{1f469}, \u00a0 a space, and \u2028 a line.',
    'Größe 大小 \u0000 control \u0007.',
    '\ufeffmark',
  ),
  'names that are members of objects or no identifiers': object(
    Object.fromEntries([
      ...[
        '__proto__',
        'constructor',
        'toString',
        'a-b',
        '',
        '9lives',
        '$ref',
        "it's",
        'a"b',
        'a\\b',
        'new',
      ].map((name): [string, Json] => [name, text]),
      ['class', object({ __proto: object({ constructor: int32 }) })],
      ['a.b/c', list(object({ 'x y': text }, { required: ['x y'] }))],
      ['ünï', text],
    ]),
    { required: ['', '__proto__', 'a-b', 'constructor'] },
  ),
  'names that become equal in PascalCase': object({
    aB: object({ x: text }),
    a_b: object({ x: int32 }),
    'a-b': object({ y: object({ x: text }) }),
    AB: object({ aB: object({ z: text }) }),
    items: list(object({ item: list(object({ items: text })) })),
    item: object({ other: text }),
  }),
  'enums with quotes, numbers, duplicates and null': object({
    quotes: { ...text, enum: ["it's", 'a"b', '`', '\\', '', ' ', '*/', '@x', 'ä', '\n'] },
    one: { ...text, enum: ['only'] },
    numbers: { type: 'integer', enum: [3, -1, 0, 2] },
    fractions: { type: 'number', enum: [0.5, -1.25, 1] },
    booleans: { type: 'boolean', enum: [true] },
    both: { type: 'boolean', enum: [true, false] },
    nullable: { ...text, enum: ['a', null], nullable: true },
    some: { ...text, enum: ['b', 'a'], nullable: true, default: 'a' },
    items: list({ ...text, enum: ['z', 'y'] }),
    values: map({ type: 'integer', format: 'int64', enum: [2, 1] }),
  }),
  'patterns that end comments, quote, or look like suffixes': object(
    Object.fromEntries(
      [
        '^.*/.*$',
        '*/',
        '"quoted"',
        '^"$',
        ' leading',
        'trailing ',
        'two  blanks',
        '@x (items)',
        '^a$ (items)',
        '(values)',
        '\\@',
        '*\\/',
        '{a}',
        '^[\\s\\S]*$',
        'a\nb',
        'ü\u200b',
        '`a @b`',
        '```',
      ].map((pattern, index): [string, Json] => [`p${index}`, { ...text, pattern }]),
    ),
  ),
  'defaults and examples of every type': object(
    {
      at: { ...text, default: '@daily', example: '@x */' },
      unicode: { ...text, default: 'ü\u200b\u2028大' },
      spaces: { ...text, default: '  two  ' },
      empty: { ...text, default: '' },
      nothing: { ...text, nullable: true, default: null },
      deep: object(
        { a: object({ b: { ...int32, default: -3 } }, { default: {} }) },
        { default: { a: { b: 1 } } },
      ),
      list: list(text, { default: ['a', '*/ @b', ' (items)'] }),
      map: map(text, { default: { '@k': ' v ', constructor: 'c' } }),
      number: { type: 'number', default: 1e21 },
      docs: {
        ...text,
        title: 'A "title" -- with @signs',
        externalDocs: { url: 'https://example.com/*/x', description: '' },
      },
      required: { ...text, default: 'x' },
    },
    { required: ['required'] },
  ),
  'rules with line breaks, separators and every member': object({
    a: {
      ...text,
      ...rules(
        { rule: 'self\n  != "a -- b"', message: 'not -- this (or that)' },
        { rule: "self.matches('^@[a-z]+ */$')", message: '@x' },
        { rule: 'true -- true', reason: 'FieldValueForbidden', fieldPath: '.a' },
        { rule: 'self != ""', messageExpression: '"m: " + self', reason: 'FieldValueInvalid' },
        { rule: 'self == oldSelf.orValue("")', optionalOldSelf: true },
        { rule: '  self.size() > 1  ' },
        { rule: '{"a": 1}.a == 1', message: ' reason=x' },
        { rule: 'self != "b"', message: 'ends in (items)' },
        { rule: 'self != "c"', message: 'two  blanks' },
      ),
    },
  }),
  'immutable members, with and without the rule of their object': object(
    {
      must: { ...text, ...rules(unchanged) },
      may: { ...text, ...rules(unchanged) },
      worded: { ...text, ...rules({ rule: 'self == oldSelf', message: 'never' }) },
      bare: { ...text, ...rules({ rule: 'self == oldSelf' }) },
      later: { ...text, ...rules(unchanged, { rule: 'self != ""' }) },
      twice: { ...text, ...rules(unchanged, unchanged) },
      lasting: object(
        {
          'a-b': { ...text, ...rules(unchanged) },
          c: object({ d: text }, rules({ rule: 'has(self.d)' }, unchanged)),
        },
        rules(
          {
            rule: '!has(oldSelf.a__dash__b) || has(self.a__dash__b)',
            message: 'field a-b is immutable once set',
          },
          { rule: '!has(oldSelf.c) || has(self.c)', message: 'field c is immutable once set' },
          { rule: 'has(self.c)' },
        ),
      ),
      items: list({ ...text, maxLength: 9, ...rules(unchanged) }, { maxItems: 9 }),
    },
    { required: ['must'] },
  ),
  'lists of maps of lists with tags on each level': object({
    deep: list(
      map(
        list(
          { ...text, minLength: 1, pattern: '^a (items)$', description: 'A word.' },
          { 'x-kubernetes-list-type': 'set', maxItems: 3 },
        ),
        {
          maxProperties: 2,
          'x-kubernetes-map-type': 'atomic',
        },
      ),
      { 'x-kubernetes-list-type': 'atomic', minItems: 1, description: 'Deep.' },
    ),
    maps: map(
      map(
        map(object({ n: { ...int32, minimum: 1 } }, { minProperties: 1, description: 'Inner.' }), {
          maxProperties: 1,
        }),
      ),
    ),
    rules: map(
      list(object({ k: text }, rules({ rule: 'has(self.k)' })), { maxItems: 4 }),
      rules({ rule: 'self.size() < 4' }),
    ),
    both: object(
      {
        a: list(object({ x: text }, { required: ['x'] }), {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['x'],
        }),
        b: list(object({ x: text }, { required: ['x'] }), { 'x-kubernetes-list-type': 'atomic' }),
      },
      { 'x-kubernetes-map-type': 'granular' },
    ),
  }),
  'null on every level': object({
    text: { ...text, nullable: true },
    list: list({ ...text, nullable: true }, { nullable: true }),
    objects: list(object({ a: { ...int32, nullable: true } }, { nullable: true })),
    map: map(object({ b: text }, { nullable: true }), { nullable: true }),
    either: { ...intOrString, nullable: true },
    any: { ...kept, nullable: true },
    anyItems: list({ ...kept, nullable: true }),
    free: { type: 'object', ...kept, nullable: true },
    part: object({ c: text }, { nullable: true }),
  }),
  'values of unknown content': object({
    any: kept,
    anyDescribed: { ...kept, description: 'Anything.' },
    free: { type: 'object', ...kept },
    pruned: { type: 'object' },
    open: object({ a: text }, kept),
    anyValues: map(kept),
    anyItems: list(kept),
    freeItems: list({ type: 'object', ...kept }),
    freeValues: map({ type: 'object', ...kept, description: 'Each.' }),
    prunedValues: map({ type: 'object' }),
    keptMap: map(text, kept),
    keptList: list(text, kept),
  }),
  'embedded objects': object({
    whole: { type: 'object', ...kept, 'x-kubernetes-embedded-resource': true },
    wholes: list({ type: 'object', ...kept, 'x-kubernetes-embedded-resource': true }),
    part: object(
      { apiVersion: text, kind: text, metadata: { type: 'object' }, spec: object({ a: text }) },
      { 'x-kubernetes-embedded-resource': true, required: ['kind'] },
    ),
    open: object({ spec: text }, { ...kept, 'x-kubernetes-embedded-resource': true }),
  }),
  'integers or strings': object({
    plain: intOrString,
    paired: { ...intOrString, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    wrapped: {
      ...intOrString,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { maxLength: 3 }],
    },
    limited: { ...intOrString, pattern: '^[0-9]+%$', maxLength: 4, minimum: 1, default: '25%' },
    items: list({ ...intOrString, pattern: '^x' }),
    values: map({ ...intOrString, description: 'A share.' }),
  }),
  'formats and bounds': object({
    ...Object.fromEntries(
      ['int32', 'int64', 'uint32', 'x'].map((format): [string, Json] => [
        `i${format}`,
        { type: 'integer', format },
      ]),
    ),
    ...Object.fromEntries(
      ['float', 'double', 'int32'].map((format): [string, Json] => [
        `n${format}`,
        { type: 'number', format },
      ]),
    ),
    ...Object.fromEntries(
      ['date-time', 'byte', 'duration', 'date', 'ipv4', 'a b'].map((format): [string, Json] => [
        `s${format}`,
        { type: 'string', format },
      ]),
    ),
    plain: { type: 'integer' },
    number: { type: 'number' },
    big: { type: 'integer', format: 'int64', minimum: -9223372036854775808n, maximum: 9223372036854775807n },
    exclusive: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1.5, exclusiveMaximum: true },
    half: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: false },
    steps: { type: 'number', multipleOf: 0.1, maximum: 1e300 },
  }),
  'logical keywords': object(
    {
      a: text,
      b: text,
      c: { ...text, not: { enum: ['x'] }, anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
    },
    {
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
      allOf: [{ not: { required: ['a', 'b'] } }],
      anyOf: [{ properties: { a: { enum: ['*/', '@x'] } } }, { required: ['c'] }],
    },
  ),
  'interfaces that differ in comments only': object({
    a: object({ s: object({ x: text }, { description: 'One.' }) }, { minProperties: 1 }),
    b: object({ s: object({ x: text }, { description: 'Two.' }) }),
    c: object({ s: object({ x: { ...text, maxLength: 1 } }) }),
    d: object({ s: object({ x: text }, { minProperties: 1 }) }),
    e: object({ s: object({ x: text }, { default: {} }) }),
    f: list(object({ x: text }, { minProperties: 1 })),
  }),
  'objects of one type whose properties differ in comments': object({
    a: object({ s: object({ x: { ...text, title: 'One', example: 1 } }) }),
    b: object({ s: object({ x: { ...text, title: 'Two' } }) }),
    c: list(object({ s: object({ x: text }) })),
    d: list(object({ y: { ...text, default: 'y' } }, { required: ['y'] })),
    e: list(object({ y: { ...text, default: 'y' } })),
    f: object({ y: { ...text, default: 'y' } }),
    g: map(object({ z: map(text, kept) }, { title: 'G', description: 'G.' })),
    h: map(object({ z: map(text) }, { title: 'H' })),
    i: object({ e: { ...text, enum: ['a', 'b'] } }),
    j: object({ e: { ...text, enum: ['a', 'b', 'a'] } }),
    k: object({ e: { ...text, anyOf: [{ enum: ['a'] }, { enum: ['b'] }] } }),
    l: object({ e: { ...text, enum: ['a', 'b'], nullable: true } }),
  }),
  'objects of one type whose constraints differ': object({
    a: list(object({ x: text }, { minProperties: 1, description: 'One.' })),
    b: list(object({ x: text }, { description: 'Two.' })),
    c: map(list(object({ x: text }, rules({ rule: 'has(self.x)' })))),
    d: object({ x: text }, { maxProperties: 1 }),
    e: list(object({ y: int32 }, { 'x-kubernetes-map-type': 'atomic', description: 'Both.' })),
    f: list(object({ y: int32 }, { 'x-kubernetes-map-type': 'atomic', description: 'Both.' })),
    g: object({ z: text }, { title: 'G' }),
    h: list(object({ z: text }, { default: { z: 'h' } }), { default: [{}] }),
  }),
  'values that only tags state': object(
    {
      long: { ...text, default: 'x'.repeat(9000), pattern: `^${'a'.repeat(9000)}$` },
      many: object(
        { a: text, b: text },
        { anyOf: Array.from({ length: 400 }, (_, index) => ({ properties: { a: { maxLength: index } } })) },
      ),
      titled: {
        ...intOrString,
        title: 'Either',
        example: '25%',
        externalDocs: { url: 'https://example.com' },
      },
      lists: list(list({ type: 'integer' }, { title: 'Row' }), { example: [[1]] }),
      described: list({ ...text, description: 'Each (items) of "them".' }, { description: 'All.' }),
      deprecated: { ...text, description: 'Deprecated' },
      deprecatedList: list({ ...text, description: 'Deprecated: items.' }),
      spaced: { ...text, ...rules({ rule: 'self==oldSelf' }) },
      all: {
        ...text,
        ...rules({ rule: 'self == oldSelf', message: 'field is immutable', reason: 'FieldValueForbidden' }),
      },
      sentences: described(
        'Always set in responses: the server fills in the default.',
        'See\n\n`Kind.spec`',
        '`Kind.spec` and 3 other places',
      ),
    },
    { required: ['all'] },
  ),
  'types with the names of other types': object({
    condition: object({ date: object({ x: text }), record: map(object({ y: text })) }),
    quantity: object({ partial: object({ z: text }) }),
    timestamp: { type: 'string', format: 'date-time', description: 'When.' },
  }),
};

function definition(kind: string, schema: JsonObject): JsonObject {
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.example.com` },
    spec: {
      group: 'example.com',
      names: { kind, plural: `${singular}s`, singular, listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

const roots: Readonly<Record<string, JsonObject>> = {
  'constraints on the identity of an object': object(
    {
      apiVersion: { ...text, enum: ['example.com/v1'] },
      kind: { ...text, enum: ['KindA'], description: 'Only this one.' },
      metadata: {
        type: 'object',
        description: 'Short names.',
        properties: { name: { ...text, maxLength: 63, pattern: '^[a-z]+$' } },
        required: ['name'],
      },
      spec: object({
        part: object(
          {
            apiVersion: text,
            kind: { ...text, enum: ['Pod', 'Job'] },
            metadata: { type: 'object' },
            spec: text,
          },
          { 'x-kubernetes-embedded-resource': true, required: ['apiVersion', 'kind', 'spec'] },
        ),
      }),
    },
    { required: ['metadata', 'spec'] },
  ),
  'a required status, and members beside the spec': object(
    { spec: text, status: object({ a: text }), data: map(text), more: { ...int32, default: 1 } },
    { required: ['status', 'more'] },
  ),
};

const names = [...Object.keys(specs), ...Object.keys(roots)];
const kinds = names.map((_, index) => `Kind${String.fromCharCode(97 + index).repeat(2)}`);
const definitions = names.map((name, index) =>
  definition(kinds[index] ?? '', roots[name] ?? object({ spec: specs[name] ?? {} })),
);

describe.each([
  { source: 'imported modules', trip: roundTrip },
  { source: 'generated types', trip: typesRoundTrip },
])('round trip by $source', async ({ trip }) => {
  const { before, after, problems } = await roundTripOf(definitions, trip);

  it('has no errors', () => {
    expect(problems).toEqual([]);
  });

  it.each(names.map((name, index) => ({ name, key: `${kinds[index]?.toLowerCase()}s.example.com` })))(
    'keeps $name',
    ({ key }) => {
      expect(before).toHaveProperty([key]);
      expect(after[key]).toEqual(before[key]);
    },
  );
});
