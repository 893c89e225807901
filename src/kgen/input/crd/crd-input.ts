import type { SourcePlace } from '../../common/problems.ts';

/**
 * A JSON value. Integers beyond 2^53 are `bigint`, so that they are exact. Values may be shared (YAML
 * aliases), but are never cyclic.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/**
 * A JSON object of an untrusted source. Keys are own properties, `__proto__` included: read them with
 * `Object.hasOwn`, `Object.keys` or `Object.entries`, never through a property that may be inherited.
 */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Path from the root of a CRD to one of its nodes: keys and list indices. */
export type JsonPath = readonly (string | number)[];

/** One CustomResourceDefinition with its positions. */
export interface CrdInput {
  /** The object as written: `apiVersion`, `kind`, `metadata`, `spec`. */
  readonly value: JsonObject;
  /** Origin: a file name, a URL, or `<stdin>`. */
  readonly file: string;
  /**
   * Returns the position of the node at `path`, or of its nearest existing ancestor. The first call parses
   * the document a second time, so call it only to report a problem.
   */
  readonly position: (path: JsonPath) => SourcePlace;
  /** Set if an API server has accepted the definition, whose schemas are then not checked. */
  readonly isServed?: true;
}
