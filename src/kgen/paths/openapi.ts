/**
 * The one document that `paths.ts` is written from: the part of OpenAPI 3 that types requests and answers. It is built
 * anew, key by key, from documents that nobody vouches for, so nothing of them gets further than what is named here.
 */

/** The methods of a path, in the order in which they are printed. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

export type Method = (typeof methods)[number];

/** By path; sorted. */
export type Paths = ReadonlyMap<string, PathItem>;

export type PathItem = ReadonlyMap<Method, Operation>;

export interface Operation {
  readonly description?: string;
  readonly deprecated?: true;
  /** Those of the path included; sorted by place, then by name; each once. */
  readonly parameters: readonly Parameter[];
  readonly requestBody?: RequestBody;
  /** By status code. */
  readonly responses: Readonly<Record<string, Answer>>;
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

export interface Answer {
  /** OpenAPI wants one; servers only repeat the meaning of the status code in it. */
  readonly description: '';
  /** Absent where the answer has no body. */
  readonly content?: Content;
}

/** By media type; sorted. */
export type Content = Readonly<Record<string, { readonly schema: PathSchema }>>;

/** What a parameter or a body holds. Named definitions are references, whatever they are made of. */
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

/** `{}`: nothing is known of it. */
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

/** Start of every reference. */
export const schemasPrefix = '#/components/schemas/';

export const anything: Anything = {};

/** The definition that a schema is a reference to. */
export function definitionOf(schema: PathSchema): string | undefined {
  return isReference(schema) ? schema.$ref.slice(schemasPrefix.length) : undefined;
}

function isReference(schema: PathSchema): schema is Reference {
  return '$ref' in schema;
}

/** Every schema that an operation names, without what is in it. */
export function schemasOf({ parameters, requestBody, responses }: Operation): readonly PathSchema[] {
  const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
  return [
    ...parameters.map(({ schema }) => schema),
    ...contents.flatMap((content) => Object.values(content ?? {}).map(({ schema }) => schema)),
  ];
}

/** The schemas directly in a schema. */
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
