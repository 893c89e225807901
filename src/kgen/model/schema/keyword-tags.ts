/** Table of the keywords of schemas that become rules. `emit/text/facts-comment.ts` prints them as tags. */

/**
 * Keywords that become rules with their own value, and the names of these rules, in the order of their tags.
 */
export const keywordTags = [
  ['minimum', 'minimum'],
  ['exclusiveMinimum', 'exclusiveMinimum'],
  ['maximum', 'maximum'],
  ['exclusiveMaximum', 'exclusiveMaximum'],
  ['multipleOf', 'multipleOf'],
  ['minLength', 'minLength'],
  ['maxLength', 'maxLength'],
  ['pattern', 'pattern'],
  ['minItems', 'minItems'],
  ['maxItems', 'maxItems'],
  ['uniqueItems', 'uniqueItems'],
  ['minProperties', 'minProperties'],
  ['maxProperties', 'maxProperties'],
  ['x-kubernetes-list-type', 'listType'],
  ['x-kubernetes-list-map-keys', 'listMapKeys'],
  ['x-kubernetes-map-type', 'mapType'],
  ['x-kubernetes-patch-merge-key', 'patchMergeKey'],
  ['x-kubernetes-patch-strategy', 'patchStrategy'],
] as const;

/** Name of a rule: that of its keyword, `constraint` for logical keywords, or `cel` for validation rules. */
export type RuleName = (typeof keywordTags)[number][1] | 'constraint' | 'cel';
