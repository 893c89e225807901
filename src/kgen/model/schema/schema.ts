/** Types of the model before names are final. */
import type { ExclusiveMembers } from '@kgen/schema/exclusive/exclusive';
import type { Facts, Property, Schema, Shape, UnknownShape } from '../ir.ts';
import { noFacts } from './facts.ts';
import type { Spot } from './schema-path.ts';

/** An object type before it has its final name. */
export interface ObjectDraft {
  readonly spot: Spot;
  readonly properties: readonly Property[];
  readonly rest?: Schema;
  readonly exclusive?: readonly ExclusiveMembers[];
  readonly facts: Facts;
}

/** Returns the schema of a shape without facts. */
export function plain(shape: Shape): Schema {
  return { ...shape, nullable: false, facts: noFacts };
}

/** Returns the schema of a value of unknown type. */
export function unknownSchema(reason: UnknownShape['reason']): Schema {
  return plain({ shape: 'unknown', reason });
}

/** Returns a string that is equal for schemas with the same type, independent of their facts. */
export function typeKey(schema: Schema): string {
  return JSON.stringify(schema, (key, value: unknown) => (key === 'facts' ? undefined : value));
}
