/** JSON Schemas accept valid samples, and refuse those that break a rule which they can state. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invalidSamplesOf, samplesOf } from '@kgen/testing';
import { Ajv, type ValidateFunction } from 'ajv';
import { generate } from 'kgen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definitionsIn, resourcesOf } from '../support/custom-samples.ts';

const files = ['myapp', 'foo', 'rediscluster', 'showcase'].map((name) => `crds/${name}.yaml`);
const folder = mkdtempSync(join(tmpdir(), 'kgen-json-schema-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  const crds = await generate({ input: files, out: join(folder, 'crds'), jsonSchema: true });
  const openapi = ['test/golden/openapi.yaml'];
  const api = await generate({ openapi, out: join(folder, 'api'), jsonSchema: true, descriptions: false });
  expect([crds.ok, api.ok]).toEqual([true, true]);
});

/** Rules that JSON Schema cannot state, or that editors and kubeconform do not check. */
const unstated = [
  'x-kubernetes-validations',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'format',
  'metadata',
];

/** Patterns of Go that JavaScript does not compile, and keys that the validator ignores. */
const tolerated = ['pattern of spec.texts.shout', 'type of spec.names.__proto__'];

function validator(path: string): ValidateFunction {
  const schema = JSON.parse(readFileSync(join(folder, path), 'utf8'));
  return new Ajv({ strict: false, ownProperties: true, validateFormats: false }).compile(schema);
}

describe.each(files.flatMap(definitionsIn).flatMap(resourcesOf))('$group/$version $kind', (resource) => {
  const { group, version, kind } = resource;
  const path = `crds/json-schema/${group}/${kind.toLowerCase()}_${version}.json`;

  test('accepts samples and refuses unknown fields', async () => {
    const isValid = validator(path);
    const { samples } = await samplesOf(resource);
    for (const { object } of samples) {
      expect(isValid(object), JSON.stringify(isValid.errors)).toBe(true);
      expect(isValid({ ...Object(object), kind: 'Other' })).toBe(false);
      const { apiVersion: _apiVersion, ...rest } = Object(object);
      expect(isValid(rest)).toBe(false);
      expect(isValid({ ...Object(object), surplus: 1 })).toBe(false);
    }
  });

  test('refuses samples that break a rule', async () => {
    const isValid = validator(path);
    const { samples } = await invalidSamplesOf(resource);
    const accepted = samples.filter(({ object }) => isValid(object));
    const stated = accepted.filter(({ rule }) => !unstated.includes(rule));
    const found = stated.map(({ rule, path: at }) => `${rule} of ${at}`);
    expect(found.filter((text) => !tolerated.includes(text))).toEqual([]);
    expect(accepted.length).toBeLessThanOrEqual(samples.length / 2);
  });
});

test('states apiVersion, kind and the type for kubeconform', () => {
  const text = readFileSync(join(folder, 'crds/json-schema/cache.example.com/rediscluster_v1.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    additionalProperties: false,
    required: ['apiVersion', 'kind', 'spec'],
    'x-kubernetes-group-version-kind': [{ group: 'cache.example.com', version: 'v1', kind: 'RedisCluster' }],
    properties: {
      apiVersion: { enum: ['cache.example.com/v1'] },
      kind: { enum: ['RedisCluster'] },
      spec: { properties: { memory: { oneOf: [{ type: 'string' }, { type: 'integer' }] } } },
    },
  });
});
