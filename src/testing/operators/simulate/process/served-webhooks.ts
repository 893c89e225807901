/** Webhooks of the processes of an operator, which the server in memory calls as values. */
import { isObject, type Json, type JsonObject, text } from '@kgen/schema/values/json';
import { readJson, writeJson } from '@kgen/schema/values/wire';
import { WebhookCallError, WebhookClient } from '@kgen/testserver/internal/webhooks/client';
import type { ServedReviews } from '../../../values/served-reviews.ts';

interface Served {
  readonly reviews: ServedReviews;
  /** Aborts when the process no longer serves. */
  readonly ended: AbortController;
}

/** Time between the abort of a handler and the time limit of the server, in milliseconds. */
const marginMs = 500;

/**
 * Calls the webhooks that processes serve, by the path of their configuration: behind any service, or at any
 * URL. Replicas take turns. Without a process that serves the path, the call fails, and `failurePolicy`
 * decides.
 */
export class ServedWebhooks extends WebhookClient {
  readonly #time: { timer(ms: number, callback: () => void): () => void };
  readonly #served = new Set<Served>();
  #calls = 0;
  #areUsed = false;

  constructor(time: { timer(ms: number, callback: () => void): () => void }) {
    super();
    this.#time = time;
  }

  /** Whether a process of the operator has served webhooks. */
  get areUsed(): boolean {
    return this.#areUsed;
  }

  /** Adds the webhooks of a process of the operator. Returns the function that ends them. */
  serve(reviews: ServedReviews): () => void {
    this.#areUsed = true;
    return this.add(reviews);
  }

  /** Adds webhooks. Returns the function that ends them. */
  add(reviews: ServedReviews): () => void {
    const served = { reviews, ended: new AbortController() };
    this.#served.add(served);
    return () => {
      this.#served.delete(served);
      served.ended.abort();
    };
  }

  override async call(config: Json, review: JsonObject, timeoutSeconds: number): Promise<JsonObject> {
    const url = urlOf(config);
    const path = URL.canParse(url) ? new URL(url).pathname : '';
    const failed = (why: string): WebhookCallError =>
      new WebhookCallError(`Post "${url}?timeout=${timeoutSeconds}s": ${why}`);
    const serving = [...this.#served].filter(({ reviews }) => reviews.paths.includes(path));
    const chosen = serving[this.#calls % serving.length];
    this.#calls += 1;
    if (chosen === undefined) throw failed('dial tcp: connect: connection refused');
    const { status, body } = await this.#respond(chosen, { path, review, timeoutSeconds, failed });
    const response = parsed(body);
    if (status !== 200) throw failed(`the webhook responded with status ${status}: ${body}`);
    if (response === undefined) throw failed('the response is not a review');
    return response;
  }

  /** Rejects if the process ends meanwhile, or after the time limit. */
  #respond({ reviews, ended }: Served, { path, review, timeoutSeconds, failed }: Call) {
    return new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
      const deadline = new AbortController();
      const limitMs = timeoutSeconds * 1000;
      const cancels = [
        this.#time.timer(limitMs - marginMs, () => deadline.abort(failed('context deadline exceeded'))),
        this.#time.timer(limitMs, () => end(() => reject(failed('context deadline exceeded')))),
      ];
      const close = (): void => end(() => reject(failed('EOF')));
      const end = (settle: () => void): void => {
        for (const cancel of cancels) cancel();
        ended.signal.removeEventListener('abort', close);
        settle();
      };
      ended.signal.addEventListener('abort', close);
      reviews.respond(path, Buffer.from(writeJson(review)), { signal: deadline.signal }).then(
        (response) => end(() => resolve(response)),
        (error: unknown) => end(() => reject(error)),
      );
    });
  }
}

interface Call {
  readonly path: string;
  readonly review: JsonObject;
  readonly timeoutSeconds: number;
  readonly failed: (why: string) => WebhookCallError;
}

/** Returns the address of a `clientConfig`. */
function urlOf(config: Json): string {
  const url = text(config, 'url');
  if (url !== '') return url;
  const [namespace, name] = [text(config, 'service', 'namespace'), text(config, 'service', 'name')];
  return `https://${name}.${namespace}.svc:443${text(config, 'service', 'path') || '/'}`;
}

function parsed(body: string): JsonObject | undefined {
  try {
    const value = readJson(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Reported by the caller.
  }
}
