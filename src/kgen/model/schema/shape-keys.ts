/** Keys by which equal members are found in linear time. */
import { byText } from '../../common/words.ts';
import type { JsonValue } from '../../input/crd/crd-input.ts';
import { isObject, listOf } from '../../input/json.ts';
import type { Facts, Literal, NamedType, Property, Schema } from '../ir.ts';
import { documentedKeywords } from './facts.ts';
import { jsonText } from './json.ts';

/**
 * Creates short strings that are equal for members that print alike, docs included. Long strings are replaced
 * by numbers and each is hashed once, because descriptions are the largest part of a CRD.
 */
export class ShapeKeys {
  readonly #numbers = new Map<string, number>();

  /** Returns a key for the members of an object. The order of the properties does not count. */
  keyOf({ properties, rest, exclusive = [] }: Pick<NamedType, 'properties' | 'rest' | 'exclusive'>): string {
    let key = '';
    for (const { names, isRequired } of exclusive)
      key += `${isRequired ? 'one' : 'none'}(${names.map((name) => this.#number(name)).join(' ')})`;
    for (const property of sorted(properties)) {
      const flags = (property.optional ? 1 : 0) + (property.defaulted ? 2 : 0);
      key += `${this.#number(property.name)}:${flags}${this.#schema(property.schema)};`;
    }
    return rest === undefined ? key : `${key}rest${this.#schema(rest)}`;
  }

  #schema(schema: Schema): string {
    return `${this.#shape(schema)}${schema.nullable ? '?' : ''}${this.#facts(schema.facts)}`;
  }

  #shape(schema: Schema): string {
    switch (schema.shape) {
      case 'array':
        return `[${schema.list}${schema.mapKeys.map((key) => this.#number(key)).join(' ')} ${this.#schema(schema.items)}]`;
      case 'map':
        return `{${this.#schema(schema.values)}}`;
      case 'union':
        return `(${schema.members.map((member) => this.#schema(member)).join('|')})`;
      case 'enum':
        return `enum${schema.values.map((value) => this.#literal(value)).join(' ')}${schema.open ? '+' : ''}`;
      case 'constant':
        return `=${this.#number(schema.value)}`;
      case 'ref':
        return `ref${schema.name}${schema.from === undefined ? '' : ` ${schema.from.group}/${schema.from.version}`}`;
      case 'runtime':
        return schema.shape + schema.name;
      case 'unknown':
        return schema.reason;
      default:
        return schema.shape;
    }
  }

  #literal(value: Literal): string {
    return typeof value === 'string' ? `s${this.#number(value)}` : String(value);
  }

  #facts({ description, keywords, logic = [], deprecated, immutable }: Facts): string {
    let key = description === undefined ? '' : `d${this.#number(description)}`;
    if (deprecated !== undefined) key += `x${this.#number(deprecated)}`;
    if (immutable) key += '!';
    for (const keyword of [...documentedKeywords, ...logic])
      if (hasEffect(keywords[keyword])) key += `,${this.#value(keyword, keywords[keyword])}`;
    return key;
  }

  /**
   * Returns a key for what the schemas of an object's properties state beside `keyOf`: objects that differ in
   * it share a type. Empty for almost all objects.
   */
  variantOf({ properties, rest }: Pick<NamedType, 'properties' | 'rest'>): string {
    let key = rest === undefined ? '' : this.#variant(rest);
    for (const { name, schema, required, defaulted } of properties) {
      const own = `${required && defaulted ? 'r' : ''}${this.#variant(schema)}`;
      if (own !== '') key += `${this.#number(name)}:${own};`;
    }
    return key;
  }

  #variant(schema: Schema): string {
    const { keywords, isWhole, logic = [] } = schema.facts;
    let key = schema.shape === 'ref' ? (schema.variant ?? '') : this.#variantOfParts(schema);
    if (isWhole !== true) return key;
    for (const keyword of Object.keys(keywords)) {
      if (keyedKeywords.has(keyword) || logic.some((each) => each === keyword)) continue;
      if (!isOfShape(keyword, schema)) key += `,${this.#value(keyword, keywords[keyword])}`;
    }
    return key;
  }

  #variantOfParts(schema: Schema): string {
    const parts =
      schema.shape === 'array'
        ? [schema.items]
        : schema.shape === 'map'
          ? [schema.values]
          : schema.shape === 'union'
            ? schema.members
            : [];
    const keys = parts.map((part) => this.#variant(part));
    return keys.every((key) => key === '') ? '' : `(${keys.join('|')})`;
  }

  #value(keyword: string, value: JsonValue | undefined): string {
    return `${this.#number(keyword)}=${this.#number(jsonText(value, { limit: maxKeyText }))}`;
  }

  #number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

/** Maximum length of the JSON of a value in a key. Longer values are not published by servers. */
const maxKeyText = 1_000_000;

/** Keywords of keys, and those that are compared by the type or by its parts. */
const keyedKeywords: ReadonlySet<string> = new Set([
  ...documentedKeywords,
  ...['description', 'properties', 'items', 'required'],
]);

function hasEffect(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== false && value !== '';
}

/** Returns whether schemas of equal shape have the same value of a keyword. */
function isOfShape(keyword: string, schema: Schema): boolean {
  const { keywords } = schema.facts;
  switch (keyword) {
    case 'type':
      return !['unknown', 'int-or-string', 'runtime'].includes(schema.shape);
    case 'nullable':
      return (keywords[keyword] === true) === schema.nullable;
    case 'enum':
      return schema.shape === 'enum' && listOf(keywords[keyword]).length === schema.values.length;
    case 'additionalProperties':
      return isObject(keywords[keyword]);
    case 'x-kubernetes-int-or-string':
      return schema.shape === 'int-or-string';
    case 'x-kubernetes-preserve-unknown-fields':
      return ['unknown', 'ref'].includes(schema.shape) || isFreeForm(schema);
    default:
      return false;
  }
}

function isFreeForm(schema: Schema): boolean {
  return schema.shape === 'map' && schema.values.shape === 'unknown';
}

function sorted(properties: readonly Property[]): readonly Property[] {
  const inOrder = properties.every((property, index) => {
    const before = properties[index - 1];
    return before === undefined || before.name < property.name;
  });
  return inOrder ? properties : [...properties].sort((a, b) => byText(a.name, b.name));
}
