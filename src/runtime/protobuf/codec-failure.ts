import { DecodeError } from '../errors.ts';
import type { Operation } from '../rest/types.ts';

/**
 * The error of bytes that a codec could not read. Where it is none that codecs throw on purpose, a codec is wrong: that is
 * an answer that cannot be read like any other, and no reason to end what reads others. Its own words may quote the bytes,
 * so they are in the cause alone.
 */
export function codecFailure(error: unknown, what: string, operation: Operation | undefined): DecodeError {
  if (error instanceof DecodeError) return error;
  return new DecodeError(`protobuf: ${what}: the codec failed on these bytes`, operation, { cause: error });
}
