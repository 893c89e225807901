/** Listeners of an election. */
import { callSafely, messageOf } from '../../common/callbacks.ts';

/** Details of an acquisition or a renewal of a lease. */
export interface LeaseRenewal {
  /**
   * Time by which the system clock has advanced more than the monotonic one since the previous renewal, in
   * milliseconds: the machine was suspended, or the clock was set. Negative if it was set back. `undefined`
   * for a difference of at most 1 s.
   */
  readonly clockJumpMs: number | undefined;
}

/** Events of a `LeaderElector`, with the arguments of their listeners. */
export interface LeaderElectorEvents {
  /** Emitted when this process begins to lead. */
  readonly leading: [];
  /**
   * Emitted when the lease was acquired or renewed: writes that were refused for `clockJump` are possible
   * again.
   */
  readonly renewed: [renewal: LeaseRenewal];
  /** Emitted when a run has ended, whether this process has led or not. */
  readonly stopped: [];
  /** Emitted when another process or this one becomes the leader, with its identity in the Lease. */
  readonly newLeader: [identity: string];
  /**
   * A request has failed and is retried, or the thread of the election has failed. Default: the 1st
   * consecutive failure, the 10th, the 100th and so on is a process warning (`ElectionWarning`).
   */
  readonly error: [error: unknown];
}

type ListenerSets = {
  readonly [Event in keyof LeaderElectorEvents]: Set<(...args: LeaderElectorEvents[Event]) => void>;
};

/** Name of process warnings of elections. */
export const warningName = 'ElectionWarning';

/** Listeners of one elector, by event. */
export class ElectionListeners {
  readonly #sets: ListenerSets = {
    leading: new Set(),
    renewed: new Set(),
    stopped: new Set(),
    newLeader: new Set(),
    error: new Set(),
  };
  #failures = 0;

  /**
   * Adds a listener. Returns a function that removes it.
   * @throws {TypeError} if the event is unknown, or the listener is not a function
   */
  on<Event extends keyof LeaderElectorEvents>(
    event: Event,
    listener: (...args: LeaderElectorEvents[Event]) => void,
  ): () => void {
    if (!Object.hasOwn(this.#sets, event)) {
      const known = Object.keys(this.#sets).join(', ');
      throw new TypeError(`on: unknown event ${String(event)}, expected ${known}`);
    }
    if (typeof listener !== 'function')
      throw new TypeError(`on: the listener for ${event} is not a function`);
    const listeners = this.#sets[event];
    // A function that is added twice is called twice.
    const own = (...args: LeaderElectorEvents[Event]): void => listener(...args);
    listeners.add(own);
    return () => void listeners.delete(own);
  }

  /** Calls all listeners. Returns false if there are none. */
  emit<Event extends keyof LeaderElectorEvents>(event: Event, ...args: LeaderElectorEvents[Event]): boolean {
    const listeners = [...this.#sets[event]];
    for (const listener of listeners) {
      callSafely(() => listener(...args), `a listener for ${event}`, warningName);
    }
    return listeners.length > 0;
  }

  /** Reports a failure. */
  failed(error: unknown): void {
    this.#failures += 1;
    if (this.emit('error', error) || !Number.isInteger(Math.log10(this.#failures))) return;
    process.emitWarning(`leader election: ${messageOf(error)}`, warningName);
  }

  /** Ends a series of failures. */
  succeeded(): void {
    this.#failures = 0;
  }
}
