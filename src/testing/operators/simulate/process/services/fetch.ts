/** Requests by `fetch`: advice for addresses without a service, and their signals. */

/** Returns the option of `simulate` with which a request by `fetch` has a response. */
export function adviceFor({ method, url }: Request): string {
  const { host, pathname } = new URL(url);
  const route = `'${method} ${pathname}': (request, items) => …`;
  return `add a service to simulate, services: [simulation.service('${host}', { ${route} })]`;
}

/** Sends a request, unless a signal has aborted. Rejects when it aborts. */
export function untilAborted<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    send()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
