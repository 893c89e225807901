/**
 * Flight recorder: the last events, requests and reconciles of a manager in bounded memory, which are written
 * to a file on request, for a signal, or after an error. `replay` of `@kgen/testing` runs such a file.
 */

import type { Informer, KubernetesObject } from '@kgen/runtime';
import type { RunObserver, RunRequest, RunResponse } from '../client/run-scope.ts';
import { idOf } from '../controller/key.ts';
import type { ReconcileContext } from '../controller/options.ts';
import type { Outcome } from '../controller/outcome.ts';
import { errorOf } from '../errors.ts';
import { member } from '../members.ts';
import type { RecordedRead } from '../records/record.ts';
import { errorText, type RunNotes } from '../records/run-notes.ts';
import {
  type RecordedEnd,
  type RecordedError,
  type RecordedInformer,
  type RecordedRequest,
  type RecordedResponse,
  type RecordedStart,
  type RecordingHeader,
  recordingVersion,
} from './entries.ts';
import { writeLines } from './recording-file.ts';
import { redacted } from './redaction.ts';
import { Ring, type RingEntry } from './ring.ts';

/** Parts of a recorder. */
export interface FlightRecorderParts {
  /** Name of the manager. */
  readonly program: string;
  readonly maxBytes: number;
  readonly includeSecrets: boolean;
}

/** A change of an informer can be undone: the state before the entry is derived from the present one. */
interface ChangeEntry extends RingEntry {
  readonly undo?: { readonly informer: number; readonly id: string; readonly before: object | undefined };
}

interface Followed {
  readonly info: RecordedInformer;
  readonly objects: Map<string, object>;
}

/** Records one run. Its methods never throw. */
export interface RunRecorder extends RunObserver {
  ended(outcome: Outcome, notes: RunNotes): void;
}

/** Records a manager. Methods without a promise never throw. */
export class FlightRecorder {
  readonly #parts: FlightRecorderParts;
  readonly #ring: Ring<ChangeEntry>;
  readonly #informers: Followed[] = [];
  readonly #known = new Set<Informer<KubernetesObject>>();
  readonly #releases: (() => void)[] = [];
  /** Errors of requests for Secrets, whose messages are not recorded. */
  readonly #hidden = new WeakSet<object>();
  #runs = 0;
  #requests = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(parts: FlightRecorderParts) {
    this.#parts = parts;
    this.#ring = new Ring(parts.maxBytes);
  }

  /** Records the changes of an informer from now on. */
  follow(informer: Informer<KubernetesObject>): void {
    if (this.#known.has(informer)) return;
    this.#known.add(informer);
    const { group, version, resource, kind = '' } = informer.resource;
    const number = this.#informers.length;
    const { namespaces } = informer;
    const info = { type: 'informer', informer: number, group, version, resource, kind, namespaces } as const;
    const followed: Followed = { info, objects: new Map() };
    this.#informers.push(followed);
    const registration = informer.handle({
      add: (object) => this.#changed(followed, 'add', object),
      update: (object, old) => {
        if (object !== old) this.#changed(followed, 'update', object);
      },
      delete: (object) => this.#changed(followed, 'delete', object),
    });
    this.#releases.push(() => registration.remove());
  }

  /** Records the start of a run. */
  started(
    controller: string,
    context: Pick<ReconcileContext, 'key' | 'reconcileID' | 'attempt' | 'isLastAttempt' | 'cause'>,
  ): RunRecorder {
    this.#runs += 1;
    const run = this.#runs;
    const { key, reconcileID, attempt, isLastAttempt, cause } = context;
    const entry: RecordedStart = {
      type: 'start',
      at: Date.now(),
      run,
      controller,
      key,
      reconcileID,
      attempt,
      isLastAttempt,
      cause,
    };
    this.#push(entry);
    return {
      requested: (request) => this.#requested(run, request),
      ended: (outcome, notes) => this.#ended(run, outcome, notes),
    };
  }

  /**
   * Writes the recording to a file that only its owner can read, and that is complete or absent. Files are
   * written one after the other.
   * @throws {Error} if the file cannot be written
   */
  write(file: string, reason = 'request'): Promise<void> {
    // The state of this call, whenever its turn is.
    const lines = this.#lines(reason);
    const written = this.#writing.then(() => writeLines(file, lines));
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Returns the message of an error; `(redacted)` if it may quote values of Secrets. */
  messageOf(thrown: unknown): string {
    return this.#isHidden(thrown) ? redactedText : errorOf(thrown).message;
  }

  /** Stops to record. Resolves when pending files are written. */
  async close(): Promise<void> {
    for (const release of this.#releases.splice(0)) release();
    await this.#writing;
  }

  #changed({ info, objects }: Followed, change: 'add' | 'update' | 'delete', object: KubernetesObject): void {
    const { namespace = '', name = '' } = object.metadata ?? {};
    const id = idOf({ namespace, name });
    const before = objects.get(id);
    if (change === 'delete') objects.delete(id);
    else objects.set(id, object);
    const { informer, group, resource } = info;
    const entry = { type: 'change', at: Date.now(), informer, change };
    const line = this.#lineOf({ ...entry, object: this.#shown(object, { group, resource }) });
    // The state before has about the size of the state after.
    const more = before === undefined ? 0 : line.length * 2;
    this.#ring.push({ line, more, undo: { informer, id, before } });
  }

  #requested(run: number, call: RunRequest): (end: RunResponse) => void {
    const { request, target } = call;
    this.#requests += 1;
    const number = this.#requests;
    const entry: RecordedRequest = {
      type: 'request',
      at: Date.now(),
      run,
      request: number,
      method: request.method ?? 'GET',
      path: request.path,
      query: request.query ?? [],
      body: this.#shown(bodyOf(request), target),
    };
    this.#push(entry);
    return (end) => {
      const response: RecordedResponse = {
        type: 'response',
        at: Date.now(),
        run,
        request: number,
        result: end.type,
        ...(end.type === 'error'
          ? { error: this.#errorOf(end.error, target) }
          : { body: this.#shown(end.response, target) }),
      };
      this.#push(response);
    };
  }

  #ended(run: number, outcome: Outcome, notes: RunNotes): void {
    const { type } = outcome;
    const afterMs = type === 'requeueAfter' || type === 'retry' ? outcome.afterMs : undefined;
    const end: RecordedEnd = {
      type: 'end',
      at: Date.now(),
      run,
      outcome: afterMs === undefined ? { type } : { type, afterMs },
      ...('error' in outcome && { error: this.#errorText(outcome.error) }),
      reads: notes.reads.map((read) => this.#shownRead(read)),
    };
    this.#push(end);
  }

  #errorText(thrown: unknown): string {
    return this.#isHidden(thrown) ? `${errorOf(thrown).name}: ${redactedText}` : errorText(thrown);
  }

  #shownRead(read: RecordedRead): RecordedRead {
    const isShown = this.#parts.includeSecrets || read.error === undefined || read.resource !== 'secrets';
    return isShown ? read : { ...read, error: redactedText };
  }

  #errorOf(thrown: unknown, target: RunRequest['target']): RecordedError {
    const { name, message } = errorOf(thrown);
    const status: unknown = thrown instanceof Error ? Reflect.get(thrown, 'status') : undefined;
    const isHidden = isSecret(target) && !this.#parts.includeSecrets;
    // Messages about a Secret may quote its values.
    if (isHidden && thrown instanceof Error) this.#hidden.add(thrown);
    const shown = isHidden ? redactedText : message;
    if (typeof status !== 'object' || status === null) return { name, message: shown };
    return { name, message: shown, status: isHidden ? { ...status, message: shown } : status };
  }

  /** Errors that have such an error as their cause may quote it. */
  #isHidden(thrown: unknown): boolean {
    let error = thrown;
    for (let depth = 0; depth < mostCauses && error instanceof Error; depth += 1) {
      if (this.#hidden.has(error)) return true;
      error = error.cause;
    }
    return false;
  }

  #shown(value: unknown, target: { readonly group: string; readonly resource: string } | undefined): unknown {
    return this.#parts.includeSecrets ? value : redacted(value, isSecret(target));
  }

  #push(entry: object): void {
    this.#ring.push({ line: this.#lineOf(entry), more: 0 });
  }

  /** Values of users may have any form: an entry that JSON cannot represent is left out. */
  #lineOf(entry: object): string {
    try {
      return JSON.stringify(entry, (_, value: unknown) =>
        typeof value === 'bigint' ? Number(value) : value,
      );
    } catch (error) {
      return JSON.stringify({ type: 'unreadable', at: Date.now(), error: errorText(error) });
    }
  }

  /** Returns the lines of the file. References to the present state are taken at once, the text is lazy. */
  #lines(reason: string): Iterable<string> {
    const entries = this.#ring.entries();
    const states = this.#informers.map(({ objects }) => new Map(objects));
    for (const { undo } of [...entries].reverse()) {
      if (undo === undefined) continue;
      if (undo.before === undefined) states[undo.informer]?.delete(undo.id);
      else states[undo.informer]?.set(undo.id, undo.before);
    }
    const informers = this.#informers.map(({ info }) => info);
    return this.#text(reason, entries, informers, states, this.#ring.dropped, Date.now());
  }

  *#text(
    reason: string,
    entries: readonly RingEntry[],
    informers: readonly RecordedInformer[],
    states: readonly ReadonlyMap<string, object>[],
    dropped: number,
    now: number,
  ): Generator<string, undefined, undefined> {
    const { program, includeSecrets, maxBytes } = this.#parts;
    const objects: string[] = [];
    let bytes = 0;
    let omittedObjects = 0;
    for (const [informer, state] of states.entries()) {
      const info = informers[informer];
      for (const object of state.values()) {
        const line =
          bytes > maxBytes
            ? ''
            : this.#lineOf({ type: 'object', informer, object: this.#shown(object, info) });
        bytes += line.length;
        if (bytes > maxBytes) omittedObjects += 1;
        else objects.push(line);
        yield '';
      }
    }
    const from = timeOf(entries[0]) ?? now;
    const header: RecordingHeader = {
      type: 'kgen recording',
      version: recordingVersion,
      program,
      reason,
      from: new Date(from).toISOString(),
      to: new Date(now).toISOString(),
      secrets: includeSecrets,
      dropped,
      omittedObjects,
    };
    yield JSON.stringify(header);
    for (const informer of informers) yield JSON.stringify(informer);
    yield* objects;
    for (const { line } of entries) yield line;
    yield JSON.stringify({ type: 'end of recording', entries: entries.length });
  }
}

const redactedText = '(redacted)';

/** Causes of causes that are examined; an error may be its own cause. */
const mostCauses = 10;

function isSecret(target: { readonly group: string; readonly resource: string } | undefined): boolean {
  return target?.group === '' && target.resource === 'secrets';
}

function bodyOf({ object, body }: RunRequest['request']): unknown {
  if (object !== undefined) return object;
  if (typeof body !== 'string') return body === undefined ? undefined : '(binary)';
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function timeOf(entry: RingEntry | undefined): number | undefined {
  const at: unknown = entry && member(JSON.parse(entry.line), 'at');
  return typeof at === 'number' ? at : undefined;
}
