/** Driver of a state machine with requests and timers: elections, and other protocols on Leases. */
import type { RuntimeEnvironment } from '../../common/clock.ts';

/** Input that the driver itself creates. */
export type MachineTimerInput =
  /** The delay of the last `wait` has passed. */
  | { readonly type: 'elapsed' }
  /** The deadline of the state has passed. */
  | { readonly type: 'deadline' };

/** Effect that the driver itself performs. */
export type MachineDriverEffect =
  /** Aborts the request in progress; its outcome is ignored. */
  | { readonly type: 'abort' }
  /** Waits for `ms`, and at random for up to `jitterMs` longer. Replaces the previous delay. */
  | { readonly type: 'wait'; readonly ms: number; readonly jitterMs: number };

/** A state machine, and the collaborators of its driver. */
export interface MachineDriverOptions<State, Input, Effect> {
  /** Name of the machine in errors, such as `the election`. */
  readonly name: string;
  readonly initial: State;
  /** Returns the next state and its effects. A pure function; `now` is the monotonic time in milliseconds. */
  readonly step: (
    state: State,
    input: Input | MachineTimerInput,
    now: number,
  ) => { readonly state: State; readonly effects: readonly (Effect | MachineDriverEffect)[] };
  /** Returns the time at which the input `deadline` is due; `undefined` without one. Pure. */
  readonly deadlineOf: (state: State) => number | undefined;
  /** Performs an effect of the machine. May call the driver. Must not throw. */
  readonly perform: (effect: Effect) => void;
  /** Monotonic clock of the machine, in milliseconds. */
  readonly now: () => number;
  /** Timers and random numbers of delays. */
  readonly environment: RuntimeEnvironment;
}

/** Runs one state machine: one input at a time, one request, one delay and one deadline. */
export class MachineDriver<State, Input, Effect> {
  readonly #options: MachineDriverOptions<State, Input, Effect>;
  #state: State;
  /** Inputs that arrived during a step: effects may cause inputs. */
  readonly #inputs: (Input | MachineTimerInput)[] = [];
  #isStepping = false;
  #request: AbortController | undefined;
  #cancelWait: (() => void) | undefined;
  #cancelDeadline: (() => void) | undefined;

  constructor(options: MachineDriverOptions<State, Input, Effect>) {
    this.#options = options;
    this.#state = options.initial;
  }

  /** State after the last input. */
  get state(): State {
    return this.#state;
  }

  /** Processes an input, after those that are in progress. */
  feed(input: Input | MachineTimerInput): void {
    this.#inputs.push(input);
    if (this.#isStepping) return;
    this.#isStepping = true;
    for (let next = this.#inputs.shift(); next !== undefined; next = this.#inputs.shift()) this.#step(next);
    this.#isStepping = false;
    this.#armDeadline();
  }

  /**
   * Sends a request, whose outcome is an input unless the machine aborts the request. The machine sends
   * another one afterwards only. The functions of inputs are called for an outcome that is not ignored, and
   * must not throw.
   */
  send<Result>(
    request: (signal: AbortSignal) => Promise<Result>,
    inputOf: (result: Result) => Input,
    failureOf: (error: unknown) => Input,
  ): void {
    const controller = new AbortController();
    this.#request = controller;
    const settle = (input: () => Input): void => {
      if (this.#request !== controller) return;
      this.#request = undefined;
      this.feed(input());
    };
    // A custom transport may throw synchronously.
    new Promise<Result>((resolve) => resolve(request(controller.signal))).then(
      (result) => settle(() => inputOf(result)),
      (error: unknown) => settle(() => failureOf(error)),
    );
  }

  /** Cancels the delay. For machines that have ended, whose states have no deadline. */
  stop(): void {
    this.#cancelWait?.();
  }

  #step(input: Input | MachineTimerInput): void {
    const { step, now, perform } = this.#options;
    const { state, effects } = step(this.#state, input, now());
    this.#state = state;
    for (const effect of effects) {
      if (!isDriverEffect(effect)) perform(effect);
      else if (effect.type === 'abort') this.#abort();
      else this.#wait(effect.ms + effect.jitterMs * this.#options.environment.random());
    }
  }

  #abort(): void {
    const request = this.#request;
    this.#request = undefined;
    request?.abort(new Error(`${this.#options.name} no longer needs this request`));
  }

  #wait(ms: number): void {
    this.#cancelWait?.();
    this.#cancelWait = this.#options.environment.clock.timer(ms, () => this.feed({ type: 'elapsed' }));
  }

  /** One timer for the deadline of the state. */
  #armDeadline(): void {
    const { deadlineOf, environment, now } = this.#options;
    this.#cancelDeadline?.();
    this.#cancelDeadline = undefined;
    const deadline = deadlineOf(this.#state);
    if (deadline === undefined) return;
    const ms = Math.max(deadline - now(), 1);
    this.#cancelDeadline = environment.clock.timer(ms, () => this.feed({ type: 'deadline' }));
  }
}

function isDriverEffect<Effect>(effect: Effect | MachineDriverEffect): effect is MachineDriverEffect {
  if (typeof effect !== 'object' || effect === null || !('type' in effect)) return false;
  return effect.type === 'abort' || effect.type === 'wait';
}
