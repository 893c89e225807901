/** The type of a schema as text. */
import type { ArrayShape, Schema } from '../model/ir.ts';
import { literal, quoted, quotedUnion } from './literals.ts';
import type { Scope } from './scope.ts';

/** Longest union that stays on one line. */
const unionWidth = 90;

/** A type expression; imports it needs are noted in the module of `scope`. */
export function typeText(schema: Schema, scope: Scope): string {
  if (isUnknown(schema)) return 'unknown';
  return union(memberTexts(schema, scope));
}

/** True for what prints as `unknown`: a union takes in everything as soon as one member does. */
export function isUnknown(schema: Schema): boolean {
  return schema.shape === 'unknown' || (schema.shape === 'union' && schema.members.some(isUnknown));
}

/** A type that takes what any of the members takes; doubles are left out. */
export function union(texts: readonly string[]): string {
  const members = [...new Set(texts)];
  const line = members.join(' | ');
  if (members.length < 4 || line.length <= unionWidth) return line;
  return members.map((member) => `\n    | ${member}`).join('');
}

/** The members of the union that a schema is, `null` included; one member for most. For `union`. */
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
