import type { JsonObject, JsonPath, JsonValue } from '../input/crd-input.ts';
import type { Severity } from '../problems.ts';
import type { LogicKeyword } from './facts.ts';
import type { Facts, Schema, Shape } from './ir.ts';
import type { ObjectDraft } from './schema.ts';
import type { Spot } from './spot.ts';

/** Something that is wrong with a schema. */
export interface Finding {
  readonly severity: Severity;
  readonly spot: Spot;
  /** Steps from the node at `spot` to what is meant. */
  readonly below: JsonPath;
  /** One sentence: what is wrong, what becomes of it, and what to do. */
  readonly what: string;
}

/** What a walker knows of the definitions of an OpenAPI document, which `$ref` names. */
export interface References {
  /** The type that stands for a definition; undefined where the definition is to be written out in its place. */
  readonly typeOf: (name: string) => Shape | undefined;
  /** The schema of a definition; undefined where there is none of that name. */
  readonly schemaOf: (name: string) => JsonObject | undefined;
  /** Counts one more node of the API; false where there are more than can be followed. */
  readonly count: () => boolean;
}

/**
 * What the parts of the schema walker share. The parts call each other through it, so that none of them has
 * to import the one that dispatches.
 */
export interface Walker {
  /** The schema of any node of the document; anything that is not a schema becomes `unknown`. */
  readonly walk: (node: JsonValue | undefined, spot: Spot) => Schema;
  /** What a node says besides its type; `logic` as for `factsOf`. */
  readonly facts: (node: JsonObject, logic?: readonly LogicKeyword[]) => Facts;
  /**
   * Set in the schemas of an API server's own kinds: their references are followed, their enums are open, and their
   * defaults are documentation.
   */
  readonly references?: References;
  /** Registers an object type; gives the reference to it. */
  readonly define: (draft: ObjectDraft) => Shape;
  /** Says what is wrong with the form of a node before it is walked. */
  readonly check: (node: JsonObject, spot: Spot) => void;
  /** Says something about the node at `spot` with which the output may still be as wanted. */
  readonly warn: (spot: Spot, what: string) => void;
  /** Says something about the node at `spot`, or `below` it, with which the run fails. */
  readonly fail: (spot: Spot, what: string, below?: JsonPath) => void;
}
