/** Types of JSON Schema, as libraries of validators print them: `jsonSchema` of Standard JSON Schema. */
import { isSupported } from '@kgen/schema/formats/formats';
import { isArray, isObject, type Json, type JsonObject, own } from '@kgen/schema/values/json';
import type { SourcePlace } from '../../common/problems.ts';
import { schemaTags, schemaTagsByName } from '../../notation/tags.ts';
import { printValue } from '../../notation/values.ts';
import type {
  Declared,
  DeclaredLiteral,
  DeclaredProperty,
  DeclaredShape,
  NoteTag,
} from '../declare/declared.ts';

/** Returns the type that a schema of draft 2020-12 describes. All parts have one place. */
export function declaredSchema(schema: JsonObject, place: SourcePlace): Declared {
  return new SchemaReader(schema, place).read(schema);
}

/** Keywords that have no effect on values, or that `#shape` reads. */
const knownKeywords: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'id', '$comment', '$defs', 'definitions', '$ref', 'description', 'examples'],
  ...['deprecated', 'readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType', 'nullable'],
  ...['type', 'enum', 'const', 'anyOf', 'oneOf', 'not', 'items', 'prefixItems'],
  ...[
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
    'exclusiveMinimum',
    'exclusiveMaximum',
  ],
  ...schemaTags.flatMap(({ keyword }) => keyword ?? []),
]);

class SchemaReader {
  readonly #root: JsonObject;
  readonly #place: SourcePlace;
  /** References that contain the schema that is read. */
  readonly #open: string[] = [];

  constructor(root: JsonObject, place: SourcePlace) {
    this.#root = root;
    this.#place = place;
  }

  read(given: Json | undefined): Declared {
    const base = { place: this.#place, notes: [], isNullable: false };
    if (given === undefined || given === true) return { ...base, shape: { is: 'unknown' } };
    if (!isObject(given)) return { ...base, shape: invalid('has no value: use another schema') };
    const reference = own(given, '$ref');
    if (typeof reference === 'string') return this.#referenced(reference, given);
    const present = withoutNull(given);
    if (present !== undefined) return { ...this.read(present), isNullable: true };
    const node = this.#merged(given);
    const description = own(node, 'description');
    const note = { ...(typeof description === 'string' && { description }), tags: this.#tags(node) };
    return { ...base, notes: [note], shape: this.#shape(node) };
  }

  #referenced(reference: string, { $ref: _, ...others }: JsonObject): Declared {
    if (this.#open.includes(reference)) {
      const path = [...this.#open, reference].map((each) => each.split('/').at(-1)).join(' -> ');
      const fault = `is recursive (${path}), which a schema cannot express: use a schema of any value at one of these places`;
      return { place: this.#place, notes: [], isNullable: false, shape: invalid(fault) };
    }
    const node = this.#target(reference);
    this.#open.push(reference);
    const read = this.read(isObject(node) ? { ...node, ...others } : node);
    this.#open.pop();
    return read;
  }

  #target(reference: string): Json | undefined {
    const keys = reference.split('/').slice(1);
    let node: Json | undefined = this.#root;
    for (const key of keys) node = own(node, key.replaceAll('~1', '/').replaceAll('~0', '~'));
    return node;
  }

  /** Returns one schema for those of `allOf`, which intersections of objects have. */
  #merged({ allOf, ...node }: JsonObject): JsonObject {
    if (!isArray(allOf)) return node;
    let result: JsonObject = node;
    for (const member of allOf) {
      const reference = own(member, '$ref');
      const found = typeof reference === 'string' ? this.#target(reference) : member;
      const part = isObject(found) ? this.#merged(found) : {};
      const both = (key: string): readonly Json[] =>
        [own(result, key), own(part, key)].filter((each) => each !== undefined);
      const properties = both('properties').filter(isObject);
      const required = both('required').filter(isArray).flat();
      result = {
        ...{ ...result, ...part },
        ...(properties.length > 0 && {
          properties: Object.fromEntries(properties.flatMap((each) => Object.entries(each))),
        }),
        ...(required.length > 0 && { required: [...new Set(required)] }),
      };
    }
    return result;
  }

  #shape(node: JsonObject): DeclaredShape {
    const foreign = Object.keys(node).find((key) => !knownKeywords.has(key) && !key.startsWith('x-'));
    if (foreign !== undefined)
      return invalid(
        `has the keyword ${foreign}, which a structural schema cannot express: remove this check`,
      );
    const union = own(node, 'anyOf') ?? own(node, 'oneOf');
    if (isArray(union)) return this.#union(union);
    if (own(node, 'not') !== undefined) return invalid('excludes values: use a schema of the accepted ones');
    const literals = literalsOf(node);
    if (literals !== undefined) return literals;
    const type = own(node, 'type');
    if (isArray(type)) return this.#union(type.map((each) => ({ ...node, type: each })));
    switch (type) {
      case 'string':
      case 'boolean':
        return { is: type };
      case 'number':
      case 'integer':
        return { is: 'number' };
      case 'array':
        return this.#array(node);
      case 'object':
        return this.#object(node);
      case undefined:
        return { is: 'unknown' };
      default:
        return invalid('has only the value null: use another schema');
    }
  }

  #union(members: readonly Json[]): DeclaredShape {
    const read = members.map((member) => this.read(member).shape);
    const shapes = read.flatMap((shape): readonly DeclaredShape[] =>
      shape.is === 'union' ? shape.members : [shape],
    );
    const fault = shapes.find((shape) => shape.is === 'invalid');
    const [only, ...others] = shapes;
    if (fault !== undefined) return fault;
    if (only !== undefined && others.length === 0) return only;
    const kinds = new Set(shapes.map(({ is }) => is));
    const literals = shapes.flatMap((shape) => (shape.is === 'literals' ? shape.values : []));
    if (kinds.size === 1 && kinds.has('literals')) return { is: 'literals', values: literals };
    const isText = literals.every((value) => typeof value === 'string');
    if (kinds.size === 2 && kinds.has('literals') && kinds.has('string') && isText) return { is: 'string' };
    if (kinds.size === 2 && kinds.has('string') && kinds.has('number'))
      return { is: 'known', name: 'int-or-string' };
    const objects = shapes.filter((shape) => shape.is === 'object');
    if (objects.length === shapes.length) return { is: 'union', members: objects };
    return invalid(
      'is a union that a schema cannot express: use literals, objects with a common literal, or a string and a number',
    );
  }

  #array(node: JsonObject): DeclaredShape {
    if (own(node, 'prefixItems') !== undefined)
      return invalid(
        'is a tuple, which a schema cannot express: use a list, or an object with a property for each position',
      );
    return { is: 'array', items: this.read(own(node, 'items')) };
  }

  #object(node: JsonObject): DeclaredShape {
    const [given, rest, names] = ['properties', 'additionalProperties', 'propertyNames'].map((key) =>
      own(node, key),
    );
    const isFree = names === undefined || Object.keys(names ?? {}).join() === 'type';
    if (!isFree) return invalid('restricts the names of members: use properties, or a rule of CEL');
    const properties = this.#properties(isObject(given) ? given : {}, own(node, 'required'));
    if (properties.length > 0 && isObject(rest) && Object.keys(rest).length > 0)
      return invalid(
        'has properties and a schema of other members, which a schema cannot express: move the map into a property',
      );
    const isOpen = rest === true || (isObject(rest) && Object.keys(rest).length === 0);
    if (properties.length > 0) return { is: 'object', properties, isOpen };
    if (isObject(rest) && !isOpen) return { is: 'map', values: this.read(rest) };
    const isAny = isOpen || (given === undefined && rest === undefined);
    return isAny ? { is: 'known', name: 'json-object' } : { is: 'object', properties, isOpen: false };
  }

  #properties(given: JsonObject, required: Json | undefined): readonly DeclaredProperty[] {
    const names = isArray(required) ? required : [];
    return Object.entries(given).map(([name, schema]) => ({
      name,
      isOptional: !names.includes(name),
      value: this.read(schema),
    }));
  }

  /** Returns the tags of the keywords that the type does not express. */
  #tags(node: JsonObject): readonly NoteTag[] {
    const values = new Map<string, Json>();
    const type = own(node, 'type');
    if (type === 'integer' || type === 'number') values.set(type, true);
    if (isInt32(node)) values.set('format', 'int32');
    const examples = own(node, 'examples');
    if (isArray(examples) && examples[0] !== undefined) values.set('example', examples[0]);
    for (const { name, keyword } of schemaTags) {
      const value = own(node, keyword ?? name);
      const isKeyword = keyword !== undefined || name.startsWith('exclusive');
      if (isKeyword && value !== undefined && !isImplied(name, value, node)) values.set(name, value);
    }
    const others = Object.entries(node).filter(([key]) => key.startsWith('x-kubernetes-'));
    if (others.length > 0) values.set('schema', Object.fromEntries(others));
    return [...values].flatMap(([name, value]): NoteTag[] => {
      const definition = schemaTagsByName.get(name);
      return definition === undefined
        ? []
        : [{ name, text: printValue(definition, value), place: this.#place }];
    });
  }
}

function invalid(fault: string): DeclaredShape {
  return { is: 'invalid', fault };
}

/** Returns a schema without `null`; `undefined` if the schema does not accept it beside other values. */
function withoutNull(node: JsonObject): JsonObject | undefined {
  for (const key of ['anyOf', 'oneOf']) {
    const members = own(node, key);
    if (!isArray(members)) continue;
    const others = members.filter(
      (member) => own(member, 'type') !== 'null' && own(member, 'const') !== null,
    );
    if (others.length === members.length || others.length === 0) continue;
    const { [key]: _, ...rest } = node;
    const [only] = others;
    return others.length === 1 && isObject(only) ? { ...only, ...rest } : { ...rest, [key]: others };
  }
  for (const key of ['type', 'enum']) {
    const values = own(node, key);
    const empty = key === 'type' ? 'null' : null;
    if (!isArray(values) || !values.includes(empty) || values.length === 1) continue;
    const others = values.filter((value) => value !== empty);
    return { ...node, [key]: key === 'type' && others.length === 1 ? (others[0] ?? null) : others };
  }
  return undefined;
}

function literalsOf(node: JsonObject): DeclaredShape | undefined {
  const constant = own(node, 'const');
  const values = constant === undefined ? own(node, 'enum') : [constant];
  if (!isArray(values)) return undefined;
  const literals = values.filter(
    (value): value is DeclaredLiteral =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
  );
  const isBoolean = literals.length === 2 && literals.every((value) => typeof value === 'boolean');
  if (isBoolean) return { is: 'boolean' };
  if (literals.length < values.length)
    return invalid('has literals that are not strings, numbers or booleans');
  return { is: 'literals', values: literals };
}

const int32Bounds = [-(2 ** 31), 2 ** 31 - 1] as const;

function isInt32(node: JsonObject): boolean {
  const [low, high] = int32Bounds;
  return own(node, 'type') === 'integer' && own(node, 'minimum') === low && own(node, 'maximum') === high;
}

/** Bounds that libraries add to every number, and formats whose meaning in Kubernetes is another. */
function isImplied(name: string, value: Json, node: JsonObject): boolean {
  switch (name) {
    case 'minimum':
    case 'maximum':
      return isInt32(node) || [Number.MAX_SAFE_INTEGER, Number.MAX_VALUE].includes(Math.abs(Number(value)));
    case 'format':
      return !isServerFormat(value, node);
    default:
      return false;
  }
}

/** Durations of JSON Schema are those of ISO 8601. */
function isServerFormat(format: Json | undefined, node: JsonObject): boolean {
  return (
    typeof format === 'string' && format !== 'duration' && isSupported(format, String(own(node, 'type')))
  );
}
