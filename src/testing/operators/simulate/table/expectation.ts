/** Expectations of table tests, and their comparison with the results. */

import { AssertionError } from 'node:assert';
import type { ObjectOf, Resource } from '@kgen/runtime/client';
import { isObject, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { errorText } from '@kgen/schema/values/thrown';
import { comparable, type Expected, type Mismatch, mismatches, mismatchText } from './match.ts';
import { type Pair, pairsOf } from './pairs.ts';
import type { Played, TableWrite } from './play.ts';

/** Verbs of writes. An apply is a patch with the fields that its sender determines. */
export type WriteVerb = 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';

/** An expected operation of a JSON patch. Absent members are not compared. */
export interface ExpectedOperation {
  readonly op?: string;
  readonly path?: string | RegExp;
  readonly value?: unknown;
}

/** An expected write, as returned by `wrote`. */
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
  /** Message of the event. */
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
  /** All recorded events, in their order. */
  readonly events?: readonly ExpectedEvent[];
  /** All reconciled objects in their order, as `namespace/name`. */
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
 * @param frames the stack of the call of `expect`, which becomes that of the error: the comparison runs after
 *   the reconcile, when the stack has no line of the test
 * @throws {AssertionError} with a line for each field that differs, and both values
 */
export function check(
  expectation: TableExpectation<never>,
  played: Played,
  primary: JsonObject | undefined,
  frames: string,
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
  });
  error.stack = `${error.name} [${error.code}]: ${error.message}\n${frames}`;
  if (failed !== undefined) error.cause = failed.error;
  throw error;
}

function errors({ error: desired }: TableExpectation<never>, { runs }: Played): Difference | undefined {
  const messages = runs.flatMap(({ error }) => (error === undefined ? [] : [errorText(error)]));
  const isExpected = (message: string): boolean =>
    typeof desired === 'string' ? message.includes(desired) : new RegExp(desired ?? '^$').test(message);
  const isFine = desired === undefined ? messages.length === 0 : messages.some(isExpected);
  if (isFine) return undefined;
  const actual = messages.length === 0 ? 'no error' : messages.join('; ');
  const line = `error: expected ${desired === undefined ? 'none' : String(desired)}, actual ${actual}`;
  return { lines: [line], name: 'error', expected: desired, actual: messages };
}

function writes(desired: readonly ExpectedWrite[], { writes: actual }: Played): Difference | undefined {
  const counts = { expected: desired.length, actual: actual.length };
  const pairs = pairsOf(counts, (one, other) => scoreOf(desired[one], actual[other]));
  const rows = pairs.map((pair) => rowOf(pair, desired, actual));
  const lines = rows.flatMap((row) => row.lines);
  if (lines.length === 0) return undefined;
  return {
    lines,
    name: 'writes',
    expected: rows.flatMap((row) => row.expected),
    actual: rows.flatMap((row) => row.actual),
  };
}

/** Writes with equal targets belong together, and more so if they have no mismatch. */
function scoreOf(expected: ExpectedWrite | undefined, actual: TableWrite | undefined): number {
  if (expected === undefined || actual === undefined || targetOf(expected) !== targetOf(actual)) return 0;
  return writeMismatches(expected, actual).length === 0 ? 3 : 1;
}

/** An expected write, an actual one, or both. `lines` is empty if they have no mismatch. */
interface WriteRow {
  readonly lines: readonly string[];
  readonly expected: readonly (ShownWrite | string)[];
  readonly actual: readonly (ShownWrite | string)[];
}

/** Returns the details of writes that differ, and one line for each other one: differences remain short. */
function rowOf(pair: Pair, desired: readonly ExpectedWrite[], sent: readonly TableWrite[]): WriteRow {
  const { expected: one = -1, actual: other = -1 } = pair;
  const [expected, actual] = [desired[one], sent[other]];
  if (actual === undefined) {
    const title = expectedTitle(expected);
    return { lines: [`expected write ${one + 1} is missing: ${title}`], expected: [title], actual: [] };
  }
  const title = `${titleOf(actual)}${actual.site === '' ? '' : ` at ${actual.site}`}`;
  if (expected === undefined)
    return { lines: [`write ${other + 1} is not expected: ${title}`], expected: [], actual: [title] };
  const found = writeMismatches(expected, actual);
  if (found.length === 0) return { lines: [], expected: [title], actual: [title] };
  const lines = [`write ${other + 1}: ${title}`, ...found.map(indented)];
  return { lines, expected: [shownWrite(expected)], actual: [shownActual(actual, expected)] };
}

function writeMismatches(expected: ExpectedWrite, actual: TableWrite): readonly Mismatch[] {
  const { body } = expected;
  const differing = isAnyBody(body) ? [] : mismatches(body, comparableBody(actual));
  return [...codeMismatch(expected, actual), ...differing];
}

function codeMismatch({ code: desired }: ExpectedWrite, { code }: TableWrite): readonly Mismatch[] {
  const isSuccess = code !== undefined && code < 300;
  if (desired === undefined ? isSuccess : desired === code) return [];
  return [{ path: 'status of the response', expected: desired ?? 200, actual: code ?? 'none' }];
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

/** Returns the target with the name of the object, if the expectation has one. */
function expectedTitle(expected: ExpectedWrite | undefined): string {
  if (expected === undefined) return 'none';
  const { namespace, name } = identityOf(expected);
  const object = [namespace, name].filter((part) => typeof part === 'string').join('/');
  return `${targetOf(expected)} ${object}`.trim();
}

function identityOf({ body }: ExpectedWrite): { readonly namespace?: unknown; readonly name?: unknown } {
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return {};
  const { metadata } = body;
  return typeof metadata === 'object' && metadata !== null ? metadata : {};
}

/** An empty list stands for any body: an object, or the operations of a JSON patch. */
function isAnyBody(body: unknown): boolean {
  return Array.isArray(body) && body.length === 0;
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

function shownWrite(expected: ExpectedWrite): ShownWrite {
  const { code } = expected;
  const { body } = expected;
  return {
    write: targetOf(expected),
    ...(!isAnyBody(body) && { body }),
    ...(code !== undefined && { code }),
  };
}

function shownActual(write: TableWrite, expected: ExpectedWrite): ShownWrite {
  const body = isAnyBody(expected.body) ? undefined : comparable(expected.body, comparableBody(write));
  const isShown = expected.code !== undefined || write.code === undefined || write.code >= 300;
  return {
    write: targetOf(write),
    ...(body !== undefined && { body }),
    ...(isShown && { code: write.code ?? 'none' }),
  };
}

function statusDifference(desired: unknown, primary: JsonObject | undefined): Difference | undefined {
  const actual = primary === undefined ? undefined : own(primary, 'status');
  const found = mismatches(desired, actual, 'status');
  if (found.length === 0) return undefined;
  return {
    lines: found.map(mismatchText),
    name: 'status',
    expected: desired,
    actual: comparable(desired, actual),
  };
}

function events(desired: readonly ExpectedEvent[], played: Played): Difference | undefined {
  const actual = played.events.map((event) => comparableEvent(event));
  const found = mismatches(desired, actual, 'events');
  if (found.length === 0) return undefined;
  return {
    lines: found.map(mismatchText),
    name: 'events',
    expected: desired,
    actual: comparable(desired, actual),
  };
}

function comparableEvent(event: JsonObject): JsonObject {
  const [type, reason, action] = [text(event, 'type'), text(event, 'reason'), text(event, 'action')];
  return { type, reason, action, note: text(event, 'message'), regarding: object(event, 'involvedObject') };
}

function keys(desired: readonly string[], { runs }: Played): Difference | undefined {
  const actual = runs.map(({ key: { namespace, name } }) =>
    namespace === '' ? name : `${namespace}/${name}`,
  );
  const found = mismatches(desired, actual, 'reconciled');
  const lines = found.map(mismatchText);
  return found.length === 0 ? undefined : { lines, name: 'reconciled', expected: desired, actual };
}

function delays(desired: number | undefined, { runs }: Played): Difference | undefined {
  const actual = runs.map(({ requeueAfterMs }) => requeueAfterMs).find((ms) => ms !== undefined);
  if (desired === actual) return undefined;
  const line = mismatchText({ path: 'requeueAfterMs', expected: desired, actual });
  return { lines: [line], name: 'requeueAfterMs', expected: desired, actual };
}
