/** Requests of users, who repeat those that the webhooks of the operator have not accepted. */

/** The result of a request of a user. */
export interface Outcome {
  readonly code: number;
  /** Reason of a refusal. */
  readonly message: string;
}

/** The field manager of users. */
export const userManager = 'user';

/** Delay before a request is repeated, in milliseconds. */
export const repeatMs = 1_000;

/** Number of times that a request is repeated which a webhook denies. */
const mostRepeats = 30;

type Request = () => Promise<Outcome>;

/** Requests that a user has not sent with success yet, by object. */
export class UserRequests {
  readonly #time: { timer(ms: number, callback: () => void): unknown; advance(ms: number): Promise<void> };
  readonly #waiting = new Map<string, Request[]>();

  constructor(time: {
    timer(ms: number, callback: () => void): unknown;
    advance(ms: number): Promise<void>;
  }) {
    this.#time = time;
  }

  /**
   * Sends the request of a user for an object. It is repeated every second as long as a webhook cannot be
   * called, while time passes, and for 30 seconds, for which this waits, if a webhook denies it: an operator
   * may do so until it has caught up. Later requests for the object follow it, with code 202.
   */
  async send(object: string, request: Request): Promise<Outcome> {
    const waiting = this.#waiting.get(object);
    if (waiting !== undefined) {
      waiting.push(request);
      return { code: 202, message: '' };
    }
    let outcome = await request();
    for (let left = mostRepeats; left > 0 && isDenied(outcome); left -= 1) {
      await this.#time.advance(repeatMs);
      outcome = await request();
    }
    if (!isUnreviewed(outcome)) return outcome;
    this.#waiting.set(object, [request]);
    this.#repeatLater(object, 0);
    return outcome;
  }

  /** Returns whether requests for an object have not been sent with success yet. */
  isWaiting(object: string): boolean {
    return this.#waiting.has(object);
  }

  #repeatLater(object: string, denials: number): void {
    this.#time.timer(repeatMs, () => void this.#repeat(object, denials));
  }

  async #repeat(object: string, denials: number): Promise<void> {
    const waiting = this.#waiting.get(object) ?? [];
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const outcome = await next();
      if (isUnreviewed(outcome)) return this.#repeatLater(object, 0);
      if (isDenied(outcome) && denials < mostRepeats) return this.#repeatLater(object, denials + 1);
      waiting.shift();
    }
    this.#waiting.delete(object);
  }
}

/** Returns the result of a request for a history; empty if it has succeeded. */
export function outcomeText({ code, message }: Outcome): string {
  return code < 400 ? '' : `refused (${code}): ${message}`;
}

/** Returns whether a webhook could not be called: the request is repeated until it can be. */
export function isUnreviewed({ code, message }: Outcome): boolean {
  return code === 500 && message.includes('failed calling webhook');
}

function isDenied({ code, message }: Outcome): boolean {
  return code >= 400 && /^admission webhook "[^"]*" denied the request/u.test(message);
}
