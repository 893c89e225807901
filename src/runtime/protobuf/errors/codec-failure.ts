import { DecodeError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';

/**
 * Returns the error for bytes that a codec could not read. Any error that codecs do not throw on purpose is a
 * bug of a codec, which is reported as a decode error so that it does not end the reader. Its message may
 * quote the bytes, so it is only the cause.
 */
export function codecFailure(
  error: unknown,
  what: string,
  operation: RequestOperation | undefined,
): DecodeError {
  if (error instanceof DecodeError) return error;
  return new DecodeError(`protobuf: ${what}: the codec failed on these bytes`, operation, { cause: error });
}
