/** The definition that controller-gen derives from Go types, and that of the equal types in TypeScript. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '@kgen/schema/values/json';
import { controlPlaneAvailability } from '@kgen/testing';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { morphCompiler } from '../../src/kgen/manifests/declare/morph.ts';
import { readApis } from '../../src/kgen/manifests/read-apis.ts';
import { buildTimeoutMs } from '../support/kubectl.ts';

const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const schema = 'spec.versions.0.schema.openAPIV3Schema.properties';

/** Intended differences by path: the value of controller-gen, the value of kgen, and the reason. */
const differences: Readonly<Record<string, readonly [theirs: unknown, ours: unknown, reason: string]>> = {
  'metadata.annotations': [expect.anything(), undefined, 'the version stands in the first line of the file'],
  [`${schema}.apiVersion`]: [{ type: 'string' }, undefined, 'servers add it'],
  [`${schema}.kind`]: [{ type: 'string' }, undefined, 'servers add it'],
  [`${schema}.metadata`]: [{ type: 'object' }, undefined, 'servers add it'],
  [`${schema}.spec.properties.ratio.format`]: [undefined, 'double', 'Double states its format'],
  [`${schema}.spec.properties.more.properties.floats.additionalProperties.items.format`]: [
    ...([undefined, 'double'] as const),
    'Double states its format',
  ],
};

/** Intended differences within PodTemplateSpec, by the last keyword of their paths. */
const inTemplate: readonly {
  readonly path: RegExp;
  readonly theirs: unknown;
  readonly ours: unknown;
  readonly reason: string;
}[] = [
  {
    path: /\.default$/,
    theirs: expect.toBeOneOf(['', false]),
    ours: undefined,
    reason: 'an absent member and an empty one are equal to the servers of built-in types',
  },
  {
    path: /\.(kind|cachingMode)\.default$/,
    theirs: undefined,
    ours: expect.toBeOneOf(['Shared', 'ReadWrite']),
    reason: 'controller-gen ignores defaults that are constants of Go',
  },
  {
    path: /\.x-kubernetes-map-type$/,
    theirs: 'atomic',
    ours: undefined,
    reason: 'the documents of the API have it for the struct that is embedded, not for the one around it',
  },
  {
    path: /\.nullable$/,
    theirs: undefined,
    ours: true,
    reason: 'API servers write null for these members',
  },
];

test.skipIf(!controlPlaneAvailability().available && !isRequired)(
  'the definition of TypeScript types is that of controller-gen, except for the table',
  { timeout: buildTimeoutMs },
  async () => {
    const theirs = fromGo();
    const file = join(import.meta.dirname, 'shop.ts');
    const { apis, problems } = await readApis(
      [file],
      morphCompiler([file], import.meta.dirname),
      import.meta.dirname,
    );
    expect(problems).toEqual([]);
    const found = differencesOf(normal(theirs), normal(apis[0]?.value ?? {}), []);
    const template = `${schema}.spec.properties.template.`;
    const [inside, outside] = [true, false].map((isInside) =>
      found.filter(([path]) => path.startsWith(template) === isInside),
    );
    const expected = Object.entries(differences).map(([path, [go, ts]]) => [path, go, ts]);
    expect(new Map(outside?.map((each) => [each[0], each]))).toEqual(
      new Map(expected.map((each) => [each[0], each])),
    );
    for (const { path, theirs: go, ours } of inTemplate)
      expect(inside).toContainEqual([expect.stringMatching(path), go, ours]);
    const unexplained = inside?.filter(
      (each) =>
        !inTemplate.some(({ path, theirs: go, ours }) =>
          equals(each, [expect.stringMatching(path), go, ours]),
        ),
    );
    expect(unexplained).toEqual([]);
  },
);

function equals(found: unknown, expected: unknown): boolean {
  try {
    expect(found).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}

function fromGo(): JsonObject {
  const script = join(import.meta.dirname, 'build.mjs');
  const options = { encoding: 'utf8', stdio: 'pipe' } as const;
  const program = execFileSync(process.execPath, [script], { ...options, timeout: buildTimeoutMs }).trim();
  const cwd = join(import.meta.dirname, 'go');
  const env = { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=readonly' };
  const printed = execFileSync(program, ['./shop'], { ...options, cwd, env });
  return load(printed) as JsonObject; // seam: a definition
}

/**
 * Sorts rules, whose order has no effect: controller-gen sorts them by kind, kgen keeps that of the tags.
 * Drops descriptions: each generator has its own for the types of Kubernetes.
 */
function normal(value: Json): Json {
  if (Array.isArray(value)) return value.map(normal);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([key, item]) => key !== 'description' || typeof item !== 'string',
  );
  return Object.fromEntries(
    entries.map(([key, item]) => {
      const isRules = key === 'x-kubernetes-validations' && Array.isArray(item);
      return [key, isRules ? [...item].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1)) : normal(item)];
    }),
  );
}

function textOf(rule: Json): string {
  return isObject(rule) ? String(rule['rule']) : '';
}

type Difference = readonly [path: string, theirs: unknown, ours: unknown];

function differencesOf(theirs: Json, ours: Json, path: readonly string[]): readonly Difference[] {
  const isSame = Array.isArray(theirs) === Array.isArray(ours);
  if (typeof theirs !== 'object' || typeof ours !== 'object' || theirs === null || ours === null || !isSame)
    return theirs === ours ? [] : [[path.join('.'), theirs, ours]];
  const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
  return [...keys].flatMap((key) =>
    differencesOf(Reflect.get(theirs, key), Reflect.get(ours, key), [...path, key]),
  );
}
