/** Context of reading and writing messages, and of their errors. */
import type { RequestOperation } from '../../api/operation.ts';
import type { TakeSlice } from '../../codec/lazy/byte-slice.ts';
import type { FieldFilter } from '../wire/field-filter.ts';

/** Maximum nesting depth of messages. */
export const maxDepth = 1000;

/** Options of a reader. */
export interface ReaderOptions {
  /**
   * Handling of unknown fields: `keep` stores them, so that they are written again, `refuse` throws
   * `UnknownFieldError`.
   */
  readonly unknown: 'keep' | 'refuse';
  /** Drops `metadata.managedFields`. Default: false. */
  readonly omitManagedFields?: boolean | undefined;
}

/** The object that is being read, for its members and its errors. */
export interface DecodeContext {
  readonly kind: string;
  /** If set, the object has `apiVersion` and `kind` as its first members. */
  readonly apiVersion?: string | undefined;
  /** Prefix of the paths of errors, such as `items[7]`. Default: none. */
  readonly path?: string | undefined;
  /** Number of preceding bytes, which is added to the offsets of errors. Default: 0. */
  readonly offset?: number | undefined;
  readonly operation?: RequestOperation | undefined;
  /** How the object holds bytes that may never be accessed. Default: `copy`. */
  readonly takeSlice?: TakeSlice | undefined;
  /** Fields to read. Default: all. */
  readonly filter?: FieldFilter | undefined;
}

/**
 * Returns the context of a part that starts at an offset. The path is expensive and only computed for an
 * error.
 */
export function partContext(
  { kind, operation, offset = 0 }: DecodeContext,
  path: () => string,
  start: number,
): DecodeContext {
  return {
    kind,
    operation,
    offset: offset + start,
    get path() {
      return path();
    },
  };
}

/** Members of whole objects that are part of the envelope rather than the message. */
export interface TypeNames {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Number of bytes that messages in several parts may cause to be read again, in addition to four times the
 * whole.
 */
export const partsAtLeast: number = 1024 * 1024;
/** Cost of starting such a message, in bytes. */
export const partCost = 4096;
