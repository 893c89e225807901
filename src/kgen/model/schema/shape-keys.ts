/** Keys by which equal members are found in linear time. */
import { byText } from '../../common/words.ts';
import type { Facts, Literal, NamedType, Property, Schema } from '../ir.ts';

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

  #facts({ description, default: fallback, format, rules, deprecated, immutable }: Facts): string {
    let key = description === undefined ? '' : `d${this.#number(description)}`;
    if (fallback !== undefined) key += `=${this.#number(fallback)}`;
    if (format !== undefined) key += `f${this.#number(format)}`;
    if (deprecated !== undefined) key += `x${this.#number(deprecated)}`;
    if (immutable) key += '!';
    for (const { name, value, message, details } of rules) {
      key += `,${name}${this.#number(value)}${message === undefined ? '' : `m${this.#number(message)}`}`;
      if (details !== undefined) key += `d${this.#number(JSON.stringify(details))}`;
    }
    return key;
  }

  #number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

function sorted(properties: readonly Property[]): readonly Property[] {
  const inOrder = properties.every((property, index) => {
    const before = properties[index - 1];
    return before === undefined || before.name < property.name;
  });
  return inOrder ? properties : [...properties].sort((a, b) => byText(a.name, b.name));
}
