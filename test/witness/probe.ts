/** What is asked: a value, and where it comes from. */
import type { Json } from './document.ts';
import type { Role } from './shapes.ts';

/** What is said of a value that the schema takes. */
export type Sound =
  /** Required properties, and what says what an object is. */
  | 'base'
  | 'required only'
  | 'all properties'
  | 'some properties'
  /** One property more than the base has. */
  | 'value'
  /** One of several types that are possible at the place. */
  | 'string'
  | 'number'
  | 'boolean'
  | 'list'
  | 'object'
  /** An object with keys where nothing is said of them. */
  | 'entries'
  /** Another text than the one that says what an object is. */
  | 'other name'
  /** The metadata of an object that is in no namespace names one. */
  | 'namespace'
  /** An item of a list without what only the server sets. */
  | 'unread'
  /** A 1 for every property that the schema has: asked of the names of the type, not of the type. */
  | 'names'
  /** A 1 for every text of an enumeration: asked of the literals at the place, not of the type. */
  | 'words';

/** What is wrong with a value that the schema does not take. */
export type Fault =
  | 'missing'
  | 'wrong type'
  /** A list for an object, or the other way around. */
  | 'wrong shape'
  | 'null'
  | 'unknown property'
  /** A number that is not whole. */
  | 'fraction'
  /** A text that is not in the enumeration. */
  | 'other word';

/** What may or may not stand at a place. */
export interface Found {
  /** A property, with `[]` and `{}` for items and entries; `''` for the whole. */
  readonly path: string;
  /** Full name of the definition of what stands there; `''` where it has none. */
  readonly target: string;
  readonly given: Sound | Fault;
  /** Whether the schema takes it. */
  readonly isSound: boolean;
  readonly value: Json;
}

/** A value of a definition; it differs from the definition's base at one place. */
export interface Probe extends Found {
  /** Full name. */
  readonly definition: string;
  readonly role: Role;
}
