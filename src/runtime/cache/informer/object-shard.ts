/** Shards of informers: the objects that are stored, which may change while the informer follows. */

import type { KubernetesObject } from '../../api/meta.ts';
import type { Stored } from '../../api/types.ts';
import type { ListWatch } from '../../watch/source.ts';

/**
 * Part of the objects of a resource that an informer stores: the objects that one replica of a ring
 * reconciles.
 */
export interface ObjectShard {
  /**
   * Present `shardSelector`; `undefined` if the server cannot select the objects. Servers may ignore it, so
   * `includes` is called for every received object.
   */
  readonly selector: string | undefined;
  /** Returns whether an object belongs to the shard now. Must not throw. */
  includes(object: Stored<KubernetesObject>): boolean;
  /**
   * Adds a listener for changes of the shard. Its promise resolves when the cache contains the new objects
   * and no others. Returns a function that removes it.
   */
  onChange(listener: () => Promise<void>): () => void;
}

/**
 * Rounds of a part of an informer with a shard: each change of the shard ends the present round, and begins a
 * new one.
 */
export class ShardRounds {
  /** Ends the present round. */
  #restart: AbortController | undefined;
  /** Functions that settle the changes whose round is not complete. */
  readonly #changes: (() => void)[] = [];

  /** Runs rounds until `signal` aborts. Rejects as soon as a round does. */
  async run(
    shard: ObjectShard,
    signal: AbortSignal,
    round: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const release = shard.onChange(() => this.#changed(signal));
    try {
      while (!signal.aborted) await this.#play(signal, round);
    } finally {
      release();
    }
  }

  /** Settles the changes so far: the round is complete, or the part has stopped. */
  complete(): void {
    for (const resolve of this.#changes.splice(0)) resolve();
  }

  #changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    this.#restart?.abort(new Error('the shard has changed'));
    return new Promise((resolve) => this.#changes.push(resolve));
  }

  async #play(signal: AbortSignal, round: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const restart = new AbortController();
    const stop = (): void => restart.abort(signal.reason);
    this.#restart = restart;
    signal.addEventListener('abort', stop, { once: true });
    try {
      await round(restart.signal);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

/** Returns a source that requests the present objects of a shard. */
export function shardedSource<T>(
  shard: ObjectShard,
  sourceOf: (shardSelector: string | undefined) => ListWatch<T>,
): ListWatch<T> {
  let last = shard.selector;
  let source = sourceOf(last);
  const present = (): ListWatch<T> => {
    const { selector } = shard;
    if (selector !== last) source = sourceOf(selector);
    last = selector;
    return source;
  };
  return {
    closed: source.closed,
    target: source.target,
    list: (params, signal, decoded) => present().list(params, signal, decoded),
    watch: (params, signal) => present().watch(params, signal),
    parseLine: source.parseLine,
  };
}
