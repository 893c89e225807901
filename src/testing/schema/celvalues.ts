import { type CelInput, celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import { isArray, isObject, type Json } from '../values/json.ts';
import { parseSchema, type Schema, valueSchema } from './structural.ts';

const text: Schema = parseSchema({ type: 'string' });

/** The parts of every object that rules at the root may use. */
const rootFields: readonly (readonly [string, Schema])[] = [
  ['apiVersion', text],
  ['kind', text],
  [
    'metadata',
    {
      ...parseSchema({ type: 'object' }),
      properties: new Map([
        ['name', text],
        ['generateName', text],
      ]),
    },
  ],
];

/** Returns the schema of an embedded resource or of the root, with the fields that rules may use there. */
export function withRootFields(schema: Schema): Schema {
  return { ...schema, properties: new Map([...schema.properties, ...rootFields]) };
}

/**
 * Converts a JSON value to CEL by its schema: integers and doubles are distinguished, unknown fields are
 * dropped.
 */
export function toCel(value: Json, schema: Schema | undefined): CelInput {
  if (typeof value === 'number' || typeof value === 'bigint') return toNumber(value, schema);
  if (typeof value === 'string') return toText(value, schema);
  if (isArray(value)) return value.map((item) => toCel(item, schema?.items));
  if (!isObject(value)) return value;
  const known = schema !== undefined && schema.properties.size > 0 ? schema : undefined;
  const entries = Object.entries(value).flatMap(([key, item]): [string, CelInput][] => {
    if (known === undefined)
      return [[key, toCel(item, schema === undefined ? undefined : valueSchema(schema))]];
    const property = known.properties.get(key);
    return property === undefined ? [] : [[escapeName(key), toCel(item, property)]];
  });
  return new Map(entries);
}

function toNumber(value: number | bigint, schema: Schema | undefined): CelInput {
  const integer = schema?.type !== 'number' && (typeof value === 'bigint' || Number.isInteger(value));
  return integer ? BigInt(value) : Number(value);
}

function toText(value: string, schema: Schema | undefined): CelInput {
  switch (schema?.format) {
    case 'byte':
      return new Uint8Array(Buffer.from(value, 'base64'));
    case 'date-time':
      return converted(timestamp, value);
    case 'date':
      return converted(timestamp, `${value}T00:00:00Z`);
    case 'duration':
      return converted(duration, value);
    default:
      return value;
  }
}

const timestamp = plan(celEnv(), parse('timestamp(text)'));
const duration = plan(celEnv(), parse('duration(text)'));

/** Returns CEL's own conversion of a string, or the string if it cannot be converted. */
function converted(convert: typeof timestamp, value: string): CelInput {
  const result = convert({ text: value });
  return isCelError(result) ? value : result;
}

/** Reserved words of CEL. */
const reserved: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

/** Returns the name with which rules refer to a property that is not a CEL identifier. */
function escapeName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
