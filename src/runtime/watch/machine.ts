/**
 * The shape of the state machines that follow a resource. A step is a pure function: what happened goes in, the next
 * state, what is to be handed out and what is to be done next come out. `run.ts` does it.
 */
import type { ListMeta } from '../meta.ts';
import type { Operation } from '../rest/types.ts';
import type { BookmarkEvent } from './events.ts';
import type { ListParams, UnreadableItem, WatchParams } from './source.ts';

/** A change, as one line of a stream says it. */
export interface ObjectEvent<O> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: O;
}

/**
 * What one line or frame of a stream says. After `ERROR` there is nothing more: it carries the server's `ApiError`, or a
 * `DecodeError` where something could not be read.
 */
export type StreamEvent<O> =
  | ObjectEvent<O>
  | BookmarkEvent
  | { readonly type: 'ERROR'; readonly error: Error };

/** What happened. */
export type Input<O> =
  | { readonly type: 'start' }
  /** A list was answered. */
  | {
      readonly type: 'listed';
      readonly items: readonly O[];
      readonly metadata: ListMeta;
      readonly unreadable?: readonly UnreadableItem[] | undefined;
    }
  /** A watch was answered: its stream may be read. */
  | { readonly type: 'opened' }
  | { readonly type: 'events'; readonly events: readonly StreamEvent<O>[] }
  /** The server ended the stream in order. `operation` is for errors that say so. */
  | { readonly type: 'ended'; readonly operation?: Operation | undefined }
  /** The stream cannot be read on in its form: the same request will be answered in another one. */
  | { readonly type: 'unfit' }
  /** The list or the watch was refused, or the stream broke. */
  | { readonly type: 'failed'; readonly error: unknown }
  /** A wait is over. */
  | { readonly type: 'elapsed' };

/** Starts one request for a stream. */
export interface WatchAction {
  readonly type: 'watch';
  /** Without `timeoutSeconds`, which the driver draws. */
  readonly params: Omit<WatchParams, 'timeoutSeconds'>;
  /** Fails after so many milliseconds without a byte. Default: once the stream should have ended, or bookmarks stay away. */
  readonly silenceMs?: number;
}

/** A failure after which the same is tried again. */
export interface Retry {
  readonly error: unknown;
  /** Failures in a row, from 1. */
  readonly attempt: number;
  /** A stream that had worked broke off, without an error of the server. Default false. */
  readonly dropped?: boolean;
}

/** What to do next; its outcome is the next input. Anything but `read` ends an open stream. */
export type Action =
  | { readonly type: 'list'; readonly params: ListParams }
  | WatchAction
  /** Waits for more of the open stream. */
  | { readonly type: 'read' }
  /** Waits for `ms`, and up to `jitterMs` longer at random. */
  | { readonly type: 'wait'; readonly ms: number; readonly jitterMs: number; readonly retry?: Retry }
  /** Ends with an error. */
  | { readonly type: 'fail'; readonly error: unknown };

export interface Step<State, Output> {
  readonly state: State;
  readonly outputs: readonly Output[];
  readonly next: Action;
}

export interface Machine<State, O, Output> {
  readonly initial: State;
  /** `now` is in milliseconds of a clock that only grows. */
  step(state: State, input: Input<O>, now: number): Step<State, Output>;
}

/** Events up to the first `ERROR`, and that error. */
export function untilError<O>(events: readonly StreamEvent<O>[]): {
  readonly events: readonly (ObjectEvent<O> | BookmarkEvent)[];
  readonly error?: Error;
} {
  if (events.every(isGood)) return { events };
  const good: (ObjectEvent<O> | BookmarkEvent)[] = [];
  for (const event of events) {
    if (event.type === 'ERROR') return { events: good, error: event.error };
    good.push(event);
  }
  return { events: good };
}

function isGood<O>(event: StreamEvent<O>): event is ObjectEvent<O> | BookmarkEvent {
  return event.type !== 'ERROR';
}

/** How long a stream must live, or else say something, to count as one that worked. */
const SHORT_STREAM_MS = 1000;

/** One stream, so far. */
export interface StreamHistory {
  readonly openedAt: number;
  /** An event or a bookmark has come. */
  readonly spoke: boolean;
}

/** Whether a stream that ended in order was of no use: to open the next one at once could go on for ever. */
export function wasTooShort(stream: StreamHistory, now: number): boolean {
  return !stream.spoke && now - stream.openedAt < SHORT_STREAM_MS;
}
