/** Rules of API servers for the parts of a version, which may also stand in the spec. */
import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import { parseSchema, type Schema, valueSchema } from '../validation/structural.ts';
import { utf8Length } from '../values/bytes.ts';
import { array, at, isObject, type Json, type JsonObject, own, text } from '../values/json.ts';

/** A part of a version. */
export type Part = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';

/** Validates a schema: returns the errors in the schema at a path. */
export type SchemaErrors = (schema: JsonObject, path: string, hasStatus: boolean) => readonly FieldError[];

/** Parts at a path: those of a version, or of the spec. */
export type Parts = Readonly<Partial<Record<Part, Json>>>;

/** Returns the errors of a warning, which clients print. */
export function deprecationErrors(version: Json, path: string): readonly FieldError[] {
  const warning = own(version, 'deprecationWarning');
  if (typeof warning !== 'string') return [];
  return warningProblems(warning, own(version, 'deprecated') === true).map((problem) =>
    invalidValue(`${path}.deprecationWarning`, warning, problem),
  );
}

/** A character that Go does not print as it is. */
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

function warningProblems(warning: string, isDeprecated: boolean): readonly string[] {
  if (!isDeprecated) return ['can only be set for deprecated versions'];
  const at = unprintable.exec(warning)?.index;
  const isLong = utf8Length(warning) > 256;
  return [
    ...(isLong ? ['must be <= 256 characters long'] : []),
    ...(warning === '' ? ['must not be an empty string'] : []),
    ...(at === undefined
      ? []
      : [
          `must only contain printable UTF-8 characters; non-printable character found at index ${utf8Length(warning.slice(0, at))}`,
        ]),
  ];
}

/** Returns the errors of the schema. */
export function schemaErrors(
  parts: Parts,
  path: string,
  hasStatus: boolean,
  errorsOf: SchemaErrors,
): readonly FieldError[] {
  const schema = at(parts.schema ?? null, 'openAPIV3Schema');
  const key = path === 'spec' ? 'validation' : 'schema';
  return isObject(schema) ? errorsOf(schema, `${path}.${key}.openAPIV3Schema`, hasStatus) : [];
}

/** Returns the errors of the paths of a scale. */
export function subresourceErrors(parts: Parts, path: string): readonly FieldError[] {
  const scale = at(parts.subresources ?? null, 'scale');
  if (!isObject(scale)) return [];
  const errors = (key: string, roots: readonly string[]): readonly FieldError[] => {
    const field = `${path}.subresources.scale.${key}`;
    const value = text(scale, key);
    if (value === '') return key === 'labelSelectorPath' ? [] : [required(field)];
    if (!value.startsWith('.')) return [invalidValue(field, value, noPath)];
    if (roots.some((root) => value.startsWith(`${root}.`))) return [];
    const places = roots.length > 1 ? `either ${roots.join(' or ')}` : roots.join('');
    return [invalidValue(field, value, `should be a json path under ${places}`)];
  };
  return [
    ...errors('specReplicasPath', ['.spec']),
    ...errors('statusReplicasPath', ['.status']),
    ...errors('labelSelectorPath', ['.spec', '.status']),
  ];
}

const noPath = 'must be a simple json path starting with .';
const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Returns the errors of the columns of `kubectl get`. */
export function columnErrors(parts: Parts, path: string): readonly FieldError[] {
  return array(parts.additionalPrinterColumns).flatMap((column, index) => {
    const field = `${path}.additionalPrinterColumns[${index}]`;
    const [type, format, jsonPath] = [text(column, 'type'), text(column, 'format'), text(column, 'jsonPath')];
    const known = `must be one of ${types.join(',')}`;
    return [
      ...(text(column, 'name') === '' ? [required(`${field}.name`)] : []),
      ...(type === '' ? [required(`${field}.type`, known)] : []),
      ...(type !== '' && !types.includes(type) ? [invalidValue(`${field}.type`, type, known)] : []),
      ...(format !== '' && !formats.includes(format)
        ? [invalidValue(`${field}.format`, format, `must be one of ${formats.join(',')}`)]
        : []),
      ...(jsonPath === '' ? [required(`${field}.JSONPath`)] : []),
      ...(jsonPath !== '' && !jsonPath.startsWith('.')
        ? [invalidValue(`${field}.JSONPath`, jsonPath, noPath)]
        : []),
    ];
  });
}

const maxSelectable = 8;
const noScalar =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

/** Returns the errors of the fields by which objects are selected, whose paths are those of a schema. */
export function selectableErrors(
  parts: Parts,
  path: string,
  schema: Json | undefined,
): readonly FieldError[] {
  const list = `${path}.selectableFields`;
  const fields = array(parts.selectableFields);
  if (fields.length === 0) return [];
  const json = own(schema ?? null, 'openAPIV3Schema');
  if (!isObject(json)) {
    const rule =
      path === 'spec' ? 'validations.schema is included' : '`version.schema.openAPIV3Schema` is not included';
    return [invalidValue(list, '', `may only be set when ${rule}`)];
  }
  const root = parseSchema(json);
  const seen = new Set<string>();
  const errors = fields.flatMap((field, index) =>
    selectableField(text(field, 'jsonPath'), `${list}[${index}].jsonPath`, root, seen),
  );
  if (seen.size <= maxSelectable) return errors;
  const detail = `must have at most ${maxSelectable} items`;
  return [...errors, { reason: 'FieldValueTooMany', field: list, value: seen.size, detail }];
}

function selectableField(
  jsonPath: string,
  field: string,
  root: Schema,
  seen: Set<string>,
): readonly FieldError[] {
  if (jsonPath === '') return [required(field)];
  const found = fieldAt(jsonPath, root);
  if (typeof found === 'string') return [invalidValue(field, jsonPath, `is an invalid path: ${found}`)];
  const isScalar = ['string', 'boolean', 'integer'].includes(found.schema?.type ?? '');
  const isKnown = seen.has(found.path);
  seen.add(found.path);
  return [
    ...(found.isMetadata ? [invalidValue(field, jsonPath, 'must not point to fields in metadata')] : []),
    ...(isScalar ? [] : [invalidValue(field, jsonPath, noScalar)]),
    ...(isKnown ? [{ reason: 'FieldValueDuplicate', field, value: jsonPath } as const] : []),
  ];
}

interface FoundField {
  readonly path: string;
  readonly isMetadata: boolean;
  /** Absent for values without a schema. */
  readonly schema: Schema | undefined;
}

/** Delimiters, quoted texts and other texts. */
const token = /[.[\]]|'.*?(?<!\\)'|'.*|[^.[\]]+/sy;

/** Returns the schema of a field, or why the path is invalid. */
function fieldAt(jsonPath: string, root: Schema): FoundField | string {
  const tokens = tokensOf(jsonPath);
  let schema: Schema | undefined = root;
  let path = '';
  for (let index = 0; index < tokens.length; index += 2) {
    const [delimiter, name] = [tokens[index], tokens[index + 1]];
    if (delimiter === '[') return 'array notation is not allowed';
    if (delimiter !== '.') return `expected [ or . but got: ${delimiter}`;
    if (name === undefined) return 'unexpected end of JSON path';
    const isNamed: boolean = schema !== undefined && schema.properties.size > 0;
    const isValue: boolean = !isNamed && schema?.additionalProperties !== undefined;
    const next: Schema | undefined = isNamed ? schema?.properties.get(name) : schema && valueSchema(schema);
    if (next === undefined && !isValue) return 'does not refer to a valid field';
    path += isNamed ? `.${name}` : `[${name}]`;
    schema = next;
  }
  return { path, isMetadata: tokens[1] === 'metadata', schema };
}

function tokensOf(jsonPath: string): readonly string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(jsonPath); match !== null; match = token.exec(jsonPath)) tokens.push(match[0]);
  return tokens;
}
