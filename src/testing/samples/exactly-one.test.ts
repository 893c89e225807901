import { defineResource, type Resource } from '@kgen/runtime/client';
import type { SchemaDocument } from '@kgen/runtime/gen/v1';
import { describe, expect, test } from 'vitest';
import { samplesOf } from './samples.ts';

/** Returns a resource whose `spec` has a schema. */
function stores(spec: SchemaDocument): Resource {
  const root: SchemaDocument = { type: 'object', required: ['spec'], properties: { spec } };
  return defineResource<Resource>({
    ...{ group: 'example.com', version: 'v1', kind: 'Store', listKind: 'StoreList', plural: 'stores' },
    ...{ singular: 'store', scope: 'Namespaced', verbs: [] },
    schema: () => Promise.resolve({ definitions: { it: root }, kinds: { Store: 'it' }, imports: {} }),
  });
}

const kinds = ['file', 'http', 'kafka', 'nats', 'redis', 's3', 'sftp', 'smtp', 'sql', 'syslog', 'tcp', 'udp'];

/** Returns names of members, the same for the same number. */
function members(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? '';
    return index < kinds.length ? kind : `${kind}${Math.floor(index / kinds.length)}`;
  });
}

/** Schema of an object with optional objects, each with a required and an optional member. */
function optionalMembers(names: readonly string[]): SchemaDocument {
  const address: SchemaDocument = {
    type: 'object',
    required: ['address'],
    properties: { address: { type: 'string' }, mode: { type: 'string', enum: ['r', 'w', 'rw'] } },
  };
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, address])) };
}

/** CEL conditions that allow exactly one of the members of `self`. */
const spellings: Readonly<Record<string, (names: readonly string[], self: string) => string>> = {
  filter: (names, self) => `[${has(names, self).join(', ')}].filter(x, x).size() == 1`,
  'filter with == true': (names, self) => `size([${has(names, self).join(', ')}].filter(e, e == true)) == 1`,
  exists_one: (names, self) => `[${has(names, self).join(',')}].exists_one(x, x)`,
  sum: (names, self) =>
    `${has(names, self)
      .map((each) => `(${each} ? 1 : 0)`)
      .join(' + ')} == 1`,
  'sum of int()': (names, self) =>
    `1 == ${has(names, self)
      .map((each) => `int(${each} ? 1 : 0)`)
      .join('+')}`,
  'sum of map()': (names, self) => `[${has(names, self).join(', ')}].map(x, x ? 1 : 0).sum() == 1`,
  'optional selections': (names, self) =>
    `[${names.map((name) => `${self}.?${name}.hasValue()`).join(', ')}].filter(x, x).size() == 1`,
  'alternatives of conjunctions': (names, self) =>
    names
      .map((one) => `(${names.map((name) => `${name === one ? '' : '!'}has(${self}.${name})`).join(' && ')})`)
      .join(' || '),
};

function has(names: readonly string[], self: string): readonly string[] {
  return names.map((name) => `has(${self}.${name})`);
}

const byCel = (names: readonly string[], rule: string): SchemaDocument => ({
  ...optionalMembers(names),
  'x-kubernetes-validations': [{ rule }],
});

const bySchema: Readonly<Record<string, (names: readonly string[]) => SchemaDocument>> = {
  'minProperties and maxProperties': (names) => ({
    ...optionalMembers(names),
    minProperties: 1,
    maxProperties: 1,
  }),
  'oneOf of required': (names) => ({
    ...optionalMembers(names),
    oneOf: names.map((name) => ({ required: [name] })),
  }),
};

/** Returns the members that are missing in the samples at a place, and the goals without a sample. */
async function missing(spec: SchemaDocument, names: readonly string[], place: string) {
  const { samples, unmet } = await samplesOf(stores(spec));
  const covered = new Set(samples.flatMap(({ covers }) => covers));
  return {
    members: names.filter((name) => !covered.has(`${place}.${name}: present`)),
    values: names.filter((name) => !covered.has(`${place}.${name}.mode: "rw"`)),
    unmet,
  };
}

const nothing = { members: [], values: [], unmet: [] };
const counts = [2, 5, 12, 43];

describe.each(counts)('samplesOf reaches every one of %d members of which one exists', (count) => {
  const names = members(count);

  test.each(Object.keys(bySchema))('by %s', async (name) => {
    const spec = bySchema[name]?.(names) ?? {};
    expect(await missing(spec, names, 'spec')).toEqual(nothing);
  });

  test.each(Object.keys(spellings))('by a CEL rule: %s', async (name) => {
    const rule = spellings[name]?.(names, 'self') ?? '';
    expect(await missing(byCel(names, rule), names, 'spec')).toEqual(nothing);
  });

  test('by a rule of the object above', async () => {
    const rule = spellings['sum']?.(names, 'self.store') ?? '';
    const spec: SchemaDocument = {
      type: 'object',
      required: ['store'],
      properties: { store: optionalMembers(names) },
      'x-kubernetes-validations': [{ rule }],
    };
    expect(await missing(spec, names, 'spec.store')).toEqual(nothing);
  });

  test('by a rule of the list above', async () => {
    const rule = `self.all(x, ${spellings['sum']?.(names, 'x')})`;
    const spec: SchemaDocument = {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: optionalMembers(names),
          'x-kubernetes-validations': [{ rule }],
        },
      },
    };
    expect(await missing(spec, names, 'spec.list[]')).toEqual(nothing);
  });

  test('in an object in each of which one exists', async () => {
    const inner = byCel(['token', 'key', 'role'], 'has(self.token) != (has(self.key) || has(self.role))');
    const spec: SchemaDocument = {
      ...optionalMembers(names),
      maxProperties: 1,
      minProperties: 1,
      properties: Object.fromEntries(
        names.map((name) => [name, { type: 'object', properties: { auth: inner } }]),
      ),
    };
    const { samples, unmet } = await samplesOf(stores(spec));
    const covered = new Set(samples.flatMap(({ covers }) => covers));
    const places = names.flatMap((name) =>
      ['token', 'key', 'role'].map((each) => `spec.${name}.auth.${each}`),
    );
    expect(places.filter((place) => !covered.has(`${place}.mode: "rw"`))).toEqual([]);
    expect(unmet).toEqual([]);
  });
});

test.each([
  ['has(self.file) != has(self.http)', ['file', 'http']],
  ['!has(self.file) || has(self.http) && has(self.kafka)', ['file', 'http', 'kafka']],
  ['!(has(self.file) && has(self.http))', ['file', 'http']],
  ['has(self.file) == has(self.http)', ['file', 'http']],
  [
    '(has(self.file) ? 1 : 0) + (has(self.http) ? 1 : 0) + (has(self.kafka) ? 1 : 0) == 2',
    ['file', 'http', 'kafka'],
  ],
  ['has(self.__namespace__) != has(self.a__dash__b)', ['namespace', 'a-b']],
])('samplesOf reaches the members of %s', async (rule, names) => {
  expect(await missing(byCel(names, rule), names, 'spec')).toEqual(nothing);
});

test('samplesOf reports a member that no rule allows', async () => {
  const names = members(3);
  const { samples, unmet } = await samplesOf(
    stores(byCel(names, '!has(self.file) && has(self.http) != has(self.kafka)')),
  );
  expect(samples.flatMap(({ covers }) => covers)).toContain('spec.kafka: present');
  expect(unmet.map(({ path }) => path)).toContain('spec.file');
});
