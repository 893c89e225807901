/**
 * Rules of the server for events, and the limits that are applied before it: an invalid event is refused
 * with 422.
 */
import type { EventObject, EventReference, EventToRecord } from './event.ts';

/** Maximum bytes of UTF-8 of a reason, an action and a name of an instance. */
export const identifierBytes = 128;
/** Maximum bytes of UTF-8 of a note. */
const noteBytes = 1024;

/** Mark at the end of a shortened note. */
const ellipsis = '…';
const ellipsisBytes = 3;

/** The members of an event after validation and shortening. */
export interface ValidEvent extends Omit<EventToRecord, 'regarding' | 'related'> {
  readonly regarding: EventReference;
  readonly related: EventReference | undefined;
}

/**
 * Returns the event with its references and within the limits of the server, or the rule that it violates as
 * a string. Never throws, whatever the value is.
 */
export function validEvent(event: EventToRecord): ValidEvent | string {
  try {
    return checkedEvent(event);
  } catch (error) {
    // Getters and proxies of the caller may throw anything.
    return `the event cannot be read: ${error instanceof Error ? error.message : typeof error}`;
  }
}

function checkedEvent(event: EventToRecord): ValidEvent | string {
  const { type, reason, action, note } = event;
  if (type !== 'Normal' && type !== 'Warning') return "type must be 'Normal' or 'Warning'";
  if (!isFilled(reason)) return 'reason must be a non-empty string';
  if (!isFilled(action)) return 'action must be a non-empty string, such as the operation of the controller';
  if (typeof note !== 'string') return 'note must be a string';
  const regarding = referenceTo(event.regarding);
  if (regarding === undefined) return `regarding ${needs}`;
  const related = event.related === undefined ? undefined : referenceTo(event.related);
  if (event.related !== undefined && related === undefined) return `related ${needs}`;
  return {
    type,
    reason: cutBytes(reason, identifierBytes),
    action: cutBytes(action, identifierBytes),
    note: shortened(note, noteBytes),
    regarding,
    related,
  };
}

const needs =
  'must have apiVersion, kind and metadata.name: objects that were read from a server have them, to other objects add them';

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** The resource version is not part of a reference: with it, each update would begin a new series. */
function referenceTo(object: EventObject | undefined): EventReference | undefined {
  const { apiVersion, kind, metadata } = object ?? {};
  const { name, namespace, uid } = metadata ?? {};
  if (!isFilled(apiVersion) || !isFilled(kind) || !isFilled(name)) return undefined;
  return {
    apiVersion,
    kind,
    name,
    ...(isFilled(namespace) && { namespace }),
    ...(isFilled(uid) && { uid }),
  };
}

/**
 * Returns the longest beginning of a string that has at most `maxBytes` bytes in UTF-8 and ends between two
 * characters. Lone surrogates, which UTF-8 cannot represent, are replaced by U+FFFD.
 */
export function cutBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.alloc(maxBytes);
  const { written } = encoder.encodeInto(text, bytes);
  return bytes.toString('utf8', 0, written);
}

const encoder = new TextEncoder();

function shortened(text: string, maxBytes: number): string {
  const whole = cutBytes(text, maxBytes + 1);
  if (Buffer.byteLength(whole) <= maxBytes && !isCut(text, whole)) return whole;
  return cutBytes(text, maxBytes - ellipsisBytes) + ellipsis;
}

/** Replaced surrogates keep their length in UTF-16 units. */
function isCut(text: string, beginning: string): boolean {
  return beginning.length < text.length;
}

const qualifiedName =
  /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const prefixCharacters = 253;

/**
 * Checks the name of a reporting controller, a qualified name such as `example.com/shop-operator`.
 * @throws {TypeError} the name is invalid
 */
export function checkReportingController(name: string): void {
  const prefix = typeof name === 'string' ? name.slice(0, Math.max(0, name.indexOf('/'))) : '';
  const isValid = qualifiedName.test(name) && !prefix.includes('..') && prefix.length <= prefixCharacters;
  if (isValid) return;
  throw new TypeError(
    `reportingController must be a qualified name such as example.com/shop-operator: at most 63 letters, digits, '-', '_' and '.' after an optional DNS name and '/'; got ${JSON.stringify(name)}`,
  );
}

/**
 * Checks the name of a reporting instance.
 * @throws {TypeError} the name is empty or longer than 128 bytes
 */
export function checkReportingInstance(name: string): void {
  if (isFilled(name) && Buffer.byteLength(name) <= identifierBytes) return;
  throw new TypeError(
    `reportingInstance must have 1 to ${identifierBytes} bytes, got ${JSON.stringify(name)}`,
  );
}
