/** Types as an author declared them: plain data, independent of the compiler. */
import type { SourcePlace } from '../../common/problems.ts';

/** A comment that applies to a value. */
export interface Note {
  /** Absent for types of other packages. */
  readonly description?: string;
  readonly tags: readonly NoteTag[];
}

/** A tag with its place. */
export interface NoteTag {
  readonly name: string;
  readonly text: string;
  readonly place: SourcePlace;
}

/** A type with its comments, the nearest one first: of the property, its aliases, its interface. */
export interface Declared {
  readonly shape: DeclaredShape;
  readonly isNullable: boolean;
  readonly notes: readonly Note[];
  readonly place: SourcePlace;
}

export type DeclaredLiteral = string | number | boolean;

export type DeclaredShape =
  | { readonly is: 'string' | 'number' | 'boolean' | 'unknown' }
  /** A type of Kubernetes: an entry of `knownTypes`. */
  | { readonly is: 'known'; readonly name: string }
  | { readonly is: 'literals'; readonly values: readonly DeclaredLiteral[] }
  /** A template literal type, as a pattern. */
  | { readonly is: 'template'; readonly pattern: string }
  | { readonly is: 'array'; readonly items: Declared }
  | { readonly is: 'map'; readonly values: Declared }
  | DeclaredObject
  /** One of several objects. */
  | { readonly is: 'union'; readonly members: readonly DeclaredObject[] }
  /** A type without a schema. */
  | { readonly is: 'invalid'; readonly fault: string };

export interface DeclaredObject {
  readonly is: 'object';
  readonly properties: readonly DeclaredProperty[];
  /** Whether other members of any type are kept. */
  readonly isOpen: boolean;
}

export interface DeclaredProperty {
  readonly name: string;
  readonly isOptional: boolean;
  readonly value: Declared;
}
