/**
 * Observes the requests that runs send by `fetch`. The global function is replaced while a manager records;
 * calls outside of runs pass through.
 */

import { currentRun, type FetchEvent, type RunFetch } from './run-scope.ts';

type Fetch = typeof fetch;

/** A function in place of `fetch`. */
interface Substitute {
  readonly real: Fetch;
  users: number;
}

/** Substitutes that programs may still hold, too. */
const substitutes = new WeakMap<Fetch, Substitute>();

/** Observes the requests of runs by the global `fetch`. Returns the function that ends it. */
export function observeFetch(): () => void {
  const { fetch: present } = globalThis;
  const installed = substitutes.has(present) ? present : substituteOf(present);
  globalThis.fetch = installed;
  change(installed, 1);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    change(installed, -1);
  };
}

/** The last user restores the function, unless another one has replaced it since. */
function change(installed: Fetch, difference: number): void {
  const substitute = substitutes.get(installed);
  if (substitute === undefined) return;
  substitute.users += difference;
  if (substitute.users === 0 && globalThis.fetch === installed) globalThis.fetch = substitute.real;
}

function substituteOf(real: Fetch): Fetch {
  const substitute: Fetch = async (input, init) => {
    const notify = currentRun()?.fetching(() => callOf(input, init));
    if (notify === undefined) return real(input, init);
    try {
      const response = await real(input, init);
      notify({ type: 'response', response });
      return observed(response, notify);
    } catch (error) {
      notify({ type: 'error', error });
      throw error;
    }
  };
  substitutes.set(substitute, { real, users: 0 });
  return substitute;
}

/** @throws {TypeError} as `fetch` does for an address or headers that are invalid */
function callOf(input: Parameters<Fetch>[0], init: RequestInit = {}): RunFetch {
  const request = input instanceof Request ? input : undefined;
  const { method = request?.method ?? 'GET', headers = request?.headers, body = request?.body } = init;
  return {
    method: standardMethods.has(method.toUpperCase()) ? method.toUpperCase() : method,
    url: new URL(request?.url ?? String(input)),
    headers: new Headers(headers),
    body: body === undefined || body === null ? undefined : textOf(body),
  };
}

/** Methods whose case does not matter. */
const standardMethods: ReadonlySet<string> = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);

function textOf(body: NonNullable<RequestInit['body']>): string {
  return typeof body === 'string' || body instanceof URLSearchParams ? String(body) : '(binary)';
}

/**
 * Returns a response whose body is observed as the program reads it, neither earlier nor faster. Responses
 * without a body, and those of other implementations, are returned as they are.
 */
function observed(response: Response, notify: (event: FetchEvent) => void): Response {
  if (!(response instanceof Response) || response.body === null || response.bodyUsed) return response;
  try {
    const { status, statusText, headers } = response;
    const copy = new Response(observedBody(response, notify), { status, statusText, headers });
    return withIdentity(copy, response);
  } catch {
    // A status outside of the standard.
    return response;
  }
}

/** Returns a response with the members of another one that its constructor does not accept. */
function withIdentity(copy: Response, original: Response): Response {
  const { url, redirected, type } = original;
  const clone = copy.clone.bind(copy);
  return Object.defineProperties(copy, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
    clone: { value: () => withIdentity(clone(), original) },
  });
}

/** Refers to the response, which Node.js would end if it were collected. */
function observedBody(response: Response, notify: (event: FetchEvent) => void): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const end = (error?: unknown): void => notify({ type: 'end', ...(error !== undefined && { error }) });
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      reader ??= response.body?.getReader();
      try {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) {
          end();
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        notify({ type: 'chunk', bytes: value });
        // The stream takes the memory of the chunk.
        controller.enqueue(value);
      } catch (error) {
        end(error);
        throw error;
      }
    },
    async cancel(reason) {
      end();
      await (reader ?? response.body)?.cancel(reason);
    },
  });
}
