import { ApiError, DecodeError } from '../errors.ts';
import type { Status } from '../meta.ts';
import { readStatus } from '../rest/status.ts';
import type { Operation } from '../rest/types.ts';
import type { StoredObject } from '../types.ts';
import type { BookmarkEvent } from './events.ts';
import type { StreamEvent } from './machine.ts';

/** One line, as far as it is known before it is looked at. */
interface Frame {
  readonly type?: unknown;
  readonly object?: unknown;
}

/**
 * Reads one line of a watch.
 * @throws {DecodeError} for what is no event: no JSON, an unknown type, an object without identity or version
 */
export function decodeEvent<O extends StoredObject>(line: string, operation: Operation): StreamEvent<O> {
  const { type, object } = parse(line, operation);
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED': {
      const problem = storedProblem(object);
      if (problem !== undefined) throw new DecodeError(`${type} event: ${problem}`, operation);
      // The wire: what was looked at above is all that is relied on here, the rest is the server's schema.
      return { type, object: object as O };
    }
    case 'BOOKMARK':
      return bookmark(object, operation);
    case 'ERROR':
      return { type, error: new ApiError(statusOf(object), operation) };
    default:
      throw new DecodeError(`unknown type of event: ${excerpt(line)}`, operation);
  }
}

function parse(line: string, operation: Operation): Frame {
  let frame: unknown;
  try {
    frame = JSON.parse(line);
  } catch (cause) {
    throw new DecodeError(`a line of the stream is not JSON: ${excerpt(line)}`, operation, { cause });
  }
  if (!isRecord(frame))
    throw new DecodeError(`a line of the stream is no event: ${excerpt(line)}`, operation);
  return frame;
}

function storedProblem(object: unknown): string | undefined {
  if (!isRecord(object)) return 'no object';
  const { apiVersion, kind, metadata } = object;
  if (!isText(apiVersion) || !isText(kind)) return 'the object has no apiVersion or no kind';
  if (!isRecord(metadata)) return `the ${kind} has no metadata`;
  if (!isText(metadata['name'])) return `the ${kind} has no name`;
  if (!isText(metadata['resourceVersion'])) return `${kind} ${metadata['name']} has no resourceVersion`;
  return undefined;
}

function bookmark(object: unknown, operation: Operation): BookmarkEvent {
  const metadata = isRecord(object) ? object['metadata'] : undefined;
  if (!isRecord(metadata) || !isText(metadata['resourceVersion'])) {
    throw new DecodeError('BOOKMARK event: no resourceVersion', operation);
  }
  const { resourceVersion, annotations } = metadata;
  if (!isRecord(annotations)) return { type: 'BOOKMARK', object: { metadata: { resourceVersion } } };
  // The wire: annotations are text by text, as the server has checked.
  const texts = annotations as { readonly [key: string]: string };
  return { type: 'BOOKMARK', object: { metadata: { resourceVersion, annotations: texts } } };
}

/** Parts of a wrong type are left out: what looks at the error later need not look twice. */
function statusOf(object: unknown): Partial<Status> {
  const status = isRecord(object) ? readStatus({ ...object, kind: 'Status' }) : undefined;
  return status ?? { message: 'the stream reported an error without a status' };
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Objects may be secrets: a message shows only how a bad line begins. */
const EXCERPT_LENGTH = 40;

function excerpt(line: string): string {
  return JSON.stringify(line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line);
}
