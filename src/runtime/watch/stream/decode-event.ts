import { ApiError, DecodeError } from '../../api/errors.ts';
import type { Status } from '../../api/meta.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { StoredObject } from '../../api/types.ts';
import type { BookmarkEvent } from '../../api/watch-events.ts';
import { asBuffer } from '../../codec/as-buffer.ts';
import { messageOf } from '../../common/callbacks.ts';
import { isFields, isText } from '../../common/fields.ts';
import { hideCredentials } from '../../common/readable.ts';
import { readStatus } from '../../rest/response/api-error.ts';
import type { StreamEvent } from '../machine/machine-types.ts';

/** Encoded event, for error messages: a string, its bytes, or `undefined` if it is not readable. */
export type Source = string | Uint8Array | undefined;

/**
 * Creates an event from a decoded `{ type, object }`.
 * @throws {DecodeError} if the type is unknown, or the object has no name, uid or resourceVersion
 */
export function eventOf<O extends StoredObject>(
  value: unknown,
  source: Source,
  operation: RequestOperation,
): StreamEvent<O> {
  if (!isFields(value))
    throw new DecodeError(`the stream contains a value that is not an event${excerpt(source)}`, operation);
  const { type, object } = value;
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED': {
      const problem = storedProblem(object);
      if (problem !== undefined) throw new DecodeError(`${type} event: ${problem}`, operation);
      // Data of the server: only the members that were checked above are relied on. The schema of the server
      // determines the others.
      return { type, object: object as O };
    }
    case 'BOOKMARK':
      return bookmark(object, operation);
    case 'ERROR':
      return { type, error: new ApiError(statusOf(object), operation) };
    default:
      throw new DecodeError(`unknown event type${excerpt(source)}`, operation);
  }
}

/**
 * Creates the error for a value that cannot be decoded. `what` is a description of the value, `source` its
 * encoded form.
 */
export function unreadable(
  cause: unknown,
  what: string,
  source: Source,
  operation: RequestOperation,
): DecodeError {
  if (cause instanceof DecodeError) return cause;
  const badSyntax = cause instanceof SyntaxError;
  const why = badSyntax ? 'is not JSON' : `cannot be decoded: ${messageOf(cause)}`;
  const message = `${what} of the stream ${why}${excerpt(source)}`;
  // A SyntaxError quotes arbitrary parts of its input, so it is not used as cause.
  return new DecodeError(message, operation, badSyntax ? {} : { cause });
}

function storedProblem(object: unknown): string | undefined {
  if (!isFields(object)) return 'no object';
  const { apiVersion, kind, metadata } = object;
  if (!isText(apiVersion) || !isText(kind)) return 'the object has no apiVersion or no kind';
  if (!isFields(metadata)) return `the ${kind} has no metadata`;
  if (!isText(metadata['name'])) return `the ${kind} has no name`;
  const { name, namespace = '', resourceVersion } = metadata;
  if (!isText(resourceVersion)) return `${kind} ${name} has no resourceVersion`;
  return typeof namespace === 'string' ? undefined : `${kind} ${name} has a namespace that is not a string`;
}

function bookmark(object: unknown, operation: RequestOperation): BookmarkEvent {
  const metadata = isFields(object) ? object['metadata'] : undefined;
  if (!isFields(metadata) || !isText(metadata['resourceVersion'])) {
    throw new DecodeError('BOOKMARK event: no resourceVersion', operation);
  }
  const { resourceVersion, annotations } = metadata;
  if (!isFields(annotations)) return { type: 'BOOKMARK', object: { metadata: { resourceVersion } } };
  const texts = Object.fromEntries(Object.entries(annotations).filter(isTextEntry));
  return { type: 'BOOKMARK', object: { metadata: { resourceVersion, annotations: texts } } };
}

function isTextEntry(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

/** Omits members of a wrong type, so that later code need not check them again. */
function statusOf(object: unknown): Partial<Status> {
  const status = isFields(object) ? readStatus({ ...object, kind: 'Status' }) : undefined;
  return status ?? { message: 'the stream reported an error without a status' };
}

/** Objects may be secrets: a message contains only the beginning of a malformed line. */
const excerptLength = 40;
/** Beginning in which credentials are replaced: one may begin within the excerpt and end behind it. */
const readLength = 16_384;

function excerpt(source: Source): string {
  if (source === undefined) return '';
  const begun = typeof source === 'string' ? source.slice(0, readLength) : beginningOf(source);
  const start = hideCredentials(begun).slice(0, excerptLength);
  return `: ${JSON.stringify(source.length <= excerptLength ? start : `${start}…`)}`;
}

function beginningOf(bytes: Uint8Array): string {
  return asBuffer(bytes.subarray(0, readLength)).toString();
}
