/** Syntax of JSONPath templates, as kubectl has it. */

/** Comparison of a filter; `exists` if it has no operator. */
export type FilterOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'exists';

/** One step of a path. `at` is its column in the template, from 1. */
export type Step = { readonly at: number } & (
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | { readonly kind: 'index'; readonly index: number }
  | {
      readonly kind: 'slice';
      readonly start: number | undefined;
      readonly end: number | undefined;
      readonly step: number;
    }
  | {
      readonly kind: 'filter';
      readonly left: Path;
      readonly operator: FilterOperator;
      readonly right: Path;
    }
  | { readonly kind: 'union'; readonly paths: readonly Path[] }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
);

/** Steps from the current object. */
export type Path = readonly Step[];

/** One part of a template: text, an expression in braces, or a loop over the values of a path. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'range'; readonly path: Path; readonly body: readonly Part[] };
