/** Interface of the schema walker, which prevents cycles of imports between its parts. */
import type { ProblemSeverity } from '../../common/problems.ts';
import type { JsonObject, JsonPath, JsonValue } from '../../input/crd/crd-input.ts';
import type { Facts, Schema, Shape } from '../ir.ts';
import type { LogicKeyword } from '../schema/facts.ts';
import type { ObjectDraft } from '../schema/schema.ts';
import type { Spot } from '../schema/schema-path.ts';

/** A problem in a schema. */
export interface Finding {
  readonly severity: ProblemSeverity;
  readonly spot: Spot;
  /** Steps from the node at `spot` to the cause. */
  readonly below: JsonPath;
  /** One sentence: the problem, its consequence, and how to solve it. */
  readonly what: string;
}

/** The definitions of an OpenAPI document that `$ref` may name. */
export interface References {
  /** Returns the type of a definition, or `undefined` if the definition is inlined. */
  readonly typeOf: (name: string) => Shape | undefined;
  /** Returns the schema of a definition, or `undefined` if there is none. */
  readonly schemaOf: (name: string) => JsonObject | undefined;
  /** Counts one more node of the API. Returns false if the limit is exceeded. */
  readonly count: () => boolean;
}

/**
 * Interface between the parts of the schema walker. The parts call each other through it, so that none of
 * them has to import the dispatcher.
 */
export interface Walker {
  /** Returns the schema of any node of the document. A value that is not a schema becomes `unknown`. */
  readonly walk: (node: JsonValue | undefined, spot: Spot) => Schema;
  /** Returns the facts of a node. `logic` is that of `factsOf`. */
  readonly facts: (node: JsonObject, logic?: readonly LogicKeyword[]) => Facts;
  /**
   * Set for the schemas of built-in kinds: their references are followed, their enums are open, and their
   * defaults are documentation.
   */
  readonly references?: References;
  /** Whether types state which members exclude each other. */
  readonly exclusive: boolean;
  /** Registers an object type and returns a reference to it. */
  readonly define: (draft: ObjectDraft) => Shape;
  /** Reports errors in the form of a node before it is walked. */
  readonly check: (node: JsonObject, spot: Spot) => void;
  /** Reports a warning about the node at `spot`. */
  readonly warn: (spot: Spot, what: string) => void;
  /** Reports an error about the node at `spot`, or `below` it. */
  readonly fail: (spot: Spot, what: string, below?: JsonPath) => void;
}
