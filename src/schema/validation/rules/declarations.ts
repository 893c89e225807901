/** Types of schemas in expressions, with the largest sizes of their values. */
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  string,
  structOf,
  type Type,
  timestamp,
} from '../../cel/check/types.ts';
import type { EstimateSize } from '../../cel/cost/costs.ts';
import type { FieldTypes } from '../../cel/environment.ts';
import { escapeName } from '../../cel/syntax/reserved.ts';
import { utf8Length } from '../../values/bytes.ts';
import type { JsonObject } from '../../values/json.ts';
import { parseSchema, type Schema, valueSchema } from '../structural.ts';

/** Size of the largest request, in bytes. */
const requestSize = 3 * 1024 * 1024;

/** The type of a schema's values. Equal types are identical. */
export interface Declaration {
  readonly id: number;
  /** Type of a scalar. Default: the type of a list, map or object, by the other members. */
  readonly scalar?: Type;
  /** The largest number of elements of a list or map, or bytes of a string. */
  readonly maxElements: number;
  /** The smallest number of bytes of a value in JSON. */
  readonly minSize: number;
  readonly key?: Declaration;
  readonly element?: Declaration;
  readonly fields?: ReadonlyMap<string, Declaration>;
}

const text: Schema = parseSchema({ type: 'string' });

/** The parts of every object that rules at the root may use. */
const rootFields: readonly (readonly [string, Schema])[] = [
  ['apiVersion', text],
  ['kind', text],
  [
    'metadata',
    parseSchema({
      type: 'object',
      properties: { name: { type: 'string' }, generateName: { type: 'string' } },
    }),
  ],
];

/** Returns the schema of an embedded resource or of the root, with the fields that rules may use there. */
export function withRootFields(schema: Schema): Schema {
  return { ...schema, properties: new Map([...schema.properties, ...rootFields]) };
}

/** Returns whether expressions can use the values of a schema. Those of any type cannot be used. */
export function isUsable(schema: JsonObject): boolean {
  return declare(parseSchema(schema), false) !== undefined;
}

/**
 * Returns the declaration of a schema. `undefined` if expressions cannot use its values.
 * @param isRoot whether the values are whole resources or embedded ones
 */
export function declare(schema: Schema, isRoot: boolean): Declaration | undefined {
  if (schema.intOrString) return scalar(dyn, 1, textSize(schema) ?? requestSize - 2);
  switch (schema.type) {
    case 'array':
      return declareList(schema);
    case 'object':
      return declareObject(isRoot ? withRootFields(schema) : schema);
    case 'string':
      return declareString(schema);
    case 'boolean':
      return scalar(bool, 4);
    case 'number':
      return scalar(double, 1);
    case 'integer':
      return scalar(int, 1);
    default:
      return undefined;
  }
}

function scalar(type: Type, minSize: number, maxElements = 0): Declaration {
  return declared(type.name, { scalar: type, minSize, maxElements });
}

/** Declarations by their parts, so that expressions over equal types are compiled once. */
const declarations = new Map<string, Declaration>();
const maxDeclarations = 20_000;
let created = 0;

function declared(parts: string, declaration: Omit<Declaration, 'id'>): Declaration {
  const id = `${parts} ${declaration.minSize} ${declaration.maxElements}`;
  const known = declarations.get(id);
  if (known !== undefined) return known;
  if (declarations.size >= maxDeclarations) declarations.clear();
  created += 1;
  const result = { ...declaration, id: created };
  declarations.set(id, result);
  return result;
}

/** Returns the size in bytes of a string whose length in characters is limited. */
function textSize({ maxLength }: Schema): number | undefined {
  return maxLength === undefined ? undefined : Math.max(maxLength, 0) * 4;
}

function declareString(schema: Schema): Declaration {
  switch (schema.format) {
    case 'byte':
      return scalar(bytes, 2, schema.maxLength ?? requestSize - 2);
    case 'duration':
      return scalar(duration, 3, 32);
    case 'date':
      return scalar(timestamp, 12, 12);
    case 'date-time':
      return scalar(timestamp, 21, 32);
    default:
      return scalar(string, 2, textSize(schema) ?? enumSize(schema) ?? requestSize - 2);
  }
}

function enumSize(schema: Schema): number | undefined {
  if (schema.enum === undefined || schema.enum.length === 0) return undefined;
  return schema.enum.reduce<number>(
    (most, item) => Math.max(most, typeof item === 'string' ? utf8Length(item) : 0),
    0,
  );
}

function declareList({ items, maxItems }: Schema): Declaration | undefined {
  const element = items && declare(items, items.embeddedResource);
  if (element === undefined) return undefined;
  const most = Math.floor((requestSize - 2) / (element.minSize + 1));
  const maxElements = maxItems === undefined ? most : Math.max(maxItems, 0);
  return declared(`list ${element.id}`, { minSize: 2, maxElements, element });
}

function declareObject(schema: Schema): Declaration | undefined {
  const values = valueSchema(schema);
  if (values !== undefined) return declareMap(schema, values);
  const fields = new Map<string, Declaration>();
  let minSize = 2;
  let parts = 'object';
  for (const [property, child] of schema.properties) {
    const field = declare(child, child.embeddedResource);
    if (field === undefined) continue;
    const escaped = escapeName(property);
    if (escaped !== undefined) {
      fields.set(escaped, field);
      parts += ` ${escaped}:${field.id}`;
    }
    if (schema.required.includes(property) && child.default === undefined)
      minSize += utf8Length(property) + field.minSize + 4;
  }
  return declared(parts, { minSize, maxElements: 0, fields });
}

function declareMap({ maxProperties }: Schema, values: Schema): Declaration | undefined {
  const element = declare(values, values.embeddedResource);
  if (element === undefined) return undefined;
  const most = Math.floor((requestSize - 2) / (element.minSize + 6));
  const maxElements = maxProperties === undefined ? most : Math.max(maxProperties, 0);
  return declared(`map ${element.id}`, { minSize: 2, maxElements, key: scalar(string, 2), element });
}

/** Returns the type of a declaration. `name` is the name of the type of an object. */
export function typeOf({ scalar, key, element, fields }: Declaration, name: string): Type {
  if (fields !== undefined) return structOf(name);
  if (element === undefined) return scalar ?? dyn;
  return key === undefined
    ? listOf(typeOf(element, `${name}.@idx`))
    : mapOf(string, typeOf(element, `${name}.@elem`));
}

/** Returns the fields of the object types of a declaration, by the names of the types. */
export function structsOf(root: Declaration, rootName: string): Pick<ReadonlyMap<string, FieldTypes>, 'get'> {
  const structs = new Map<string, FieldTypes | undefined>();
  const fieldsOf = (name: string): FieldTypes | undefined => {
    const [first, ...steps] = name.split('.');
    const found = steps.reduce<Declaration | undefined>(
      (node, step) => (step === '@idx' || step === '@elem' ? node?.element : node?.fields?.get(step)),
      first === rootName ? root : undefined,
    );
    return (
      found?.fields &&
      new Map([...found.fields].map(([key, field]) => [key, typeOf(field, `${name}.${key}`)]))
    );
  };
  const get = (name: string): FieldTypes | undefined => {
    if (!structs.has(name)) structs.set(name, fieldsOf(name));
    return structs.get(name);
  };
  return { get };
}

/** Returns the estimation of sizes by the paths of values in `self` or `oldSelf`. */
export function sizesOf(root: Declaration): EstimateSize {
  return ({ path }) => {
    if (path === undefined || path.length === 0) return undefined;
    let node: Declaration | undefined = root;
    for (const step of path.slice(1)) {
      if (step === '@items' || step === '@values') node = node.element;
      else node = step === '@keys' ? node.key : node.fields?.get(step);
      if (node === undefined) return undefined;
    }
    return { min: 0, max: node.maxElements };
  };
}

/** Returns the largest number of values of this size in a request. */
export function cardinalityOf({ minSize }: Declaration): number {
  return Math.floor(requestSize / (minSize + 1));
}
