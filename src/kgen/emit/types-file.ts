/** `types.ts` of a group version: every object type as an interface. It has no code at run time. */
import type { ExclusiveMembers, Facts, GroupVersion, NamedType, Property, Schema } from '../model/ir.ts';
import { alwaysSet, placesText } from '../notation/descriptions.ts';
import { type Output, type Scope, scopeOf } from './clients/scope.ts';
import type { EmitOptions } from './options.ts';
import { lineWidth } from './text/break-lines.ts';
import { type CommentParts, factsComment } from './text/facts-comment.ts';
import { propertyName, quotedUnion } from './text/literals.ts';
import { Module } from './text/module.ts';
import { runtimeSpecifier } from './text/paths.ts';
import { schemaTags, type TypesByName, typeTags } from './text/schema-tags.ts';
import { isUnknown, memberTexts, typeText, union } from './text/schema-text.ts';

/** Returns every name that `types.ts` exports. */
export function typeNames(groupVersion: GroupVersion): readonly string[] {
  return groupVersion.types.flatMap((type) => [type.name, ...type.aliases]);
}

export function typesModule(groupVersion: GroupVersion, output: Output): Module {
  const { docs } = output.options;
  const runtime = runtimeSpecifier(output.options, 2);
  const module = new Module(runtime, typeNames(groupVersion));
  const scope = scopeOf(module, groupVersion, output, (name) => name);
  const types = new Map(groupVersion.types.map((type) => [type.name, type]));
  const printing: Printing = { scope, docs, types, comments: new Map() };
  for (const type of groupVersion.types) module.declare(interfaceText(type, printing));
  for (const [alias, name] of aliases(groupVersion)) module.declare(aliasText(alias, name));
  if (groupVersion.runtimeTypes.length > 0) module.passOn(groupVersion.runtimeTypes, runtime);
  return module;
}

/** Most aliases are long: breaking them here takes less time than `breakLines`. */
function aliasText(alias: string, name: string): string {
  const head = `export type ${alias} =`;
  const isShort = head.length + name.length + 2 <= lineWidth;
  return `${head}${isShort ? ' ' : '\n  '}${name};\n`;
}

function aliases(groupVersion: GroupVersion): readonly (readonly [alias: string, name: string])[] {
  return groupVersion.types
    .flatMap((type) => type.aliases.map((alias) => [alias, type.name] as const))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

interface Printing {
  readonly scope: Scope;
  readonly docs: EmitOptions['docs'];
  readonly types: TypesByName;
  /** Comments of scalars by their facts, which kinds share, and their other members. */
  readonly comments: Map<Facts, Map<string, string>>;
}

function interfaceText(type: NamedType, printing: Printing): string {
  const { scope, docs, types } = printing;
  const properties = type.properties.map((property) => propertyText(property, type, printing));
  const keys = keysText(type, scope);
  const rest = keys === undefined ? '' : `  [key: string]${typed(keys)};\n`;
  const paragraphs = [...roleText(type), ...referenceText(type)];
  const body = `${properties.join('')}${rest}`;
  const tags = (describes: boolean) => typeTags(type, { types, docs, describes });
  const doc = factsComment(type.facts, '', docs, { paragraphs, tags });
  const text = (head: string): string => `${head} {${body === '' ? '' : `\n${body}`}}\n`;
  if (type.exclusive === undefined) return text(`${doc}export interface ${type.name}`);
  const members = scope.module.local(`${type.name}Members`);
  return `${text(`export interface ${members}`)}\n${doc}export type ${type.name} = ${exclusiveText(type.exclusive, members, scope)};\n`;
}

function exclusiveText(groups: readonly ExclusiveMembers[], members: string, { module }: Scope): string {
  const parts = groups.map(
    ({ names, isRequired }) =>
      `${module.runtimeType(isRequired ? 'ExactlyOne' : 'AtMostOne')}<${members}, ${quotedUnion(names)}>`,
  );
  return parts.join(' & ');
}

/** Returns the purpose of a type whose name does not show it. */
function roleText(type: NamedType): readonly string[] {
  switch (type.role) {
    case 'kind':
    case 'definition':
      return [];
    case 'list':
    case 'virtual-list':
      return ['Response of `list`: all objects, or one page of them.'];
    case 'parameters':
      return [`Query parameters of \`${type.path}\`.`];
    case 'nested':
      return [placesText(type.path, type.aliases.length)];
  }
}

/**
 * The reference is a plain line, because compilers parse the whole comment if it contains `@see` or `@link`.
 */
function referenceText({ reference }: NamedType): readonly string[] {
  return reference === undefined ? [] : [`Reference: ${reference}`];
}

function propertyText(property: Property, owner: NamedType, printing: Printing): string {
  const name = `  ${propertyName(property.name)}${property.optional ? '?' : ''}`;
  const type = fitted(name, propertyMembers(property, owner, printing.scope));
  return `${knownComment(property, printing)}${name}${type};\n`;
}

/** Scalars have the same comment in all types. */
function knownComment(property: Property, printing: Printing): string {
  const { schema, optional, defaulted, required } = property;
  if (!scalars.has(schema.shape)) return propertyComment(property, printing);
  const comments = printing.comments.get(schema.facts) ?? new Map<string, string>();
  printing.comments.set(schema.facts, comments);
  const key = [schema.shape, schema.nullable, optional, defaulted, required].join();
  const comment = comments.get(key) ?? propertyComment(property, printing);
  comments.set(key, comment);
  return comment;
}

const scalars: ReadonlySet<Schema['shape']> = new Set([
  'string',
  'boolean',
  'integer',
  'number',
  'int-or-string',
]);

function propertyComment(property: Property, { docs, types }: Printing): string {
  const { schema, optional } = property;
  const always = property.defaulted && optional ? [alwaysSet] : [];
  const tags = (describes: boolean) => [
    ...(isRequired(property, docs) ? [{ name: 'required', text: '' }] : []),
    ...schemaTags(schema, { types, docs, describes }),
  ];
  if (isPlain(schema, tags)) return '';
  return factsComment(schema.facts, '  ', docs, { paragraphs: always, tags });
}

/** Returns whether servers require a property that writers may omit. */
function isRequired({ required, optional, schema }: Property, docs: EmitOptions['docs']): boolean {
  return docs !== 'none' && required && optional && schema.facts.isWhole === true;
}

/** A constant, such as the apiVersion of a kind, needs no comment, unless its schema has constraints. */
function isPlain({ shape, facts }: Schema, tags: CommentParts['tags']): boolean {
  return shape === 'constant' && (facts.isWhole !== true || tags(false).length === 0);
}

/** Returns a type annotation, with one member of the union per line if it does not fit on the line. */
function fitted(name: string, members: readonly string[]): string {
  const line = typed(union(members));
  if (line.startsWith(':\n') || name.length + line.length < lineWidth || members.length === 1) return line;
  return `:${members.map((member) => `\n    | ${member}`).join('')}`;
}

/** A long union begins on a new line. */
function typed(type: string): string {
  return type.startsWith('\n') ? `:${type}` : `: ${type}`;
}

/**
 * Returns the union members of a property's type. Items of a list of a stored kind were read from a server.
 * Optional properties accept `undefined`, so that a value that was read can be written under
 * `exactOptionalPropertyTypes`.
 */
function propertyMembers(
  { name, schema, optional }: Property,
  owner: NamedType,
  scope: Scope,
): readonly string[] {
  if (owner.role === 'list' && name === 'items' && schema.shape === 'array') {
    return [`${scope.module.runtimeType('Stored')}<${typeText(schema.items, scope)}>[]`];
  }
  if (isUnknown(schema)) return ['unknown'];
  return [...new Set([...memberTexts(schema, scope), ...(optional ? ['undefined'] : [])])];
}

/**
 * Returns the type of additional keys. An interface without properties would accept every value, so it
 * forbids keys. Parameters are an exception, because they are merged with the request options.
 */
function keysText(type: NamedType, scope: Scope): string | undefined {
  if (type.rest !== undefined) return restText(type, type.rest, scope);
  return type.properties.length === 0 && type.role !== 'parameters' ? 'never' : undefined;
}

/**
 * Returns the index signature for additional keys of a schema. An index signature applies to named properties
 * too, so its type is the union of all if they differ.
 */
function restText(type: NamedType, rest: Schema, scope: Scope): string {
  if (isUnknown(rest) || type.properties.some(({ schema }) => isUnknown(schema))) return 'unknown';
  const members = type.properties.flatMap(({ schema, optional }) => [
    ...memberTexts(schema, scope),
    ...(optional ? ['undefined'] : []),
  ]);
  return union([...memberTexts(rest, scope), ...members]);
}
