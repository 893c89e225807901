/** Declares a schema as TypeScript, from which `kgen manifests` reads an equal schema. */
import {
  equal,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  strings,
} from '@kgen/schema/values/json';
import { byText } from '../../common/words.ts';
import { comment, isRestored } from '../../emit/text/docs.ts';
import { literal, propertyName } from '../../emit/text/literals.ts';
import { pascal } from '../../model/names/casing.ts';
import { singular } from '../../model/names/singular.ts';
import { oneLine } from '../../notation/descriptions.ts';
import type { SchemaTag } from '../../notation/keywords.ts';
import { knownTypes } from '../../notation/known-types.ts';
import { isIdentity, normalSchema } from '../../notation/normal.ts';
import { endsImmutable, lastingRule } from '../../notation/rules.ts';
import { schemaTagsByName } from '../../notation/tags.ts';
import { tagsFor } from '../../notation/tags-for.ts';
import { joinPart, type PartStep, printValue } from '../../notation/values.ts';

/** Where a value is. */
interface Spot {
  /** Properties on the way to it, in PascalCase: names of its interface are made of the last ones. */
  readonly path: readonly string[];
  /** Whether `@immutable` adds one rule only, or another one to the object that has it too. */
  readonly mayBeImmutable: boolean;
}

/** A tag of a comment. */
interface Tag {
  readonly name: string;
  readonly text: string;
  readonly part: readonly PartStep[];
}

/** A value in TypeScript. */
interface Value {
  readonly type: string;
  /** For the comment of the property. */
  readonly tags: readonly Tag[];
  readonly description: string;
}

/** A type, and the part of a schema that it expresses. */
interface Shape {
  readonly type: string;
  /** Keywords that a reader derives from the type. */
  readonly base: JsonObject;
  /** Keywords whose value is declared by other types. */
  readonly through?: readonly string[];
  /** Tags that select the type. */
  readonly flags?: readonly string[];
  /** Tags of items or values without a type of their own. */
  readonly tags?: readonly Tag[];
  /** Members of an interface. */
  readonly body?: string;
}

/** Interfaces of one module, with names that are unique in it. */
export class Declarations {
  /** Names of `kgen/api` that are used. */
  readonly imports: Set<string> = new Set<string>();
  readonly #reserved: ReadonlySet<string>;
  readonly #names = new Map<string, string>();
  readonly #texts: { readonly order: number; readonly text: string }[] = [];
  #order = 0;
  #kind = '';
  #suffix = '';

  constructor(reserved: Iterable<string>) {
    this.#reserved = new Set(reserved);
  }

  /** The declarations, outermost first. */
  get text(): string {
    return [...this.#texts]
      .sort((a, b) => a.order - b.order)
      .map(({ text }) => text)
      .join('\n');
  }

  /**
   * Declares the kind of one version.
   * @param schema in normal form
   * @param suffix of all names of the version
   */
  kind(name: string, schema: JsonObject, suffix: string): string {
    this.#kind = name;
    this.#suffix = suffix;
    const order = this.#next();
    const declared = this.#unique([`${name}${suffix}`, `${name}Resource${suffix}`]);
    const base = this.#customResource(schema);
    const { members, lasting } = this.#members(schema, [], base === '' ? noNames : ownNames);
    const shape = { type: '', base: objectBase(schema, lasting), through: ['properties'] };
    const { tags, description } = notation(schema, shape, false);
    const metadata = base !== '' || members.has('metadata') ? [] : [this.#metadata()];
    const body = [...metadata, ...members.values(), ...indexText(schema)].join('');
    const doc = printed(description, tags, '');
    this.#texts.push({
      order,
      text: `${doc}export interface ${declared}${base} {${body === '' ? '' : `\n${body}`}}\n`,
    });
    return declared;
  }

  /** Returns the interface that a kind with a required spec extends; `''` for other kinds. */
  #customResource(schema: JsonObject): string {
    const properties = object(schema, 'properties');
    const { spec, status, metadata: _metadata, ...others } = properties;
    if (!equal(strings(schema, 'required'), ['spec']) || !isObject(spec) || Object.keys(others).length > 0)
      return '';
    if (own(schema, 'x-kubernetes-preserve-unknown-fields') === true || isImmutable(status ?? null))
      return '';
    const given = [['Spec', spec] as const, ...(isObject(status) ? [['Status', status] as const] : [])];
    if (given.some(([, node]) => ownKeywords.some((key) => Object.hasOwn(node, key)))) return '';
    const values = given.map(([name, node]) =>
      this.#value(node, { path: [name], mayBeImmutable: true }, false),
    );
    if (values.some(({ tags }) => tags.length > 0)) return '';
    this.imports.add('CustomResource');
    return ` extends CustomResource<${values.map(({ type }) => type).join(', ')}>`;
  }

  #metadata(): string {
    this.imports.add('ObjectMeta');
    return '  metadata?: ObjectMeta;\n';
  }

  #next(): number {
    this.#order += 1;
    return this.#order;
  }

  #unique(names: readonly string[]): string {
    const free = (name: string): boolean => !this.#names.has(name) && !this.#reserved.has(name);
    const last = names.at(-1) ?? '';
    let name = names.find(free);
    for (let number = 2; name === undefined; number += 1)
      name = free(`${last}${number}`) ? `${last}${number}` : undefined;
    this.#names.set(name, '');
    return name;
  }

  /**
   * Returns the text of each member, and the rules that immutable members add.
   * @param except names that another interface declares
   */
  #members(node: JsonObject, path: readonly string[], except = noNames) {
    const required = new Set(strings(node, 'required'));
    const isWhole = path.length === 0 || own(node, 'x-kubernetes-embedded-resource') === true;
    const entries = Object.entries(object(node, 'properties')).sort(([a], [b]) => byText(a, b));
    const candidates = entries
      .filter(([name, value]) => !required.has(name) && isImmutable(value))
      .map(([name]) => lastingRule(name));
    const rules = own(node, 'x-kubernetes-validations');
    const isLasting = candidates.every((rule, index) => isArray(rules) && equal(rule, rules[index] ?? null));
    const members = new Map<string, string>();
    for (const [name, value] of entries) {
      if (except.has(name)) continue;
      const spot: Spot = { path: [...path, pascal(name)], mayBeImmutable: required.has(name) || isLasting };
      const declared =
        isWhole && isIdentity(name)
          ? this.#restricted(name, value)
          : this.#value(isObject(value) ? value : {}, spot, true);
      members.set(name, memberText(name, value, required.has(name), declared));
    }
    return { members, lasting: isLasting ? candidates : [] };
  }

  /** Servers describe the identity of an object, so that only tags restrict it. */
  #restricted(name: string, value: Json): Value {
    const node = isObject(value) ? value : {};
    if (name !== 'metadata')
      return { type: 'string', ...notation(node, { type: '', base: { type: 'string' } }, false) };
    this.imports.add('ObjectMeta');
    return { type: 'ObjectMeta', ...notation(node, { type: '', base: { type: 'object' } }, false) };
  }

  /** @param isMember whether the value has a comment of its own */
  #value(node: JsonObject, spot: Spot, isMember: boolean): Value {
    const order = this.#next();
    const shape = this.#shape(node, spot);
    const isNullable = own(node, 'nullable') === true && shape.type !== 'unknown';
    const base = isNullable ? { ...shape.base, nullable: true } : shape.base;
    const { tags, description } = notation(
      node,
      { ...shape, base },
      spot.mayBeImmutable,
      isMember || shape.body !== undefined,
    );
    const nullable = (type: string): string => (isNullable ? `${type} | null` : type);
    if (shape.body === undefined)
      return { type: nullable(shape.type), description, tags: [...tags, ...(shape.tags ?? [])] };
    const isOfMember = (tag: Tag): boolean => isMember && ownTags.has(tag.name);
    const others = tags.filter((tag) => !isOfMember(tag));
    const doc = printed(isMember ? '' : description, others, '');
    const name = this.#declare(spot.path, `${doc}export interface`, shape.body, order);
    return { type: nullable(name), description: isMember ? description : '', tags: tags.filter(isOfMember) };
  }

  /** Equal interfaces are declared once. */
  #declare(path: readonly string[], head: string, body: string, order: number): string {
    const key = `${this.#suffix} ${head} ${body}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const tails = path.map((_, index) => path.slice(path.length - 1 - index).join(''));
    const name = this.#unique(tails.map((tail) => this.#kind + tail + this.#suffix));
    this.#names.set(key, name);
    this.#texts.push({ order, text: `${head} ${name} {\n${body}}\n` });
    return name;
  }

  #known(type: string, name: string): Shape {
    this.imports.add(type);
    const base = normalSchema(knownTypes.get(name) ?? {});
    return {
      type,
      base,
      through: ['items', 'properties', 'additionalProperties'].filter((key) => Object.hasOwn(base, key)),
    };
  }

  #shape(node: JsonObject, spot: Spot): Shape {
    if (own(node, 'x-kubernetes-int-or-string') === true) {
      const isQuantity = own(node, 'pattern') === own(knownTypes.get('quantity'), 'pattern');
      const [type, name] = isQuantity ? ['Quantity', 'quantity'] : ['IntOrString', 'int-or-string'];
      const shape = this.#known(type, name);
      // Servers accept the pair of types in one place only.
      return own(node, 'allOf') === undefined ? shape : { ...shape, base: knownTypes.get(name) ?? {} };
    }
    const literals = literalsOf(node);
    if (literals !== undefined) return literals;
    const format = own(node, 'format');
    switch (own(node, 'type')) {
      case 'string':
        if (format === 'date-time') return this.#known('Timestamp', 'date-time');
        return format === 'byte'
          ? this.#known('Base64', 'byte')
          : { type: 'string', base: { type: 'string' } };
      case 'boolean':
        return { type: 'boolean', base: { type: 'boolean' } };
      case 'integer':
        if (format === 'int32') return this.#known('Int32', 'int32');
        if (format === 'int64') return this.#known('Int64', 'int64');
        return { type: 'number', base: { type: 'integer' }, flags: ['integer'] };
      case 'number':
        if (format === 'double') return this.#known('Double', 'double');
        return { type: 'number', base: { type: 'number' }, flags: ['number'] };
      case 'array':
        return this.#array(node, spot);
      case 'object':
        return this.#object(node, spot);
      default:
        return { type: 'unknown', base: { 'x-kubernetes-preserve-unknown-fields': true } };
    }
  }

  #array(node: JsonObject, spot: Spot): Shape {
    const items = own(node, 'items');
    if (!isObject(items)) return { type: 'unknown[]', base: { type: 'array', items: keptAsIs } };
    const value = this.#value(items, partSpot(spot), false);
    const type = value.type.includes(' | ') ? `(${value.type})[]` : `${value.type}[]`;
    return { type, base: { type: 'array', items: {} }, through: ['items'], tags: parts(value.tags, 'items') };
  }

  #object(node: JsonObject, spot: Spot): Shape {
    const isOpen = own(node, 'x-kubernetes-preserve-unknown-fields') === true;
    const values = own(node, 'additionalProperties');
    const { members, lasting } = this.#members(node, spot.path);
    if (members.size > 0) {
      const base = objectBase(node, lasting);
      const body = [...members.values(), ...indexText(node)].join('');
      return { type: '', base, through: ['properties'], body };
    }
    if (isObject(values)) {
      const { type, tags } = this.#value(values, partSpot(spot), false);
      if (type !== 'unknown')
        return {
          type: `{ [key: string]: ${type} }`,
          base: { type: 'object', additionalProperties: {} },
          through: ['additionalProperties'],
          tags: parts(tags, 'values'),
        };
    }
    if (isOpen && own(node, 'x-kubernetes-embedded-resource') === true)
      return this.#known('EmbeddedResource', 'embedded-resource');
    if (isOpen) return this.#known('JsonObject', 'json-object');
    return { type: '{ [key: string]: never }', base: { type: 'object' } };
  }
}

const keptAsIs: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

/** Tags of the property, as opposed to its type. */
const ownKeywords = ['default', 'example', 'externalDocs', 'title'];
const ownTags: ReadonlySet<string> = new Set(ownKeywords);

const noNames: ReadonlySet<string> = new Set();
const ownNames: ReadonlySet<string> = new Set(['spec', 'status']);

/** Returns the place of the items of a list, or of the values of a map. */
function partSpot({ path }: Spot): Spot {
  const last = path.at(-1) ?? '';
  return { path: [...path.slice(0, -1), singular(last)], mayBeImmutable: true };
}

/** Returns what a reader derives from an interface. */
function objectBase(node: JsonObject, lasting: readonly JsonObject[]): JsonObject {
  const properties = object(node, 'properties');
  const required = strings(node, 'required').filter((name) => Object.hasOwn(properties, name));
  const isOpen = own(node, 'x-kubernetes-preserve-unknown-fields') === true;
  return {
    type: 'object',
    ...(Object.keys(properties).length > 0 && { properties: {} }),
    ...(required.length > 0 && { required }),
    ...(isOpen && keptAsIs),
    ...(lasting.length > 0 && { 'x-kubernetes-validations': lasting }),
  };
}

function memberText(
  name: string,
  node: Json,
  isRequired: boolean,
  { type, tags, description }: Value,
): string {
  const isDefaulted = isRequired && own(node, 'default') !== undefined;
  const all = isDefaulted ? [...tags, { name: 'required', text: '', part: [] }] : tags;
  const mark = isRequired && !isDefaulted ? '' : '?';
  return `${printed(description, all, '  ')}  ${propertyName(name)}${mark}: ${type};\n`;
}

function indexText(node: JsonObject): readonly string[] {
  return own(node, 'x-kubernetes-preserve-unknown-fields') === true ? ['  [key: string]: unknown;\n'] : [];
}

function printed(description: string, tags: readonly Tag[], indent: string): string {
  const lines = tags.map(({ name, text, part }) => ({ name, text: joinPart(text, part) }));
  return comment([description], lines, indent);
}

/** Returns a union of literals, if all values of an enum have the type of the node. */
function literalsOf(node: JsonObject): Shape | undefined {
  const values = own(node, 'enum');
  const type = own(node, 'type');
  if (!isArray(values) || values.length === 0) return undefined;
  const named = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  const isText = type === 'string' && named.every((value) => typeof value === 'string');
  const isInteger = type === 'integer' && named.every((value) => Number.isSafeInteger(value));
  if (named.length < values.length || new Set(values).size < values.length) return undefined;
  if (!isText && !isInteger) return undefined;
  return { type: named.map((value) => literal(value)).join(' | '), base: { type, enum: values } };
}

function isImmutable(node: Json): boolean {
  return endsImmutable(own(node, 'x-kubernetes-validations'));
}

function parts(tags: readonly Tag[], step: PartStep): readonly Tag[] {
  return tags.map((tag) => ({ ...tag, part: [step, ...tag.part] }));
}

/** Returns the comment of a value. */
function notation(
  node: JsonObject,
  { base, through = [], flags = [] }: Shape,
  mayBeImmutable: boolean,
  isDescribed = true,
): { readonly description: string; readonly tags: readonly Tag[] } {
  const description = own(node, 'description');
  const isShown =
    isDescribed &&
    typeof description === 'string' &&
    isRestored(comment([description], [], ''), description, false);
  const expressed = new Set([...through, ...(isShown ? ['description'] : [])]);
  const folded = typeof description === 'string' ? { ...node, description: oneLine(description) } : node;
  const tags = tagsFor({ node: folded, base, expressed, mayBeImmutable });
  const first = flags.flatMap((name): readonly SchemaTag[] => {
    const definition = schemaTagsByName.get(name);
    return definition === undefined ? [] : [{ definition, value: true }];
  });
  const texts = [...first, ...tags].map(({ definition, value }) => ({
    name: definition.name,
    text: printValue(definition, value),
    part: [],
  }));
  return { description: isShown ? description : '', tags: texts };
}
