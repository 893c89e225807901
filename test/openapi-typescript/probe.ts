/** Values to compare, and their origin. */
import type { Json } from './definitions.ts';
import type { Role } from './shapes.ts';

/** Categories of values that the schema accepts. */
export type Valid =
  /** Required properties, and those that identify an object. */
  | 'base'
  | 'required only'
  | 'all properties'
  | 'some properties'
  /** The base with one more property. */
  | 'value'
  /** One of several types that are allowed at the place. */
  | 'string'
  | 'number'
  | 'boolean'
  | 'list'
  | 'object'
  /** An object with keys where the schema allows any. */
  | 'entries'
  /** Another string than the one that identifies an object. */
  | 'other name'
  /** Metadata with a namespace, of a cluster-scoped object. */
  | 'namespace'
  /** An item of a list without the members that only the server sets. */
  | 'unread'
  /** A 1 for every property of the schema: compared with the names of the type, not with the type. */
  | 'names'
  /** A 1 for every string of an enumeration: compared with the literals at the place, not with the type. */
  | 'literals';

/** Categories of errors of values that the schema rejects. */
export type Fault =
  | 'missing'
  | 'wrong type'
  /** A list for an object, or an object for a list. */
  | 'wrong shape'
  | 'null'
  | 'unknown property'
  /** A number that is not an integer. */
  | 'fraction'
  /** A string that is not in the enumeration. */
  | 'other literal';

/** A valid or invalid value at a place. */
export interface Found {
  /** Path of properties, with `[]` and `{}` for items and entries; `''` for the whole value. */
  readonly path: string;
  /** Full name of the definition at the place; `''` if it has none. */
  readonly target: string;
  readonly given: Valid | Fault;
  /** Whether the schema accepts it. */
  readonly isValid: boolean;
  readonly value: Json;
}

/** A value of a definition, which differs from the definition's base at one place. */
export interface Probe extends Found {
  /** Full name of the definition. */
  readonly definition: string;
  readonly role: Role;
}
