import type { JsonValue } from '../input/crd-input.ts';
import type { Schema, Shape } from './ir.ts';
import type { ObjectDraft } from './schema.ts';
import type { Spot } from './spot.ts';

/**
 * What the parts of the schema walker share. The parts call each other through it, so that none of them has
 * to import the one that dispatches.
 */
export interface Walker {
  /** The schema of any node of the document; anything that is not a schema becomes `unknown`. */
  readonly walk: (node: JsonValue | undefined, spot: Spot) => Schema;
  /** Registers an object type; gives the reference to it. */
  readonly define: (draft: ObjectDraft) => Shape;
  /** Says something about the node at `spot`: one sentence, what is wrong and what becomes of it. */
  readonly warn: (spot: Spot, what: string) => void;
}
