/** Hints in compile errors. */

declare const instead: unique symbol;

/**
 * Type of a member that users confuse with another one: no value has this type, and the compile error names
 * the right spelling.
 */
export interface UseInstead<Spelling extends string> {
  readonly [instead]: Spelling;
}
