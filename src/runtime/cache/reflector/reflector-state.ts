/**
 * State of the reflector, which keeps a cache of a resource equal to the state of the server, as a pure state
 * machine.
 *
 * A *round* begins with the whole state: streamed by a watch if the server supports it (`initial`), otherwise
 * listed page by page (`list`). Then the resource is watched, over as many requests as necessary, each from
 * the last version. Only an expired or unavailable history, a malformed response or a missing resource begin
 * a new round; an interruption does not.
 *
 * The machine holds no objects. Its user collects the objects of a state, replaces the old state by the new
 * one at `replace`, and discards an incomplete state at the next `begin`.
 */
import type { Timing } from '../../common/timing.ts';
import type { Backoff } from '../../watch/machine/backoff.ts';
import type { Action, ObjectEvent, Step, StreamHistory } from '../../watch/machine/machine-types.ts';
import type { ListParams, UnreadableItem } from '../../watch/source.ts';

/**
 * Output of a reflector. After `begin` only `gather`, `keep` and `failure` follow, until `replace` or another
 * `begin`.
 */
export type ReflectorOutput<O> =
  /** The whole state follows, in pieces. Discards an incomplete state. */
  | { readonly type: 'begin' }
  /**
   * A piece of the state, never empty: a page as `ADDED` events, or events of a stream, during which objects
   * may change and be deleted.
   */
  | { readonly type: 'gather'; readonly events: readonly ObjectEvent<O>[] }
  /**
   * Items of the state that could not be decoded, never empty: these objects exist, and their cached state
   * remains.
   */
  | { readonly type: 'keep'; readonly items: readonly UnreadableItem[] }
  /**
   * The state is complete at `resourceVersion`; objects that are not part of it are gone. Empty without a
   * version.
   */
  | { readonly type: 'replace'; readonly resourceVersion: string }
  /** Changes in order, up to `resourceVersion`: empty after bookmarks only. */
  | {
      readonly type: 'change';
      readonly events: readonly ObjectEvent<O>[];
      readonly resourceVersion: string;
      readonly bookmarks: number;
      /** Number of events without new information, which are not in `events`. */
      readonly stale: number;
    }
  /** A stream has ended, and another one resumes from the last version. */
  | { readonly type: 'restart' }
  /** A request failed and is retried. `attempt` is the number of consecutive failures, from 1. */
  | { readonly type: 'failure'; readonly error: unknown; readonly attempt: number }
  /** A new round begins, because of `reason`. */
  | { readonly type: 'relist'; readonly reason: RelistReason };

/**
 * Reason for which the whole state is read again: the history is lost, or watches from it repeatedly fail
 * (`expired`), the server is behind the last version (`ahead`), a response cannot be parsed (`malformed`),
 * the resource does not exist (`absent`), or watches are rejected (`refused`).
 */
export type RelistReason = 'expired' | 'ahead' | 'malformed' | 'absent' | 'refused';

/** A watch streams the state. */
export interface Initial {
  readonly name: 'initial';
  readonly openedAt: number | undefined;
}

/** The state is being listed. */
export interface Listing {
  readonly name: 'list';
  /** Request of the first page. */
  readonly first: ListParams;
  /** Request of the present page. */
  readonly goal: Extract<Action, { readonly type: 'list' }>;
  /** Version of the first page, which applies to all pages. */
  readonly resourceVersion: string | undefined;
}

/** The state is complete, and changes are watched. */
export interface Following {
  readonly name: 'follow';
  readonly stream: StreamHistory | undefined;
}

export interface ReflectorState {
  readonly phase: Initial | Listing | Following;
  /** Last version; `undefined` at the start, empty after the resource was removed. */
  readonly resourceVersion: string | undefined;
  /** Whether the server does not know that version, so that the newest state is requested. */
  readonly unavailable: boolean;
  /** Last version whose history was lost. */
  readonly expired: string | undefined;
  /** Whether the server has paged a list at version `0`: then it has no watch cache, so lists stay paged. */
  readonly paginates: boolean;
  /** Failed attempts to stream the state in this round. */
  readonly streamFailures: number;
  /** Backoff of failed requests, which a success resets. */
  readonly backoff: Backoff | undefined;
  /** Backoff of rounds. Only time resets it, as a successful round may be one of many in quick succession. */
  readonly rounds: Backoff | undefined;
  /** Number of consecutive failures. */
  readonly attempts: number;
  /** Number of consecutive responses that the resource does not exist. */
  readonly notFoundCount: number;
  /** Number of consecutive rejected watches, except for those without valid credentials. */
  readonly refusals: number;
  /** Number of watches since the last version that were opened and then sent nothing but an error. */
  readonly emptyFailures: number;
  readonly afterWait: AfterWait;
  readonly streaming: boolean;
  readonly timing: Timing;
}

/** Action after a delay: the same request again, a list of the state, or a new round. */
export type AfterWait = 'again' | 'list' | 'round';

export interface ReflectorConditions {
  /** Whether the server may stream the state (`sendInitialEvents`). Default: true. */
  readonly streaming?: boolean | undefined;
  /** Minimum version of the first state. Default: any version that the server has. */
  readonly resourceVersion?: string | undefined;
  /** Default: the default policy. */
  readonly timing?: Timing | undefined;
}

export type ReflectorStep<O> = Step<ReflectorState, ReflectorOutput<O>>;
