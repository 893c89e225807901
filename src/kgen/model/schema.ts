import type { JsonObject } from '../input/crd-input.ts';
import { noFacts } from './facts.ts';
import type { Property, Schema, Shape, UnknownShape } from './ir.ts';
import type { Spot } from './spot.ts';

/** An object type before it has its final name. */
export interface ObjectDraft {
  readonly spot: Spot;
  readonly properties: readonly Property[];
  readonly rest?: Schema;
  /** Its schema, for the facts of the types that remain in the end. */
  readonly node: JsonObject;
}

/** The schema of a shape about which nothing else is known. */
export function plain(shape: Shape): Schema {
  return { ...shape, nullable: false, facts: noFacts };
}

/** The schema of a value of which nothing is known. */
export function unknownSchema(reason: UnknownShape['reason']): Schema {
  return plain({ shape: 'unknown', reason });
}

/** A text that is equal for schemas with the same type, whatever their facts say. */
export function typeKey(schema: Schema): string {
  return JSON.stringify(schema, (key, value: unknown) => (key === 'facts' ? undefined : value));
}
