import type { Place } from '../problems.ts';

/**
 * What JSON can say; integers beyond 2^53 are `bigint`, so that no digit is lost. Input may be shared by reference
 * (YAML aliases) but never cyclic.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/**
 * A JSON object out of untrusted text. Keys are own properties, `__proto__` included: read them with
 * `Object.hasOwn`, `Object.keys` or `Object.entries`, never by asking for a key that may be inherited.
 */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Steps from the root of a CRD to one of its nodes: keys and list indices. */
export type JsonPath = readonly (string | number)[];

/** Names a source without giving away where it lies on this machine. */
export interface SourceId {
  /** Base name of a file, `<stdin>`, or an address without user, query and fragment. */
  readonly name: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string;
}

/** One CustomResourceDefinition as it was read, and the way back to its text. */
export interface CrdInput {
  /** The object as written: `apiVersion`, `kind`, `metadata`, `spec`. */
  readonly value: JsonObject;
  /** Where it came from: a file name, a URL, `<stdin>`. */
  readonly file: string;
  /** The same, for headers of generated files. */
  readonly source: SourceId;
  /**
   * Place of the node at `path`, or of its nearest ancestor that was written. Asking reads the document a
   * second time (once per document), so ask only when there is something to say about it.
   */
  readonly position: (path: JsonPath) => Place;
}
