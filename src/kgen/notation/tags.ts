/**
 * The notation of schemas in TypeScript: the JSDoc tags that kgen writes into types and that `kgen manifests`
 * reads from them. A keyword is one line here.
 */

/** Form of a tag's value. */
export type TagForm =
  /** A number of JSON. */
  | 'number'
  /** An integer that is not negative. */
  | 'count'
  /** The rest of the tag, or a string of JSON. */
  | 'text'
  /** A value of JSON. */
  | 'json'
  /** Names, separated by blanks or commas. */
  | 'names'
  | 'flag'
  /** A rule of CEL with its message. */
  | 'rule';

/** Types of schemas, as far as tags depend on them. */
export type TaggedType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'array'
  | 'object'
  | 'int-or-string'
  | 'unknown';

/** A tag with its meaning. */
export interface TagDefinition {
  readonly name: string;
  readonly form: TagForm;
  /** Keyword of the schema with the value of the tag. Absent if the schema writer has a rule for the tag. */
  readonly keyword?: string;
  /** Types of the values that may have the tag. Absent if all may. */
  readonly types?: readonly TaggedType[];
  /** Whether a comment may have the tag several times. */
  readonly isRepeatable?: true;
}

const numeric: readonly TaggedType[] = ['integer', 'number', 'int-or-string'];
const textual: readonly TaggedType[] = ['string', 'int-or-string'];
const list: readonly TaggedType[] = ['array'];
const object: readonly TaggedType[] = ['object'];

/** All tags, in the order in which they are printed. */
export const schemaTags: readonly TagDefinition[] = [
  { name: 'title', form: 'text', keyword: 'title' },
  { name: 'default', form: 'json', keyword: 'default' },
  { name: 'example', form: 'json', keyword: 'example' },
  { name: 'externalDocs', form: 'json', keyword: 'externalDocs' },
  { name: 'integer', form: 'flag', types: ['number', 'integer'] },
  { name: 'number', form: 'flag', types: ['number', 'integer'] },
  { name: 'format', form: 'text', keyword: 'format' },
  { name: 'minimum', form: 'number', keyword: 'minimum', types: numeric },
  { name: 'exclusiveMinimum', form: 'number', types: numeric },
  { name: 'maximum', form: 'number', keyword: 'maximum', types: numeric },
  { name: 'exclusiveMaximum', form: 'number', types: numeric },
  { name: 'multipleOf', form: 'number', keyword: 'multipleOf', types: numeric },
  { name: 'minLength', form: 'count', keyword: 'minLength', types: textual },
  { name: 'maxLength', form: 'count', keyword: 'maxLength', types: textual },
  { name: 'pattern', form: 'text', keyword: 'pattern', types: textual },
  { name: 'minItems', form: 'count', keyword: 'minItems', types: list },
  { name: 'maxItems', form: 'count', keyword: 'maxItems', types: list },
  { name: 'minProperties', form: 'count', keyword: 'minProperties', types: object },
  { name: 'maxProperties', form: 'count', keyword: 'maxProperties', types: object },
  { name: 'required', form: 'flag' },
  { name: 'listMap', form: 'names', types: list },
  { name: 'listSet', form: 'flag', types: list },
  { name: 'atomic', form: 'flag', types: ['array', 'object'] },
  { name: 'granular', form: 'flag', types: object },
  { name: 'embedded', form: 'flag', types: object },
  { name: 'exactlyOneOf', form: 'names', types: object, isRepeatable: true },
  { name: 'atMostOneOf', form: 'names', types: object, isRepeatable: true },
  { name: 'atLeastOneOf', form: 'names', types: object, isRepeatable: true },
  { name: 'constraint', form: 'json', isRepeatable: true },
  { name: 'validate', form: 'rule', isRepeatable: true },
  { name: 'immutable', form: 'flag' },
  { name: 'description', form: 'text', keyword: 'description' },
  { name: 'schema', form: 'json' },
];

/** By name. */
export const schemaTagsByName: ReadonlyMap<string, TagDefinition> = new Map(
  schemaTags.map((tag) => [tag.name, tag]),
);

/** Tags of TSDoc and of the types of built-in kinds, which do not influence a schema. */
export const foreignTags: ReadonlySet<string> = new Set([
  ...[
    'alpha',
    'beta',
    'deprecated',
    'internal',
    'privateRemarks',
    'public',
    'remarks',
    'see',
    'since',
    'todo',
  ],
  ...['patchMergeKey', 'patchStrategy'],
]);

/** Tags of other notations, with the tag that has their meaning here. */
export const tagsOfOthers: ReadonlyMap<string, string> = new Map([
  ['cel', 'validate'],
  ['enum', 'a union of literals'],
  ['items', 'the suffix (items)'],
  ['listMapKey', 'listMap'],
  ['listMapKeys', 'listMap'],
  ['listType', 'one of @listMap, @listSet and @atomic'],
  ['mapType', 'atomic'],
  ['max', 'maximum'],
  ['min', 'minimum'],
  ['nullable', 'a union with null'],
  ['optional', 'a property with ?'],
  ['type', 'the type of the property'],
  ['uniqueItems', 'listSet'],
  ['validation', 'validate'],
]);
