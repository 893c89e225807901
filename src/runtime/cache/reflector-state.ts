/**
 * The reflector: what keeps a copy of a resource equal to the server's state, as a pure machine.
 *
 * A *round* begins with the whole state: streamed by the watch itself where the server can (`initial`), otherwise listed
 * page by page (`list`). Then the watch is followed, over as many requests as it takes, each from the last version seen.
 * Only a history that is gone or cannot be told, an unreadable answer or a resource that is gone begin a new round; a cut
 * does not.
 *
 * The machine holds no objects. What it hands out of a state is gathered by its user, who lets the new state take the
 * place of the old one at `replace`, and forgets it at the next `begin` when there was none.
 */
import type { Backoff } from '../watch/backoff.ts';
import type { Action, ObjectEvent, Step, StreamHistory } from '../watch/machine.ts';
import type { ListParams, UnreadableItem } from '../watch/source.ts';

/** What a reflector hands out. Behind `begin` come only `gather`, `keep` and `failure`, until `replace` or another `begin`. */
export type ReflectorOutput<O> =
  /** The whole state follows, in pieces: what was gathered of one before that did not end is void. */
  | { readonly type: 'begin' }
  /** A piece of the state, never empty: a page as `ADDED`, or of a stream, where objects may change and go meanwhile. */
  | { readonly type: 'gather'; readonly events: readonly ObjectEvent<O>[] }
  /** Items of the state that could not be read, never none: they exist, in whatever form they were known. */
  | { readonly type: 'keep'; readonly items: readonly UnreadableItem[] }
  /** The state is complete at `resourceVersion`; what is not in it is gone. Empty where there is no version. */
  | { readonly type: 'replace'; readonly resourceVersion: string }
  /** Changes in their order, up to `resourceVersion`: none when only bookmarks came. */
  | {
      readonly type: 'change';
      readonly events: readonly ObjectEvent<O>[];
      readonly resourceVersion: string;
      readonly bookmarks: number;
      /** Events that said nothing new, and are not in `events`. */
      readonly stale: number;
    }
  /** A stream is over, and another one goes on from the last version seen. */
  | { readonly type: 'restart' }
  /** A request failed; the reflector goes on. `attempt` counts failures in a row, from 1. */
  | { readonly type: 'failure'; readonly error: unknown; readonly attempt: number }
  /** A new round begins, because of `reason`. */
  | { readonly type: 'relist'; readonly reason: RelistReason };

/**
 * Why the whole state is read again: the history is gone, or watches of it end in an error again and again (`expired`),
 * the server is behind what was seen (`ahead`), an answer could not be read (`garbled`), the resource is gone (`absent`),
 * or no watch is to be had (`refused`).
 */
export type RelistReason = 'expired' | 'ahead' | 'garbled' | 'absent' | 'refused';

/** The state is being streamed by a watch. */
export interface Initial {
  readonly name: 'initial';
  readonly openedAt: number | undefined;
}

/** The state is being listed. */
export interface Listing {
  readonly name: 'list';
  /** The request for the first page. */
  readonly first: ListParams;
  /** The request for the present page. */
  readonly goal: Extract<Action, { type: 'list' }>;
  /** The version of the first page: it holds for all. */
  readonly resourceVersion: string | undefined;
}

/** The state is known, its changes are followed. */
export interface Following {
  readonly name: 'follow';
  readonly stream: StreamHistory | undefined;
}

export interface ReflectorState {
  readonly phase: Initial | Listing | Following;
  /** The last version seen; `undefined` at the beginning, empty after the resource was gone. */
  readonly resourceVersion: string | undefined;
  /** The server does not know that version: ask for the newest state instead. */
  readonly unavailable: boolean;
  /** The version from which the history was gone last. */
  readonly expired: string | undefined;
  /** The server has cut a list from its cache into pages: it has no such cache, so lists stay paged. */
  readonly paginates: boolean;
  /** Tries to stream the state that have failed in this round. */
  readonly streamFailures: number;
  /** Of failed requests: starts over when one has worked. */
  readonly backoff: Backoff;
  /** Of rounds: only time starts it over, as a round that works may be the tenth of a storm. */
  readonly rounds: Backoff;
  /** Failures in a row. */
  readonly attempts: number;
  /** Answers in a row that there is no such resource. */
  readonly absences: number;
  /** Watches in a row that were refused, other than for want of a valid credential. */
  readonly refusals: number;
  /** Watches since the last version that were opened and then said nothing but an error. */
  readonly deadEnds: number;
  readonly afterWait: AfterWait;
  readonly streaming: boolean;
}

/** What follows a wait: the same request again, the state as a list, or a new round. */
export type AfterWait = 'again' | 'list' | 'round';

export interface ReflectorConditions {
  /** Lets the server stream the state where it can (`sendInitialEvents`). Default true. */
  readonly streaming?: boolean | undefined;
  /** The state to begin with is not older than this version. Default: any that the server has at hand. */
  readonly resourceVersion?: string | undefined;
}

export type ReflectorStep<O> = Step<ReflectorState, ReflectorOutput<O>>;
