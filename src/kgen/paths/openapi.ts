/**
 * The document from which `paths.ts` is printed: the subset of OpenAPI 3 that types requests and responses.
 * It is rebuilt key by key from untrusted documents, so that only the members declared here are passed on.
 */

/** The methods of a path, in the order in which they are printed. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

export type Method = (typeof methods)[number];

/** By path, sorted. */
export type Paths = ReadonlyMap<string, PathItem>;

export type PathItem = ReadonlyMap<Method, Operation>;

export interface Operation {
  readonly description?: string;
  readonly deprecated?: true;
  /** Includes parameters of the path. Sorted by location, then by name, without duplicates. */
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody;
  /** By status code. */
  readonly responses: Readonly<Record<string, PathResponse>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: PathSchema;
}

export type ParameterPlace = 'cookie' | 'header' | 'path' | 'query';

export interface RequestBody {
  readonly required: boolean;
  readonly description?: string;
  readonly content: Content;
}

export interface PathResponse {
  /** Required by OpenAPI. Servers only repeat the meaning of the status code here. */
  readonly description: '';
  /** Absent if the response has no body. */
  readonly content?: Content;
}

/** By media type, sorted. */
export type Content = Readonly<Record<string, { readonly schema: PathSchema }>>;

/** Schema of a parameter or a body. Named definitions are always references. */
export type PathSchema =
  | Anything
  | Reference
  | { readonly type: 'boolean' | 'integer' | 'number' | 'string' }
  | { readonly type: 'boolean'; readonly enum: readonly [true] }
  | { readonly type: 'string'; readonly enum: readonly [string] }
  | { readonly type: 'array'; readonly items: PathSchema }
  | ObjectSchema
  | { readonly oneOf: readonly PathSchema[] }
  | { readonly allOf: readonly PathSchema[] };

/** `{}`: any value. */
export type Anything = Readonly<Record<string, never>>;

export interface Reference {
  readonly $ref: string;
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, PathSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: PathSchema;
}

/** Prefix of every reference. */
export const schemasPrefix = '#/components/schemas/';

export const anything: Anything = {};

/** Returns the definition that a schema refers to. */
export function definitionOf(schema: PathSchema): string | undefined {
  return isReference(schema) ? schema.$ref.slice(schemasPrefix.length) : undefined;
}

function isReference(schema: PathSchema): schema is Reference {
  return '$ref' in schema;
}

/** Returns every schema of an operation, without nested schemas. */
export function schemasOf({ parameters, requestBody, responses }: Operation): readonly PathSchema[] {
  const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
  return [
    ...parameters.map(({ schema }) => schema),
    ...contents.flatMap((content) => Object.values(content ?? {}).map(({ schema }) => schema)),
  ];
}

/** Returns the direct subschemas of a schema. */
export function partsOf(schema: PathSchema): readonly PathSchema[] {
  if ('oneOf' in schema) return schema.oneOf;
  if ('allOf' in schema) return schema.allOf;
  if (!('type' in schema)) return [];
  if (schema.type === 'array') return [schema.items];
  if (schema.type !== 'object') return [];
  const { properties = {}, additionalProperties } = schema;
  return [
    ...Object.values(properties),
    ...(additionalProperties === undefined ? [] : [additionalProperties]),
  ];
}
