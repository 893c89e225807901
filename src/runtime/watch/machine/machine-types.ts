/**
 * Types of the state machines that follow a resource. A step is a pure function from a state and an input to
 * the next state, the outputs and the next action. `drive-machine.ts` performs the actions.
 */
import type { ListMeta } from '../../api/meta.ts';
import type { Operation } from '../../api/operation.ts';
import type { BookmarkEvent } from '../../api/watch-events.ts';
import type { Timing } from '../../common/timing.ts';
import type { ListParams, UnreadableItem, WatchParams } from '../source.ts';

/** A change of an object, as one line or frame of a stream. */
export interface ObjectEvent<O> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: O;
}

/**
 * One line or frame of a stream. `ERROR` is the last one: it holds the `ApiError` of the server, or a
 * `DecodeError` for malformed data.
 */
export type StreamEvent<O> =
  | ObjectEvent<O>
  | BookmarkEvent
  | { readonly type: 'ERROR'; readonly error: Error };

/** Outcome of the last action. */
export type Input<O> =
  | { readonly type: 'start' }
  /** The response to a LIST. */
  | {
      readonly type: 'listed';
      readonly items: readonly O[];
      readonly metadata: ListMeta;
      readonly unreadable?: readonly UnreadableItem[] | undefined;
    }
  /** The response to a WATCH has arrived: its stream can be read. */
  | { readonly type: 'opened' }
  | { readonly type: 'events'; readonly events: readonly StreamEvent<O>[] }
  /** The server ended the stream without an error. `operation` is for error messages. */
  | { readonly type: 'ended'; readonly operation?: Operation | undefined }
  /**
   * The rest of the stream cannot be decoded in its format. The response to the same request will be in
   * another one.
   */
  | { readonly type: 'unsupportedFormat' }
  /** The LIST or WATCH failed, or the stream was interrupted. */
  | { readonly type: 'failed'; readonly error: unknown }
  /** A delay has passed. */
  | { readonly type: 'elapsed' };

/** Starts one WATCH. */
export interface WatchAction {
  readonly type: 'watch';
  /** Without `timeoutSeconds`, which the driver draws. */
  readonly params: Omit<WatchParams, 'timeoutSeconds'>;
  /**
   * Idle timeout: milliseconds without a byte after which the stream fails. Default: once the stream is past
   * its `timeoutSeconds`, or bookmarks are overdue.
   */
  readonly idleMs?: number;
}

/** A failure after which the request is retried. */
export interface Retry {
  readonly error: unknown;
  /** Number of consecutive failures, from 1. */
  readonly attempt: number;
  /** Whether an established stream was interrupted without an error of the server. Default: false. */
  readonly dropped?: boolean;
}

/** Next action; its outcome is the next input. All actions except `read` close an open stream. */
export type Action =
  | { readonly type: 'list'; readonly params: ListParams }
  | WatchAction
  /** Waits for more data of the open stream. */
  | { readonly type: 'read' }
  /** Waits for `ms`, and at random for up to `jitterMs` longer. */
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
  /** `now` is in milliseconds of a monotonic clock. */
  step(state: State, input: Input<O>, now: number): Step<State, Output>;
}

/** Returns the events before the first `ERROR`, and its error. */
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

/** History of one stream. */
export interface StreamHistory {
  readonly openedAt: number;
  /** Whether an event or a bookmark has arrived. */
  readonly hasEvents: boolean;
}

/**
 * Returns whether a stream ended without an error before it was useful. Opening the next one at once could
 * loop for ever.
 */
export function wasTooShort(stream: StreamHistory, now: number, { shortStreamMs }: Timing): boolean {
  return !stream.hasEvents && now - stream.openedAt < shortStreamMs;
}
