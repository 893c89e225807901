/** Prints the type of a schema. */
import type { ArrayShape, Schema } from '../../model/ir.ts';
import type { Scope } from '../clients/scope.ts';
import { literal, quoted, quotedUnion } from './literals.ts';

/** Longest union on one line, in columns. */
const unionWidth = 90;

/** Returns a type expression. Imports that it needs are added to the module of `scope`. */
export function typeText(schema: Schema, scope: Scope): string {
  if (isUnknown(schema)) return 'unknown';
  return union(memberTexts(schema, scope));
}

/** Returns whether a schema prints as `unknown`. A union with a member `unknown` is `unknown`. */
export function isUnknown(schema: Schema): boolean {
  return schema.shape === 'unknown' || (schema.shape === 'union' && schema.members.some(isUnknown));
}

/** Returns a union of the member types, without duplicates. */
export function union(texts: readonly string[]): string {
  // No value is valid.
  if (texts.length === 0) return 'never';
  const members = [...new Set(texts)];
  const line = members.join(' | ');
  if (members.length < 4 || line.length <= unionWidth) return line;
  return members.map((member) => `\n    | ${member}`).join('');
}

/**
 * Returns the union members of a schema, `null` included, for use in `union`. Most schemas have one member.
 */
export function memberTexts(schema: Schema, scope: Scope): readonly string[] {
  const members = shapeTexts(schema, scope);
  return schema.nullable ? [...members, 'null'] : members;
}

function shapeTexts(schema: Schema, scope: Scope): readonly string[] {
  switch (schema.shape) {
    case 'unknown':
      return ['unknown'];
    case 'string':
    case 'boolean':
      return [schema.shape];
    case 'integer':
    case 'number':
      return ['number'];
    case 'int-or-string':
      return ['number', 'string'];
    case 'enum':
      return [...schema.values.map(literal), ...(schema.open ? ['(string & {})'] : [])];
    case 'constant':
      return [quoted(schema.value)];
    case 'array':
      return [arrayText(schema, scope)];
    case 'map':
      return [`{ [key: string]: ${typeText(schema.values, scope)} }`];
    case 'ref':
      return [scope.refer(schema)];
    case 'runtime':
      return [scope.module.runtimeType(schema.name)];
    case 'union':
      return schema.members.flatMap((member) => memberTexts(member, scope));
  }
}

function arrayText(schema: ArrayShape, scope: Scope): string {
  const item = typeText(schema.items, scope);
  const { items } = schema;
  const isObject = items.shape === 'ref' || items.shape === 'runtime';
  if (schema.mapKeys.length > 0 && isObject && !items.nullable) {
    return `${scope.module.runtimeType('ListMap')}<${item}, ${quotedUnion(schema.mapKeys)}>`;
  }
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}
