/** A program for a kind: the types of its snippet are those of the generated files. */
import { literal, objectKey } from '../../src/kgen/emit/text/literals.ts';
import type {
  Facts,
  GroupVersion,
  Model,
  NamedType,
  Property,
  Resource,
  Schema,
} from '../../src/kgen/model/ir.ts';

/** A kind with its group version. */
export interface KindOfModel {
  readonly groupVersion: GroupVersion;
  readonly resource: Resource;
}

/** Returns the kinds of a model, in its order. */
export function kindsOf({ groupVersions }: Model): readonly KindOfModel[] {
  return groupVersions.flatMap((groupVersion) =>
    groupVersion.resources.map((resource) => ({ groupVersion, resource })),
  );
}

/** Maximum number of optional fields of a spec in a snippet. Required fields are always present. */
const mostOptional = 3;

/** Returns a program that creates an object of a kind, changes it and watches its kind. */
export function snippetOf({ groupVersion, resource }: KindOfModel): string {
  const { names, kind, scope } = resource;
  const namespace = scope === 'Namespaced' ? "'shop'" : '';
  const client = `clientset.${groupVersion.accessor}.${names.accessor}(${namespace})`;
  const type = typeNamed(groupVersion, names.type);
  const members = membersOf(groupVersion, type, 1, {}).filter(([name]) => !ownMembers.has(name));
  const object = objectText([['metadata', "{ name: 'example' }"], ...members], 0);
  return `import { loadConfig } from '@kgen/runtime';
import { Clientset } from './generated/index.js';

const clientset = new Clientset(await loadConfig());
const client = ${client}; // ${kind}

const created = await client.create(${object});
console.log(created.metadata.uid);

for await (const { type, object } of client.watch()) {
  console.log(type, object.metadata.name);
  break; // ends the watch
}
await client.delete('example');
await clientset.close();
`;
}

/** Members that the client fills in, or that the program has anyway. */
const ownMembers: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

type Member = readonly [name: string, value: string];

function typeNamed({ types }: GroupVersion, name: string): NamedType | undefined {
  return types.find((type) => type.name === name);
}

/** Returns the required members of a type, and some optional ones of the object itself and its spec. */
function membersOf(
  groupVersion: GroupVersion,
  type: NamedType | undefined,
  level: number,
  keywords: Facts['keywords'],
): readonly Member[] {
  const properties = type?.properties ?? [];
  const optional = properties.filter((property) => property.optional);
  const isEmpty = optional.length === properties.length && keywords['minProperties'] !== undefined;
  const shown = new Set(
    level > 2 || isEmpty
      ? optional.slice(0, isEmpty ? 1 : 0)
      : optional.filter((property) => isShown(property, level)).slice(0, mostOptional),
  );
  return properties
    .filter((property) => !property.optional || shown.has(property))
    .map((property) => [property.name, exampleOf(groupVersion, property.schema, property.name, level)]);
}

/** Objects below the spec are shown if they are required only: a snippet is short. */
function isShown({ name, schema }: Property, level: number): boolean {
  return level === 1 ? schema.shape === 'ref' && name !== 'status' : scalars.has(schema.shape);
}

const scalars: ReadonlySet<Schema['shape']> = new Set(['string', 'integer', 'number', 'boolean', 'enum']);

/** Returns a value that has the type of a schema. It need not match patterns and rules. */
function exampleOf(groupVersion: GroupVersion, schema: Schema, name: string, level: number): string {
  const { default: preset } = schema.facts.keywords;
  switch (schema.shape) {
    case 'string':
      return literal(typeof preset === 'string' ? preset : name);
    case 'integer':
    case 'number':
      return String(numberOf(schema.facts.keywords));
    case 'boolean':
      return String(preset !== false);
    case 'int-or-string':
      return '1';
    case 'enum':
      return literal(schema.values[0] ?? null);
    case 'constant':
      return literal(schema.value);
    case 'array':
      return schema.facts.keywords['minItems'] === undefined
        ? '[]'
        : `[${exampleOf(groupVersion, schema.items, name, level)}]`;
    case 'map':
    case 'unknown':
      return '{}';
    case 'union':
      return schema.members[0] === undefined ? '{}' : exampleOf(groupVersion, schema.members[0], name, level);
    case 'runtime':
      return runtimeValue(schema.name);
    case 'ref': {
      const type = typeNamed(groupVersion, schema.name);
      return objectText(membersOf(groupVersion, type, level + 1, schema.facts.keywords), level);
    }
  }
}

function numberOf({ default: preset, minimum, exclusiveMinimum }: Facts['keywords']): number {
  if (typeof preset === 'number') return preset;
  const least = typeof minimum === 'number' ? minimum : 1;
  return exclusiveMinimum === true ? least + 1 : Math.max(least, 1);
}

function runtimeValue(name: (Schema & { readonly shape: 'runtime' })['name']): string {
  switch (name) {
    case 'Time':
    case 'MicroTime':
      return "'2026-01-02T15:04:05.000000Z'";
    case 'Quantity':
      return "'1Gi'";
    case 'EmbeddedObject':
      return "{ apiVersion: 'v1', kind: 'ConfigMap' }";
    case 'Condition':
      return "{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-02T15:04:05Z' }";
    case 'LabelSelectorRequirement':
      return "{ key: 'tier', operator: 'Exists' }";
    case 'OwnerReference':
      return "{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '' }";
    default:
      return '{}';
  }
}

function objectText(members: readonly Member[], level: number): string {
  if (members.length === 0) return '{}';
  const indent = '  '.repeat(level);
  const lines = members.map(([name, value]) => `${indent}  ${objectKey(name)}: ${value},\n`);
  return `{\n${lines.join('')}${indent}}`;
}
