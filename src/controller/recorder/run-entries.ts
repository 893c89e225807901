/** Entries of runs, and of what they do. */

import type { RunRequest, RunResponse } from '../client/run-scope.ts';
import { bodyOf } from '../client/write-request.ts';
import type { EventToRecord } from '../events/event.ts';
import { validEvent } from '../events/event-rules.ts';
import { callSite } from '../health/local-port.ts';
import type { LogEntry } from '../log.ts';
import type { ReplayedReconcile } from '../records/replayed.ts';
import { limitedText, type RunNotes } from '../records/run-notes.ts';
import type { Outcome } from '../runs/outcome.ts';
import { redactedText } from '../secrecy/rules.ts';
import type {
  RecordedEnd,
  RecordedEvent,
  RecordedLog,
  RecordedRequest,
  RecordedResponse,
  RecordedStart,
} from './entries.ts';
import type { LineFormat } from './line-format.ts';

/** A run that begins. */
export interface StartedRun extends ReplayedReconcile {
  readonly controller: string;
  readonly worker: number;
}

/** Place of an entry of a request. */
export interface RequestPlace {
  readonly run: number;
  /** Number of the request. */
  readonly request: number;
}

export function startEntry(run: number, started: StartedRun): RecordedStart {
  const { controller, worker, key, reconcileID, attempt, isLastAttempt, cause } = started;
  const context = { key, reconcileID, attempt, isLastAttempt, cause };
  return { type: 'start', at: Date.now(), run, controller, worker, ...context };
}

/** @param user impersonated by the client, if the request does not name one */
export function requestEntry(
  place: RequestPlace,
  { request, target }: RunRequest,
  { format, user }: { readonly format: LineFormat; readonly user: string | undefined },
): RecordedRequest {
  return {
    ...{ type: 'request', at: Date.now(), ...place },
    method: request.method ?? 'GET',
    path: request.path,
    query: request.query ?? [],
    user: request.impersonate?.user ?? user,
    site: callSite(),
    body: format.shown(recordedBody(request), target),
  };
}

export function responseEntry(
  place: RequestPlace,
  { target }: RunRequest,
  { end, format }: { readonly end: RunResponse; readonly format: LineFormat },
): RecordedResponse {
  const content =
    end.type === 'error'
      ? { error: format.errorOf(end.error, target) }
      : { body: format.shown(end.response, target) };
  return { type: 'response', at: Date.now(), ...place, result: end.type, ...content };
}

export function endEntry(
  run: number,
  outcome: Outcome,
  { notes, format }: { readonly notes: RunNotes; readonly format: LineFormat },
): RecordedEnd {
  const { type } = outcome;
  const afterMs = type === 'requeueAfter' || type === 'retry' ? outcome.afterMs : undefined;
  return {
    ...{ type: 'end', at: Date.now(), run },
    outcome: afterMs === undefined ? { type } : { type, afterMs },
    ...('error' in outcome && { error: limitedText(outcome.error, format.messageOf(outcome.error)) }),
    reads: notes.reads,
  };
}

/**
 * Returns the entry of an Event; `undefined` for an invalid one, which is never written. A note about a
 * Secret may quote a part of a value, which cannot be found.
 */
export function eventEntry(
  reported: EventToRecord,
  { run, format }: { readonly run: number | undefined; readonly format: LineFormat },
): RecordedEvent | undefined {
  const event = validEvent(reported);
  if (typeof event === 'string') return undefined;
  const { regarding, type: eventType, reason, action } = event;
  const isHidden = !format.hasSecrets && regarding.kind === 'Secret' && regarding.apiVersion === 'v1';
  const note = isHidden ? redactedText : event.note;
  return { type: 'event', at: Date.now(), run, regarding, eventType, reason, action, note };
}

/** Members of a line that its reconcile has. */
const known: ReadonlySet<string> = new Set(['controller', 'namespace', 'name', 'reconcileID']);

/** Characters of the members of a line, and of its message. */
const longestText = 2_000;

export function logEntry(
  { level, fields, message }: LogEntry,
  { run, format }: { readonly run: number | undefined; readonly format: LineFormat },
): RecordedLog {
  const members = Object.entries(fields).filter(([name]) => run === undefined || !known.has(name));
  const shown = members.map(([name, value]) => [
    name,
    value instanceof Error ? format.messageOf(value) : value,
  ]);
  const text = shown.length === 0 ? '' : format.lineOf(Object.fromEntries(shown));
  const texts = { message: message.slice(0, longestText), fields: text.slice(0, longestText) };
  return { type: 'log', at: Date.now(), run, level, ...texts };
}

function recordedBody(request: RunRequest['request']): unknown {
  const json = bodyOf(request);
  const { body } = request;
  if (json !== undefined || body === undefined) return json;
  return typeof body === 'string' ? body : '(binary)';
}
