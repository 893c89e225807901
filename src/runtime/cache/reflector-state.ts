/**
 * The reflector: what keeps a copy of a resource equal to the server's state, as a pure machine.
 *
 * A *round* begins with the whole state: streamed by the watch itself where the server can (`initial`), otherwise listed
 * page by page (`list`). Then the watch is followed, over as many requests as it takes, each from the last version seen.
 * Only a history that is gone, an unreadable answer or a resource that is gone begin a new round; a cut does not.
 */
import type { Backoff } from '../watch/backoff.ts';
import type { Action, ObjectEvent, Step, StreamHistory } from '../watch/machine.ts';
import type { Pieces } from '../watch/pieces.ts';
import type { ListParams } from '../watch/source.ts';

/** What a reflector hands out. */
export type ReflectorOutput<O> =
  /** The whole state at `resourceVersion`; whatever is not in it is gone. */
  | { readonly type: 'replace'; readonly items: readonly O[]; readonly resourceVersion: string }
  /** Changes in their order, up to `resourceVersion`: none when a bookmark came. */
  | {
      readonly type: 'change';
      readonly events: readonly ObjectEvent<O>[];
      readonly resourceVersion: string;
      /** Events that said nothing new, and are not in `events`. */
      readonly stale: number;
    }
  /** A request failed; the reflector goes on. `attempt` counts failures in a row, from 1. */
  | { readonly type: 'failure'; readonly error: unknown; readonly attempt: number }
  /** A new round begins, because of `reason`. */
  | { readonly type: 'relist'; readonly reason: RelistReason };

/**
 * Why the whole state is read again: the history is gone (`expired`), the server is behind what was seen (`ahead`), an
 * answer could not be read (`garbled`), or the resource is gone (`absent`).
 */
export type RelistReason = 'expired' | 'ahead' | 'garbled' | 'absent';

/** The state is being streamed by a watch. */
export interface Initial<O> {
  readonly name: 'initial';
  readonly events: Pieces<ObjectEvent<O>> | undefined;
  readonly openedAt: number | undefined;
}

/** The state is being listed. */
export interface Listing<O> {
  readonly name: 'list';
  readonly pages: Pieces<O> | undefined;
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

export interface ReflectorState<O> {
  readonly phase: Initial<O> | Listing<O> | Following;
  /** The last version seen; `undefined` at the beginning, and after the resource was gone. */
  readonly resourceVersion: string | undefined;
  /** The server does not know that version: ask for the newest state instead. */
  readonly unavailable: boolean;
  /** The server has cut a list from its cache into pages: it has no such cache, so lists stay paged. */
  readonly paginates: boolean;
  /** Tries to stream the state that have failed in this round. */
  readonly streamFailures: number;
  readonly backoff: Backoff;
  /** Failures in a row. */
  readonly attempts: number;
  /** Answers in a row that there is no such resource. */
  readonly absences: number;
  /** What follows a wait: the same request again, or a new round. */
  readonly afterWait: 'again' | 'round';
  readonly streaming: boolean;
}

export interface ReflectorConditions {
  /** Lets the server stream the state where it can (`sendInitialEvents`). Default true. */
  readonly streaming?: boolean | undefined;
  /** The state to begin with is not older than this version. Default: any that the server has at hand. */
  readonly resourceVersion?: string | undefined;
}

export type ReflectorStep<O> = Step<ReflectorState<O>, ReflectorOutput<O>>;
