import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { isObject } from '../input/json.ts';
import { describeApi } from '../openapi/describe.ts';
import type { ApiDefinition, ApiDescription } from '../openapi/types.ts';
import { type Built, buildModel } from './build.ts';
import type { Model, Schema } from './ir.ts';

const corpus = process.env['KGEN_CORPUS'];

/** Returns every schema of the model with its path. */
function schemasOf({ groupVersions }: Model): readonly (readonly [where: string, schema: Schema])[] {
  const found: [string, Schema][] = [];
  const add = (where: string, schema: Schema): void => {
    found.push([where, schema]);
    if (schema.shape === 'array') add(`${where}[]`, schema.items);
    if (schema.shape === 'map') add(`${where}{}`, schema.values);
    if (schema.shape === 'union') for (const member of schema.members) add(`${where}|`, member);
  };
  for (const { apiVersion, types, resources } of groupVersions) {
    for (const { name, properties, rest } of types) {
      for (const property of properties) add(`${apiVersion} ${name}.${property.name}`, property.schema);
      if (rest !== undefined) add(`${apiVersion} ${name}{}`, rest);
    }
    for (const { plural, subresources } of resources) {
      for (const { name, body } of subresources) {
        if (body.is === 'object') add(`${apiVersion} ${plural}/${name}`, body.schema);
      }
    }
  }
  return found;
}

/** Returns the API in another order. */
function shuffled(api: ApiDescription): ApiDescription {
  const groupVersions = api.groupVersions.map((each) => ({
    ...each,
    resources: [...each.resources].reverse(),
  }));
  return {
    ...api,
    definitions: new Map([...api.definitions].reverse()),
    groupVersions: groupVersions.reverse(),
  };
}

/** Returns a definition in the form of a v3 document: wrapped references, and zero defaults everywhere. */
function asV3(definition: ApiDefinition): ApiDefinition {
  const noisy = (value: JsonValue): JsonValue =>
    isObject(value) ? noisyObject(value) : Array.isArray(value) ? value.map(noisy) : value;
  const noisyObject = (value: JsonObject): JsonObject => {
    const entries = Object.entries(value).map(([key, inner]) => [key, noisy(inner)] as const);
    const noise = typeof value['$ref'] === 'string' ? [['default', {}] as const] : [];
    return Object.fromEntries([...entries, ...noise]);
  };
  return { ...definition, schema: { ...definition.schema, ...noisyObject(definition.schema) } };
}

describe.skipIf(corpus === undefined)('the published document of Kubernetes', () => {
  let api: ApiDescription | undefined;
  let built: Built | undefined;
  const given = (): { api: ApiDescription; built: Built; schemas: ReturnType<typeof schemasOf> } => {
    if (api === undefined || built === undefined) throw new Error('nothing was read');
    return { api, built, schemas: schemasOf(built.model) };
  };

  beforeAll(() => {
    const file = 'kubernetes-v2.json';
    // JSON.parse: the document is JSON, and its numbers are small.
    const value = JSON.parse(readFileSync(join(corpus ?? '', 'openapi', file), 'utf8')) as JsonObject;
    const document = { dialect: 2 as const, value, file, source: { name: file, hash: 'hash' } };
    api = describeApi({ documents: [document], crds: [] }).value.api;
    built = buildModel({ crds: [], api });
  });

  test('is read without a problem', () => {
    expect(given().built.problems).toEqual([]);
    expect(given().built.model.groupVersions.flatMap(({ resources }) => resources).length).toBeGreaterThan(
      80,
    );
  });

  test('has unknown types only for free-form values', () => {
    const unknown = given().schemas.filter(([, { shape }]) => shape === 'unknown');
    const reasons = new Set(unknown.map(([, schema]) => (schema.shape === 'unknown' ? schema.reason : '')));
    expect([...reasons]).toEqual(['free-form']);
    expect(unknown.map(([where]) => where)).toEqual(
      expect.arrayContaining(['apps/v1 ControllerRevision.data{}', 'meta/v1 WatchEvent.object{}']),
    );
    expect(unknown.length).toBeLessThan(20);
  });

  test('refers only to existing types, by their names', () => {
    const { model } = given().built;
    const names = new Map(
      model.groupVersions.map(({ group, version, types }) => [
        `${group}/${version}`,
        new Set(types.map(({ name }) => name)),
      ]),
    );
    const homes = new Map(
      model.groupVersions.map((each) => [each.apiVersion, `${each.group}/${each.version}`]),
    );
    const dangling = given().schemas.filter(([where, schema]) => {
      if (schema.shape !== 'ref') return false;
      const own = homes.get(where.split(' ', 1)[0] ?? '') ?? '';
      const home = schema.from === undefined ? own : `${schema.from.group}/${schema.from.version}`;
      return names.get(home)?.has(schema.name) !== true;
    });
    expect(dangling).toEqual([]);
  });

  test('has unique names without suffixes', () => {
    for (const { apiVersion, types } of given().built.model.groupVersions) {
      const names = types.flatMap(({ name, aliases }) => [name, ...aliases]);
      expect([apiVersion, new Set(names).size]).toEqual([apiVersion, names.length]);
      expect(names.filter((name) => name.includes('_'))).toEqual([]);
    }
  });

  test('has every definition in one place, except definitions that are not objects', () => {
    const { api: read, built: made } = given();
    const paths = made.model.groupVersions.flatMap(({ types }) => types.map(({ path }) => path));
    const own = paths.filter((path) => read.definitions.has(path));
    const runtime = made.model.groupVersions.flatMap(({ runtimeTypes }) => runtimeTypes);
    const left = [...read.definitions.keys()].filter((name) => !own.includes(name));
    expect(new Set(own).size).toBe(own.length);
    const inline = left.filter((name) => !runtime.some((type) => name.endsWith(`.${type}`)));
    expect(inline.map((name) => name.slice(name.lastIndexOf('.') + 1)).sort()).toEqual([
      'FieldsV1',
      'IntOrString',
      'JSON',
      'JSONSchemaPropsOrArray',
      'JSONSchemaPropsOrBool',
      'JSONSchemaPropsOrStringArray',
      'Patch',
      'RawExtension',
    ]);
  });

  test('results in the same model in any order', () => {
    const { api: read, built: made } = given();
    expect(JSON.stringify(buildModel({ crds: [], api: shuffled(read) }))).toBe(JSON.stringify(made));
  });

  test('3: results in the same model with the defaults of v3', () => {
    const { api: read, built: made } = given();
    const definitions = new Map([...read.definitions].map(([name, each]) => [name, asV3(each)]));
    expect(JSON.stringify(buildModel({ crds: [], api: { ...read, definitions } }))).toBe(
      JSON.stringify(made),
    );
  });

  test('has the same types for any selection', () => {
    const { api: read, built: made } = given();
    const all = new Map(made.model.groupVersions.map((each) => [each.apiVersion, each]));
    for (const include of ['core/v1/Pod', 'apps', 'apiextensions.k8s.io']) {
      for (const part of buildModel({ crds: [], api: read }, { include: [include] }).model.groupVersions) {
        const whole = new Map(all.get(part.apiVersion)?.types.map((type) => [type.name, type]));
        for (const type of part.types) expect(type).toEqual(whole.get(type.name));
      }
    }
  });
});
