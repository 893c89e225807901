/** Expectations of table tests, and their comparison with the results. */
import { AssertionError } from 'node:assert';
import type { ObjectOf, Resource } from '@kgen/runtime/client';
import { isObject, type Json, type JsonObject, object, own, text } from '../../../values/json.ts';
import { comparable, type Expected, type Mismatch, mismatches, mismatchText } from './match.ts';
import type { Played, TableWrite } from './play.ts';

/** Verbs of writes. An apply is a patch with the fields that its sender determines. */
export type WriteVerb = 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';

/** One operation of a JSON patch. */
export interface ExpectedOperation {
  readonly op?: string;
  readonly path?: string | RegExp;
  readonly value?: unknown;
}

/** An expected write, made by `wrote`. */
export interface ExpectedWrite {
  readonly verb: string;
  readonly resource: Resource;
  readonly body: unknown;
  readonly code: number | undefined;
}

/**
 * Returns an expected write: its verb, with a subresource such as `apply status`, and parts of its body. For
 * deletions these are `metadata.name` and `metadata.namespace`. The write must succeed, or have the HTTP
 * status `code`.
 * @example
 * ```ts
 * import { deployments } from '@kgen/kubernetes/apps/v1';
 * import { wrote } from '@kgen/testing';
 *
 * console.log(wrote('apply', deployments, { metadata: { name: 'a' }, spec: { replicas: 3 } }).verb);
 * ```
 */
export function wrote<R extends Resource>(
  verb: WriteVerb | `${WriteVerb} ${string}`,
  resource: R,
  body: Expected<ObjectOf<R>> | readonly ExpectedOperation[] = [],
  { code }: { readonly code?: number } = {},
): ExpectedWrite {
  return { verb, resource, body, code };
}

/** An expected event. Absent members are not compared. */
export interface ExpectedEvent {
  readonly type?: 'Normal' | 'Warning';
  readonly reason?: string | RegExp;
  readonly action?: string | RegExp;
  /** Its text. */
  readonly note?: string | RegExp;
  readonly regarding?: { readonly kind?: string; readonly namespace?: string; readonly name?: string };
}

/** The status of objects of type `T`. */
export type StatusOf<T> = T extends { readonly status?: infer Status } ? NonNullable<Status> : unknown;

/** Expectations of a table test. Absent members are not compared, except for `error`. */
export interface TableExpectation<T = unknown> {
  /** All writes in their order, except for events and leases. */
  readonly writes?: readonly ExpectedWrite[];
  /** Parts of the status of the first given or created object after the reconcile; `undefined` for none. */
  readonly status?: Expected<StatusOf<T>> | undefined;
  /** All events in their order. */
  readonly events?: readonly ExpectedEvent[];
  /** The reconciled objects, as `namespace/name`. */
  readonly reconciled?: readonly string[];
  /** The delay that the function returns, in milliseconds; `undefined` for none. */
  readonly requeueAfterMs?: number | undefined;
  /** Part of the message of the error with which a reconcile fails. Default: none fails. */
  readonly error?: string | RegExp;
}

/** One difference, with the values that test runners compare. */
interface Difference {
  readonly lines: readonly string[];
  readonly name: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * Compares the result of a test with an expectation.
 * @param primary the first given or created object after the reconcile
 * @throws {AssertionError} with a line for each field that differs, and both values
 */
export function check(
  expectation: TableExpectation<never>,
  played: Played,
  primary: JsonObject | undefined,
): void {
  const found = [
    errors(expectation, played),
    'writes' in expectation ? writes(expectation.writes ?? [], played) : undefined,
    'status' in expectation ? statusDifference(expectation.status, primary) : undefined,
    'events' in expectation ? events(expectation.events ?? [], played) : undefined,
    'reconciled' in expectation ? keys(expectation.reconciled ?? [], played) : undefined,
    'requeueAfterMs' in expectation ? delays(expectation.requeueAfterMs, played) : undefined,
  ].filter((difference) => difference !== undefined);
  if (found.length === 0) return;
  const failed = played.runs.find(({ error }) => error !== undefined);
  const hint = played.runs.length === 0 ? ['no reconcile ran: the changes put no key in a queue'] : [];
  const error = new AssertionError({
    message: [...hint, ...found.flatMap(({ lines }) => lines)].join('\n'),
    expected: Object.fromEntries(found.map(({ name, expected }) => [name, expected])),
    actual: Object.fromEntries(found.map(({ name, actual }) => [name, actual])),
    operator: 'expect',
    stackStartFn: check,
  });
  if (failed !== undefined) error.cause = failed.error;
  throw error;
}

function errors({ error: wanted }: TableExpectation<never>, { runs }: Played): Difference | undefined {
  const messages = runs.flatMap(({ error }) => (error === undefined ? [] : [messageOf(error)]));
  const isExpected = (message: string): boolean =>
    typeof wanted === 'string' ? message.includes(wanted) : new RegExp(wanted ?? '^$').test(message);
  const isFine = wanted === undefined ? messages.length === 0 : messages.some(isExpected);
  if (isFine) return undefined;
  const actual = messages.length === 0 ? 'no error' : messages.join('; ');
  const line = `error: expected ${wanted === undefined ? 'none' : String(wanted)}, actual ${actual}`;
  return { lines: [line], name: 'error', expected: wanted, actual: messages };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function writes(wanted: readonly ExpectedWrite[], { writes: actual }: Played): Difference | undefined {
  const count = Math.max(wanted.length, actual.length);
  const lines = Array.from({ length: count }, (_, index) =>
    writeLines(index + 1, wanted[index], actual[index]),
  ).flat();
  if (lines.length === 0) return undefined;
  return {
    lines,
    name: 'writes',
    expected: wanted.map((write) => shownWrite(write)),
    actual: actual.map((write, index) => shownActual(write, wanted[index])),
  };
}

function writeLines(
  number: number,
  wanted: ExpectedWrite | undefined,
  actual: TableWrite | undefined,
): readonly string[] {
  if (actual === undefined) return [`write ${number} is missing: ${shownWrite(wanted).write}`];
  const place = actual.site === '' ? '' : ` at ${actual.site}`;
  const title = `${titleOf(actual)}${place}`;
  if (wanted === undefined) return [`write ${number} is not expected: ${title}`];
  if (targetOf(wanted) !== targetOf(actual))
    return [`write ${number}: expected ${targetOf(wanted)}, actual ${title}`];
  const code = codeMismatch(wanted, actual);
  const found = [...code, ...mismatches(bodyOf(wanted), comparableBody(actual))];
  return found.length === 0 ? [] : [`write ${number}: ${title}`, ...found.map(indented)];
}

function codeMismatch({ code: wanted }: ExpectedWrite, { code }: TableWrite): readonly Mismatch[] {
  const isSuccess = code !== undefined && code < 300;
  if (wanted === undefined ? isSuccess : wanted === code) return [];
  return [{ path: 'status of the response', expected: wanted ?? 200, actual: code ?? 'none' }];
}

function indented(mismatch: Mismatch): string {
  return `  ${mismatchText(mismatch)}`;
}

function targetOf(write: ExpectedWrite | TableWrite): string {
  const { group, resource } =
    typeof write.resource === 'string'
      ? { group: 'group' in write ? write.group : '', resource: write.resource }
      : { group: write.resource.group, resource: write.resource.plural };
  return `${write.verb} ${resource}${group === '' ? '' : `.${group}`}`;
}

function titleOf(write: TableWrite): string {
  const object = [write.namespace, write.name].filter((part) => part !== '').join('/');
  return `${targetOf(write)} ${object}`.trim();
}

/** The expectation of a body; an empty list stands for any. */
function bodyOf({ body }: ExpectedWrite): unknown {
  return Array.isArray(body) && body.length === 0 ? {} : body;
}

/** A body with the name of its object, which those of patches and deletions need not have. */
function comparableBody({ body, namespace, name }: TableWrite): Json {
  if (!isObject(body)) return body ?? {};
  const metadata = own(body, 'metadata');
  const identity = { ...(name !== '' && { name }), ...(namespace !== '' && { namespace }) };
  return { ...body, metadata: isObject(metadata) ? { ...identity, ...metadata } : identity };
}

/** A write as test runners show it. */
interface ShownWrite {
  readonly write: string;
  readonly body?: unknown;
  readonly code?: number | 'none';
}

function shownWrite(wanted: ExpectedWrite | undefined): ShownWrite {
  if (wanted === undefined) return { write: 'none' };
  const { code } = wanted;
  const body = bodyOf(wanted);
  return { write: targetOf(wanted), body, ...(code !== undefined && { code }) };
}

function shownActual(write: TableWrite, wanted: ExpectedWrite | undefined): ShownWrite {
  const isSame = wanted !== undefined && targetOf(wanted) === targetOf(write);
  const body = isSame ? comparable(bodyOf(wanted), comparableBody(write)) : comparableBody(write);
  const isShown = wanted?.code !== undefined || write.code === undefined || write.code >= 300;
  return { write: targetOf(write), body, ...(isShown && { code: write.code ?? 'none' }) };
}

function statusDifference(wanted: unknown, primary: JsonObject | undefined): Difference | undefined {
  const actual = primary === undefined ? undefined : own(primary, 'status');
  const found = mismatches(wanted, actual, 'status');
  if (found.length === 0) return undefined;
  return {
    lines: found.map(mismatchText),
    name: 'status',
    expected: wanted,
    actual: comparable(wanted, actual),
  };
}

function events(wanted: readonly ExpectedEvent[], played: Played): Difference | undefined {
  const actual = played.events.map((event) => comparableEvent(event));
  const found = mismatches(wanted, actual, 'events');
  if (found.length === 0) return undefined;
  return {
    lines: found.map(mismatchText),
    name: 'events',
    expected: wanted,
    actual: comparable(wanted, actual),
  };
}

function comparableEvent(event: JsonObject): JsonObject {
  const [type, reason, action] = [text(event, 'type'), text(event, 'reason'), text(event, 'action')];
  return { type, reason, action, note: text(event, 'message'), regarding: object(event, 'involvedObject') };
}

function keys(wanted: readonly string[], { runs }: Played): Difference | undefined {
  const actual = runs.map(({ key: { namespace, name } }) =>
    namespace === '' ? name : `${namespace}/${name}`,
  );
  const found = mismatches(wanted, actual, 'reconciled');
  const lines = found.map(mismatchText);
  return found.length === 0 ? undefined : { lines, name: 'reconciled', expected: wanted, actual };
}

function delays(wanted: number | undefined, { runs }: Played): Difference | undefined {
  const actual = runs.map(({ requeueAfterMs }) => requeueAfterMs).find((ms) => ms !== undefined);
  if (wanted === actual) return undefined;
  const line = mismatchText({ path: 'requeueAfterMs', expected: wanted, actual });
  return { lines: [line], name: 'requeueAfterMs', expected: wanted, actual };
}
