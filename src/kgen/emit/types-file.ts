/** `types.ts` of a group version: every object type as an interface. Nothing of it is left at run time. */
import type { GroupVersion, NamedType, Property, Schema } from '../model/ir.ts';
import { factsComment } from './facts.ts';
import { propertyName } from './literals.ts';
import { Module } from './module.ts';
import { isUnknown, memberTexts, typeText, union } from './schema-text.ts';

/** Every name that `types.ts` exports. */
export function typeNames(groupVersion: GroupVersion): readonly string[] {
  return groupVersion.types.flatMap((type) => [type.name, ...type.aliases]);
}

export function typesModule(groupVersion: GroupVersion, runtime: string, docs: boolean): Module {
  const module = new Module(runtime, typeNames(groupVersion));
  for (const type of groupVersion.types) module.declare(interfaceText(type, module, docs));
  for (const [alias, name] of aliases(groupVersion)) module.declare(`export type ${alias} = ${name};\n`);
  return module;
}

function aliases(groupVersion: GroupVersion): readonly (readonly [alias: string, name: string])[] {
  return groupVersion.types
    .flatMap((type) => type.aliases.map((alias) => [alias, type.name] as const))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function interfaceText(type: NamedType, module: Module, docs: boolean): string {
  const properties = type.properties.map((property) => propertyText(property, type, module, docs));
  const keys = keysText(type, module);
  const rest = keys === undefined ? '' : `  [key: string]: ${keys};\n`;
  // Where the fields stand in an object, for those who read types beside YAML.
  const where = {
    kind: [],
    list: ['One answer to `list`: the objects, or a page of them.'],
    nested: [placesText(type)],
  };
  return `${factsComment(type.facts, '', docs, { paragraphs: where[type.role] })}export interface ${type.name} {\n${properties.join('')}${rest}}\n`;
}

/** Equal objects share one type, which is named and shown after the first of them. */
function placesText({ path, aliases }: NamedType): string {
  const others = aliases.length === 1 ? 'one other place' : `${aliases.length} other places`;
  return aliases.length === 0 ? `\`${path}\`` : `\`${path}\` and ${others}`;
}

function propertyText(property: Property, owner: NamedType, module: Module, docs: boolean): string {
  const { schema, optional } = property;
  const always = property.defaulted && optional ? ['Always there on read.'] : [];
  const doc = factsComment(schema.facts, '  ', docs, { paragraphs: always });
  return `${doc}  ${propertyName(property.name)}${optional ? '?' : ''}: ${propertyType(property, owner, module)};\n`;
}

/** The items of a list of a kind were read from a server. */
function propertyType({ name, schema }: Property, owner: NamedType, module: Module): string {
  if (owner.role === 'list' && name === 'items' && schema.shape === 'array') {
    return `${module.runtimeType('Stored')}<${typeText(schema.items, module)}>[]`;
  }
  return typeText(schema, module);
}

/** The type of keys that are not named. An interface without any property would take every value, so it forbids keys. */
function keysText(type: NamedType, module: Module): string | undefined {
  if (type.rest !== undefined) return restText(type, type.rest, module);
  return type.properties.length === 0 ? 'never' : undefined;
}

/**
 * The type of keys that are not named, where a schema has one. An index signature speaks for the named ones as well, so where they differ it is
 * the union of all.
 */
function restText(type: NamedType, rest: Schema, module: Module): string {
  if (isUnknown(rest) || type.properties.some(({ schema }) => isUnknown(schema))) return 'unknown';
  const members = type.properties.flatMap(({ schema, optional }) => [
    ...memberTexts(schema, module),
    ...(optional ? ['undefined'] : []),
  ]);
  return union([...memberTexts(rest, module), ...members]);
}
