/** How messages are read and written, and what is said of them in errors. */
import type { Operation } from '../rest/types.ts';
import type { Hold } from './piece.ts';

/** Messages may be nested so deep. */
export const maxDepth = 1000;

/** How messages are read. */
export interface ReaderOptions {
  /** Fields that no table knows: `keep` writes them again with the object, `refuse` throws `UnknownFieldError`. */
  readonly unknown: 'keep' | 'refuse';
  /** Leaves `metadata.managedFields` out. Default false. */
  readonly omitManagedFields?: boolean | undefined;
}

/** What is read, for the object and for errors, and what becomes of its bytes. */
export interface Subject {
  readonly kind: string;
  /** Set: the object gets `apiVersion` and `kind` as its first members. */
  readonly apiVersion?: string | undefined;
  /** What the paths of errors begin with, such as `items[7]`. Default: nothing. */
  readonly path?: string | undefined;
  /** What is added to the offsets of errors: bytes that came before. Default 0. */
  readonly offset?: number | undefined;
  readonly operation?: Operation | undefined;
  /** How the object holds bytes that nobody may ever look at. Default: alone. */
  readonly hold?: Hold | undefined;
}

/** What is said of a part that begins so far on. The way to it takes long to find: it is asked for where there is an error. */
export function partOf({ kind, operation, offset = 0 }: Subject, path: () => string, start: number): Subject {
  return {
    kind,
    operation,
    offset: offset + start,
    get path() {
      return path();
    },
  };
}

/** Of whole objects: members that are in the envelope and not in the message. */
export interface TypeNames {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What messages that come in parts may cost, in bytes that are read again, besides four times the whole. */
export const partsAtLeast: number = 1024 * 1024;
/** What it costs to begin with one. */
export const partCost = 4096;
