/** Random CustomResourceDefinitions around random schemas. */

import { type Random, shuffle } from '../support/random.ts';
import { anySchema, garbage } from './any-schema.ts';
import { type Json, type JsonObject, object } from './json.ts';
import { groups, kinds, text, versionNames } from './names.ts';

/**
 * Returns definitions that one output can contain: no two of one group have the same kind or plural. Their
 * envelopes are valid, so that each of them is generated; their schemas are arbitrary.
 */
export function anyDefinitions(random: Random, count: number): readonly JsonObject[] {
  const pairs = groups.flatMap((group) => kinds.map((kind) => ({ group, kind })));
  const chosen = shuffle(pairs, random).slice(0, count);
  const lists = new Set(chosen.map(({ group, kind }) => `${group} ${kind}List`));
  return chosen
    .filter(({ group, kind }) => !lists.has(`${group} ${kind}`))
    .map(({ group, kind }, index) => definition(random, group, kind, `${kind.toLowerCase()}s${index}`));
}

function definition(random: Random, group: string, kind: string, plural: string): JsonObject {
  const isBeta = random.chance(0.2);
  const names = shuffle(versionNames, random).slice(0, 1 + random.int(2));
  const spec: [string, Json][] = [
    ['group', group],
    ['scope', random.pick(['Namespaced', 'Cluster'])],
    ['names', object([['kind', kind], ['plural', plural], ...namesPart(random, kind)])],
  ];
  if (isBeta) spec.push(...betaPart(random, names));
  else spec.push(['versions', names.map((name) => version(random, name, schemaPart(random)))]);
  return object([
    ['apiVersion', `apiextensions.k8s.io/${isBeta ? 'v1beta1' : 'v1'}`],
    ['kind', 'CustomResourceDefinition'],
    [
      'metadata',
      { name: `${plural}.${group}`, creationTimestamp: null, annotations: { note: text(random) } },
    ],
    ['spec', object(spec)],
    ['status', { acceptedNames: { kind: '', plural: '' }, conditions: [], storedVersions: [] }],
  ]);
}

function namesPart(random: Random, kind: string): readonly [string, Json][] {
  return random.some<[string, Json]>(
    [
      ['singular', random.chance(0.2) ? '' : kind.toLowerCase()],
      ['listKind', `${kind}List`],
      ['shortNames', ['x', 'y']],
      ['categories', ['all']],
    ],
    4,
  );
}

/**
 * Returns versions of v1beta1, which has the schema beside the versions or in them, one version or a list of
 * them, or none of these.
 */
function betaPart(random: Random, names: readonly string[]): readonly [string, Json][] {
  const [first = 'v1'] = names;
  const shared: [string, Json][] = random.chance(0.6) ? [['validation', schemaPart(random)]] : [];
  if (random.chance(0.5)) shared.push(['preserveUnknownFields', random.chance(0.5)]);
  if (random.chance(0.5)) return [['version', first], ...shared];
  const own = (): JsonObject => (random.chance(0.3) ? schemaPart(random) : {});
  return [
    ['version', first],
    ['versions', names.map((name) => version(random, name, own()))],
    ['subresources', { status: {} }],
    ...shared,
  ];
}

function schemaPart(random: Random): JsonObject {
  if (random.chance(0.05)) return {};
  return { openAPIV3Schema: rootSchema(random) };
}

function rootSchema(random: Random): JsonObject {
  const parts: [string, Json][] = [['type', 'object']];
  const members = [
    ['spec', anySchema(random, 5)],
    ['status', anySchema(random, 3)],
    ...(random.chance(0.2) ? [['data', anySchema(random, 2)] as const] : []),
    ...(random.chance(0.3) ? [['metadata', anySchema(random, 2)] as const] : []),
  ] as const;
  if (random.chance(0.95)) parts.push(['properties', object(members)]);
  if (random.chance(0.3)) parts.push(['required', ['spec']]);
  if (random.chance(0.05)) parts.push(['x-kubernetes-preserve-unknown-fields', true]);
  if (random.chance(0.05)) parts.push(['additionalProperties', anySchema(random, 2)]);
  if (random.chance(0.05)) parts.push(['anyOf', [{ required: ['spec'] }, anySchema(random, 2)]]);
  return object(parts);
}

function version(random: Random, name: string, schema: JsonObject): JsonObject {
  const parts: [string, Json][] = [
    ['name', name],
    ['served', true],
    ['storage', random.chance(0.5)],
  ];
  if (Object.keys(schema).length > 0) parts.push(['schema', schema]);
  if (random.chance(0.4)) parts.push(['subresources', subresources(random)]);
  if (random.chance(0.2)) parts.push(['deprecated', true], ['deprecationWarning', text(random)]);
  if (random.chance(0.2)) parts.push(['selectableFields', [{ jsonPath: `.spec.${text(random)}` }]]);
  if (random.chance(0.2)) parts.push(['additionalPrinterColumns', [column(random)]]);
  if (random.chance(0.05)) parts.push(['somethingNew', garbage(random)]);
  return object(parts);
}

function subresources(random: Random): JsonObject {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  return random.pick<JsonObject>([{}, { status: {} }, { scale }, { status: {}, scale }]);
}

function column(random: Random): JsonObject {
  return {
    name: text(random),
    type: 'string',
    jsonPath: text(random),
    JSONPath: '.a',
    description: text(random),
  };
}
