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
import { parseSchema, type Schema, valueSchema } from '../structural.ts';

/** Size of the largest request, in bytes. */
const requestSize = 3 * 1024 * 1024;

/** The type of a schema's values. */
export interface Declaration {
  readonly type: Type;
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

/**
 * Returns the declaration of a schema. `undefined` if expressions cannot use its values.
 * @param name name of the type, if it is an object
 */
export function declare(schema: Schema, name: string, isRoot: boolean): Declaration | undefined {
  if (schema.intOrString) return scalar(dyn, 1, textSize(schema) ?? requestSize - 2);
  switch (schema.type) {
    case 'array':
      return declareList(schema, name);
    case 'object':
      return declareObject(isRoot ? withRootFields(schema) : schema, name);
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
  return { type, minSize, maxElements };
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
    (most, item) => Math.max(most, typeof item === 'string' ? Buffer.byteLength(item) : 0),
    0,
  );
}

function declareList(schema: Schema, name: string): Declaration | undefined {
  const { items, maxItems } = schema;
  const element = items && declare(items, `${name}.@idx`, items.embeddedResource);
  if (element === undefined) return undefined;
  const most = Math.floor((requestSize - 2) / (element.minSize + 1));
  return {
    type: listOf(element.type),
    minSize: 2,
    maxElements: maxItems === undefined ? most : Math.max(maxItems, 0),
    element,
  };
}

function declareObject(schema: Schema, name: string): Declaration | undefined {
  const values = valueSchema(schema);
  if (values !== undefined) return declareMap(schema, values, name);
  const fields = new Map<string, Declaration>();
  let minSize = 2;
  for (const [property, child] of schema.properties) {
    const escaped = escapeName(property);
    const field = declare(child, `${name}.${escaped}`, child.embeddedResource);
    if (field === undefined) continue;
    if (escaped !== undefined) fields.set(escaped, field);
    if (schema.required.includes(property) && child.default === undefined)
      minSize += Buffer.byteLength(property) + field.minSize + 4;
  }
  return { type: structOf(name), minSize, maxElements: 0, fields };
}

function declareMap(schema: Schema, values: Schema, name: string): Declaration | undefined {
  const element = declare(values, `${name}.@elem`, values.embeddedResource);
  if (element === undefined) return undefined;
  const most = Math.floor((requestSize - 2) / (element.minSize + 6));
  return {
    type: mapOf(string, element.type),
    minSize: 2,
    maxElements: schema.maxProperties === undefined ? most : Math.max(schema.maxProperties, 0),
    key: scalar(string, 2),
    element,
  };
}

/** Returns the fields of all object types of a declaration. */
export function structsOf(declaration: Declaration): ReadonlyMap<string, FieldTypes> {
  const structs = new Map<string, FieldTypes>();
  collect(declaration, structs);
  return structs;
}

function collect({ type, element, fields }: Declaration, structs: Map<string, FieldTypes>): void {
  if (element !== undefined) collect(element, structs);
  if (fields === undefined) return;
  structs.set(type.name, new Map([...fields].map(([name, field]) => [name, field.type])));
  for (const field of fields.values()) collect(field, structs);
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
