/** Sources that several informers with different selections follow with one watch. */
import type { Stored } from '../../api/types.ts';
import { Projection } from '../../codec/projection/projection.ts';
import type { ObjectEvent } from '../../watch/machine/machine-types.ts';
import type { ListWatch, UnreadableItem } from '../../watch/source.ts';
import { Reflector, type ReflectorOptions, type ReflectorSink } from '../reflector/reflector.ts';
import type { ReflectorCounters } from '../reflector/reflector-counters.ts';
import type { RelistReason } from '../reflector/reflector-state.ts';

/** Follower of a source with its selection. */
export interface Follower<T> {
  readonly sink: ReflectorSink<Stored<T>>;
  readonly projection: Projection;
}

/**
 * A source whose objects are decoded with the fields of all followers. A follower that joins a running source
 * causes a new round of it, which brings the whole state with the fields of everyone.
 */
export class SharedSource<T> implements ReflectorSink<Stored<T>> {
  readonly #reflector: Reflector<T>;
  readonly #followers = new Set<Follower<T>>();
  /** Sinks of the present round. */
  #sinks: readonly ReflectorSink<Stored<T>>[] = [];
  #projection: Projection | undefined;
  #round: AbortController | undefined;
  #running: Promise<void> | undefined;

  constructor(source: ListWatch<T>, options: ReflectorOptions) {
    this.#reflector = new Reflector(source, this, options);
  }

  /** Fields with which the objects of the present round are decoded. */
  get projection(): Projection | undefined {
    return this.#projection;
  }

  /** Counters of the requests for all followers. */
  get counters(): ReflectorCounters {
    return this.#reflector.counters;
  }

  /** Whether the objects of the present round have other recipients. */
  get isShared(): boolean {
    return this.#sinks.length > 1;
  }

  /**
   * Follows the source until `signal` aborts; of the last follower, until no request remains. Rejects if the
   * client is closed.
   */
  async run(follower: Follower<T>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const left = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(this.#leave(follower, signal)), { once: true });
    });
    this.#followers.add(follower);
    this.#round?.abort(new Error('another selection is followed'));
    this.#running ??= this.#follow().finally(() => {
      this.#running = undefined;
    });
    await Promise.race([left, this.#running]);
    if (this.#followers.size === 0) await this.#running;
  }

  #leave(follower: Follower<T>, { reason }: AbortSignal): void {
    this.#followers.delete(follower);
    this.#sinks = this.#sinks.filter((sink) => sink !== follower.sink);
    if (this.#followers.size === 0) this.#round?.abort(reason);
  }

  async #follow(): Promise<void> {
    // Informers that are started together follow the same round.
    await Promise.resolve();
    try {
      while (this.#followers.size > 0) await this.#nextRound();
    } finally {
      this.#followers.clear();
      this.#round = undefined;
    }
  }

  async #nextRound(): Promise<void> {
    const followers = [...this.#followers];
    const [first, ...others] = followers.map(({ projection }) => projection);
    this.#projection = first && Projection.union(first, others);
    this.#sinks = followers.map(({ sink }) => sink);
    this.#round = new AbortController();
    await this.#reflector.run(this.#round.signal);
  }

  begin(): void {
    for (const sink of this.#sinks) sink.begin();
  }

  async gather(events: readonly ObjectEvent<Stored<T>>[]): Promise<void> {
    for (const sink of this.#sinks) await sink.gather(events);
  }

  keep(items: readonly UnreadableItem[]): void {
    for (const sink of this.#sinks) sink.keep(items);
  }

  async replace(resourceVersion: string, signal: AbortSignal): Promise<void> {
    for (const sink of this.#sinks) await sink.replace(resourceVersion, signal);
  }

  changes(events: readonly ObjectEvent<Stored<T>>[], resourceVersion: string): void {
    for (const sink of this.#sinks) sink.changes(events, resourceVersion);
  }

  progress(resourceVersion: string): void {
    for (const sink of this.#sinks) sink.progress(resourceVersion);
  }

  failure(error: unknown, attempt: number): void {
    for (const sink of this.#sinks) sink.failure(error, attempt);
  }

  relist(reason: RelistReason): void {
    for (const sink of this.#sinks) sink.relist(reason);
  }
}
