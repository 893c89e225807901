import { defineResource, type Resource } from '@kgen/runtime/client';
import type { SchemaDocument } from '@kgen/runtime/gen/v1';
import { assert, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redisClusters } from '../../../generated/crds/cache.example.com/v1/index.ts';
import { deployments } from '../../../generated/kubernetes/apps/v1/index.ts';
import { events, limitRanges, namespaces, pods } from '../../../generated/kubernetes/core/v1/index.ts';
import { resourceClaims } from '../../../generated/kubernetes/resource.k8s.io/v1/index.ts';
import type { JsonObject } from '../../schema/values/json.ts';
import { arbitraryOf } from './arbitrary.ts';
import { builtInValidatorOf } from './built-in/validation.ts';
import { invalidSamplesOf, sampleOf, samplesOf } from './samples.ts';
import { patternGenerator } from './scalars/pattern-strings.ts';
import { stringOf } from './scalars/strings.ts';

/** Returns a resource whose `spec` has a schema. */
function things(spec: SchemaDocument): Resource {
  const root: SchemaDocument = { type: 'object', required: ['spec'], properties: { spec } };
  return defineResource<Resource>({
    ...{ group: 'example.com', version: 'v1', kind: 'Thing', listKind: 'ThingList', plural: 'things' },
    ...{ singular: 'thing', scope: 'Namespaced', verbs: [] },
    schema: () => Promise.resolve({ definitions: { it: root }, kinds: { Thing: 'it' }, imports: {} }),
  });
}

describe('sampleOf', () => {
  test('returns the same object for the same seed', async () => {
    const [first, same, other] = await Promise.all(
      [2, 2, 3].map((seed) => sampleOf(redisClusters, { seed })),
    );
    expect(first).toEqual(same);
    expect(first).not.toEqual(other);
  });

  test('rejects with a TypeError for a resource without schema', async () => {
    const { schema: _schema, ...facts } = redisClusters;
    await expect(sampleOf(facts)).rejects.toThrow(
      /^cache\.example\.com\/v1 RedisCluster has no schema: generate/,
    );
  });

  test('rejects if no object satisfies the rules', async () => {
    const never = things({
      type: 'object',
      'x-kubernetes-validations': [{ rule: 'false', message: 'never' }],
    });
    await expect(sampleOf(never, { budget: 5 })).rejects.toThrow('spec: never');
  });

  test('selects the pods of the template in a Deployment', async () => {
    const { spec } = await sampleOf(deployments, { namespace: 'shop' });
    expect(spec?.template.metadata?.labels).toEqual(spec?.selector.matchLabels);
  });
});

test('samples keep their names, whatever the schema requires', async () => {
  const number: SchemaDocument = { type: 'integer', minimum: 0, maximum: 9 };
  const root: SchemaDocument = {
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 40 } } },
      spec: { type: 'object', properties: { a: number, b: number } },
    },
    'x-kubernetes-validations': [
      {
        rule: 'self.spec.a + self.spec.b == 17 || !has(self.spec.a) || self.metadata.?name == optional.of("x")',
      },
    ],
  };
  const schema = () => Promise.resolve({ definitions: { it: root }, kinds: { Thing: 'it' }, imports: {} });
  const resource = { ...things({ type: 'object' }), schema };
  for (let seed = 1; seed <= 20; seed += 1) {
    const { samples } = await samplesOf(resource, { seed });
    const names = samples.map(({ object }) => (object as { metadata: { name?: string } }).metadata.name);
    expect(names.map((name) => typeof name)).toEqual(samples.map(() => 'string'));
  }
});

test.each([pods, limitRanges, namespaces, resourceClaims, deployments])(
  'samples of $kind obey the rules of the server in memory',
  async (resource) => {
    const validate = builtInValidatorOf(resource);
    const { samples } = await samplesOf<Resource>(resource);
    expect(samples.length).toBeGreaterThan(1);
    for (const { object, covers } of samples) {
      const sent: JsonObject = JSON.parse(JSON.stringify(object));
      expect([covers[0], validate(sent)]).toEqual([covers[0], []]);
    }
  },
);

test('an object refers to its own namespace', async () => {
  const { involvedObject } = await sampleOf(events, { namespace: 'shop' });
  expect(involvedObject.namespace).toBe('shop');
});

test('samplesOf reaches every option, or reports it', async () => {
  const { samples, unmet } = await samplesOf(
    things({
      type: 'object',
      properties: {
        mode: { type: 'string', enum: ['a', 'b', 'c'] },
        port: { type: 'integer', minimum: 1, maximum: 9 },
        tags: { type: 'array', maxItems: 2, 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      },
      'x-kubernetes-validations': [{ rule: "!has(self.mode) || self.mode != 'c'", message: 'not c' }],
    }),
  );
  expect(samples.flatMap(({ covers }) => covers).sort()).toEqual([
    ...['spec.mode: "a"', 'spec.mode: "b"', 'spec.mode: absent', 'spec.mode: present'],
    ...['spec.port: absent', 'spec.port: maximum 9', 'spec.port: minimum 1', 'spec.port: present'],
    ...['spec.tags: absent', 'spec.tags: maxItems 2', 'spec.tags: present'],
  ]);
  expect(unmet).toEqual([{ path: 'spec.mode', goal: '"c"', reason: 'spec: not c' }]);
});

test.each([
  ["duration(self.text) < duration('2h')"],
  ["duration(self.text) > duration('90m') && duration(self.text) < duration('92m')"],
  ["timestamp(self.text) >= timestamp('2030-01-01T00:00:00Z')"],
  ["quantity(self.text).isLessThan(quantity('2Gi')) && quantity(self.text).isGreaterThan(quantity('1G'))"],
  ["ip(self.text).family() == 6 && cidr('fd00::/64').containsIP(self.text)"],
  ['cidr(self.text).prefixLength() == 8'],
  ["isURL(self.text) && url(self.text).getPort() == '8443'"],
  ["semver(self.text).isGreaterThan(semver('2.0.0'))"],
  ['int(self.text) == 41 + 1 - 41'],
])('samplesOf finds texts for %s', async (condition) => {
  const text = { type: 'string', maxLength: 40 } as const;
  const { samples, unmet } = await samplesOf(
    things({
      type: 'object',
      properties: { text },
      'x-kubernetes-validations': [{ rule: `!has(self.text) || ${condition}` }],
    }),
  );
  expect(samples.flatMap(({ covers }) => covers)).toContain('spec.text: present');
  expect(unmet.filter(({ goal }) => !goal.startsWith('m'))).toEqual([]);
});

test('invalidSamplesOf breaks each rule at its path', async () => {
  const { samples, unmet } = await invalidSamplesOf(redisClusters);
  expect(samples.map(({ path, rule }) => `${path} ${rule}`)).toEqual(
    expect.arrayContaining([
      'spec required',
      'spec.replicas maximum',
      'spec.version pattern',
      'spec.evictionPolicy enum',
      'spec x-kubernetes-validations',
    ]),
  );
  expect(unmet).toEqual([]);
});

test.each([
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 63],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$', 253],
  ['\\A(?i)[[:alpha:]]+\\z', 20],
  ['^(\\+|-)?[0-9]+(Ki|Mi)?$', 12],
])('creates a string that matches %s and has %d characters', (pattern, length) => {
  const rules = { format: '', patterns: [pattern], minLength: 0, maxLength: 300 };
  expect(stringOf(rules, () => 0.4, length)).toHaveLength(length);
});

test('returns undefined for a pattern that cannot be read', () => {
  expect(patternGenerator('(')).toBeUndefined();
});

test('arbitraries return valid objects, which shrink to the required members', async () => {
  const anyCluster = await arbitraryOf(redisClusters);
  assert(
    property(anyCluster, ({ spec }) => (spec.minReady ?? 0) <= (spec.replicas ?? 3)),
    { seed: 1, numRuns: 30 },
  );
});

describe('integers beyond 2^53', () => {
  const int64 = { type: 'integer', format: 'int64' } as const;
  const safe = Number.MAX_SAFE_INTEGER;

  test.each<readonly [SchemaDocument, readonly number[]]>([
    [{ ...int64, maximum: 2 ** 63 - 1_024 }, [safe]],
    [{ ...int64, minimum: -(2 ** 63), maximum: 2 ** 62 }, [-safe, safe]],
    [{ ...int64, minimum: 0, maximum: 2 ** 63 - 1_024, exclusiveMaximum: true }, [0, safe]],
    [{ ...int64, maximum: 2 ** 63 - 1_024, multipleOf: 1_000 }, [safe - (safe % 1_000)]],
    [{ ...int64, maximum: safe }, [safe]],
    [{ ...int64, minimum: safe, maximum: 2 ** 62 }, [safe]],
  ])('samples of %j have bounds that JSON carries exactly', async (count, bounds) => {
    const { samples } = await samplesOf(things({ type: 'object', properties: { count } }));
    const values = samples.flatMap(({ object }) => numbersIn(object));
    expect(values.filter((value) => String(value) !== BigInt(value).toString())).toEqual([]);
    expect(values).toEqual(expect.arrayContaining([...bounds]));
  });

  test('samples of a range beyond 2^53 have values whose digits are exact', async () => {
    const count = { ...int64, minimum: 2 ** 62, maximum: 2 ** 63 - 1_024 };
    const { samples } = await samplesOf(
      things({ type: 'object', required: ['count'], properties: { count } }),
    );
    const [value = 0] = samples.flatMap(({ object }) => numbersIn(object));
    expect(value).toBeGreaterThan(2 ** 62);
    expect(BigInt(String(value))).toBe(BigInt(value));
  });

  test('numbers of rules are no samples if they are not exact', async () => {
    const spec: SchemaDocument = {
      type: 'object',
      properties: { count: int64 },
      'x-kubernetes-validations': [{ rule: '!has(self.count) || self.count < 9223372036854775807' }],
    };
    const { samples } = await samplesOf(things(spec));
    expect(samples.flatMap(({ object }) => numbersIn(object)).every(Number.isSafeInteger)).toBe(true);
  });
});

function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

describe('samples of large schemas', () => {
  /** Returns a list whose items have lists of items, as definitions unroll recursive types. */
  function nested(levels: number): SchemaDocument {
    const name: SchemaDocument = { type: 'string', minLength: 1, maxLength: 253, pattern: '^[a-z0-9.-]+$' };
    const mode: SchemaDocument = { type: 'string', enum: ['a', 'b', 'c', 'd', 'e'] };
    const names = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`name${index}`, name]));
    const modes = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`mode${index}`, mode]));
    const lists =
      levels === 0
        ? {}
        : { serial: nested(levels - 1), parallel: nested(levels - 1), rest: nested(levels - 1) };
    const items: SchemaDocument = {
      type: 'object',
      required: ['name0'],
      properties: { ...names, ...modes, ...lists },
      'x-kubernetes-validations': [{ rule: "!has(self.mode0) || self.mode0 != 'a' || self.name0 != 'x'" }],
    };
    return { type: 'array', minItems: 1, maxItems: 64, items };
  }

  test('end with the work of a call, and report the goals that are left', async () => {
    const large = things({ type: 'object', properties: { steps: nested(4) } });
    const { samples, unmet } = await invalidSamplesOf(large);
    expect(samples.length).toBeGreaterThan(50);
    expect(unmet.map(({ reason }) => reason)).toContain('the budget is exhausted');
  });

  test('have few long lists and strings within long lists', async () => {
    const { samples } = await samplesOf(things({ type: 'object', properties: { steps: nested(2) } }));
    const longest = Math.max(...samples.map(({ object }) => JSON.stringify(object).length));
    expect(longest).toBeLessThan(1_000_000);
  });
});
