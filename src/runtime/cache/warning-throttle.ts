import { messageOf } from '../common/callbacks.ts';
import { classify } from '../watch/machine/failure.ts';
import { isMilestone } from '../watch/retry-warnings.ts';
import type { Listeners } from './handlers/listeners.ts';
import type { InformerErrorContext, InformerEvents } from './informer/informer.ts';
import { objectName } from './informer/rejected-objects.ts';

/** Consecutive failures after which a server counts as unreachable. */
const unreachableAttempts = 5;

/**
 * Selects the failed requests of one source that cause a warning without a listener: each kind once until a
 * request succeeds.
 */
export class WarningThrottle {
  readonly #warned = new Set<'lasting' | 'unreachable'>();

  /**
   * Returns whether a failure causes a warning, and notes it.
   * @param attempt number of consecutive failures, from 1
   */
  isNew(error: unknown, attempt: number): boolean {
    if (attempt === 1) this.#warned.clear();
    const kind = warningKind(error, attempt);
    if (kind === undefined || this.#warned.has(kind)) return false;
    this.#warned.add(kind);
    return true;
  }
}

/**
 * Returns `lasting` for failures that need a user: a missing permission or CRD, or an invalid configuration.
 */
function warningKind(error: unknown, attempt: number): 'lasting' | 'unreachable' | undefined {
  if (['refused', 'absent', 'closed', 'broken'].includes(classify(error))) return 'lasting';
  return attempt >= unreachableAttempts ? 'unreachable' : undefined;
}

/** Calls the listeners of an informer, and those of all informers. */
export class Reporter {
  readonly #name: string;
  readonly #listeners: Listeners<InformerEvents>;
  readonly #forward: Listeners<InformerEvents> | undefined;
  /** Number of errors without a listener, by origin. */
  readonly #unhandled = new Map<InformerErrorContext['during'], number>();

  constructor(name: string, listeners: Listeners<InformerEvents>, forward?: Listeners<InformerEvents>) {
    this.#name = name;
    this.#listeners = listeners;
    this.#forward = forward;
  }

  /**
   * Emits an error. Without a listener it becomes a process warning. Errors of single objects are limited to
   * the 1st, the 10th, the 100th and so on, as there may be as many as objects.
   * @param lasting whether the error is persistent; others cause no warning
   */
  error(error: unknown, context: Omit<InformerErrorContext, 'informer'>, lasting = true): void {
    const handled = this.#emit('error', error, { informer: this.#name, ...context });
    if (handled || !lasting) return;
    const { during, object = {} } = context;
    const count = during === 'request' ? 1 : this.#count(during);
    if (!isMilestone(count)) return;
    const what = [during, objectName(object)].filter((word) => word !== '').join(' of ');
    const more = count === 1 ? '' : ` (${count} so far; on('error') receives each)`;
    process.emitWarning(`informer for ${this.#name}: ${what}: ${messageOf(error)}${more}`, 'InformerWarning');
  }

  relist(reason: InformerEvents['relist'][0]['reason']): void {
    this.#emit('relist', { informer: this.#name, reason });
  }

  #count(during: InformerErrorContext['during']): number {
    const count = (this.#unhandled.get(during) ?? 0) + 1;
    this.#unhandled.set(during, count);
    return count;
  }

  #emit<E extends keyof InformerEvents>(event: E, ...args: InformerEvents[E]): boolean {
    const handled = this.#listeners.emit(event, ...args);
    return this.#forward?.emit(event, ...args) === true || handled;
  }
}
