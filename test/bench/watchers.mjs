// Watches of the servers that programs measure: they wait for changes, and do not stream the initial state.

const perChunk = 20;
/** Version of the lists. Each change has the next one. */
export const lastVersion = 1_000_000;

const notStreamed = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'Invalid',
  message: 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch',
  code: 422,
};

/** Responds to a watch that requests the initial state. */
export function refuseStream(response) {
  response.writeHead(422, { 'content-type': 'application/json' }).end(`${JSON.stringify(notStreamed)}\n`);
}

/** Watches that wait for changes, each with a value. */
export class Watchers {
  #waiting = new Map();
  #added = () => undefined;

  add(response, value) {
    this.#waiting.set(response, value);
    response.on('close', () => this.#waiting.delete(response));
    this.#added();
  }

  /** Waits for a watch, ends the response to the request for changes, and calls `send` with each watch. */
  async go(response, send) {
    while (this.#waiting.size === 0) await new Promise((resolve) => (this.#added = resolve));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}\n');
    for (const [watcher, value] of this.#waiting) void send(watcher, value);
    this.#waiting.clear();
  }
}

/** Sends changes to a watch: the events in turn, each with a new version at its offset. */
export async function sendChanges(response, events, changes) {
  for (let index = 0; index < changes; index += perChunk) {
    const chunk = Array.from({ length: Math.min(perChunk, changes - index) }, (_, change) => {
      const { event, at } = events[(index + change) % events.length];
      const own = Buffer.from(event);
      own.write(String(lastVersion + 1 + index + change), at, 'latin1');
      return own;
    });
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(Buffer.concat(chunk), resolve));
  }
}
