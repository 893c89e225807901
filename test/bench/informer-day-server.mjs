// A server without a network: a constant number of objects that change, are deleted and created, and a
// history of limited length from which watches resume. Its memory does not grow, so growth is the informer's.

const logLength = 8192;
const pageLength = 500;
const encoder = new TextEncoder();
const json = { 'content-type': 'application/json' };

/** Writable stream of a response, which can be closed or fail. */
class Body {
  #chunks = [];
  #end;
  #wake;
  /** Discards written data. */
  hangs = false;
  /** All data has been read. */
  get idle() {
    return this.#chunks.length === 0 && (this.#end === undefined || this.#wake === undefined);
  }

  write(text) {
    if (this.hangs || this.#end !== undefined) return;
    this.#chunks.push(encoder.encode(text));
    this.#wake?.();
  }

  end(error) {
    this.#end ??= { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#chunks.length > 0) yield this.#chunks.shift();
      if (this.#end?.error !== undefined) throw this.#end.error;
      if (this.#end !== undefined) return;
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}

function response(status, body) {
  const cancel = () => body.end();
  return { status, headers: json, body, cancel };
}

function reply(status, value, headers = {}) {
  const bytes = encoder.encode(typeof value === 'string' ? value : JSON.stringify(value));
  const body = (async function* () {
    yield bytes;
  })();
  return { status, headers: { ...json, ...headers }, body, cancel: () => undefined };
}

/** Returns an error response as servers send it. */
export function failure(code, reason, headers) {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: reason, reason, code };
  return { status, headers, code };
}

const pad = (number, length) => String(number).padStart(length, '0');

/** Returns the JSON of one state of an object. */
function textOf({ slot, generation, changes, version }) {
  const metadata = {
    name: `item-${slot}-${generation}`,
    namespace: `team-${slot % 20}`,
    uid: `00000000-0000-4000-8000-${pad(slot, 6)}${pad(generation, 6)}`,
    resourceVersion: String(version),
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: `app-${slot % 100}`, revision: `revision-${generation}-${changes}` },
    managedFields: [{ manager: 'bench', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:data': {} } }],
  };
  const data = {
    checksum: `sum-${pad(version, 32)}`,
    owner: `owner of application ${slot % 100}`,
    state: changes % 2 === 0 ? 'Running' : 'Pending',
  };
  return JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data });
}

const eventText = ({ type, ...state }) => `{"type":"${type}","object":${textOf(state)}}\n`;

export class SimulatedServer {
  #states;
  #log = [];
  #streams = new Set();
  #version = 1000;
  #oldest = 1000;
  #transportError;
  /** Failures of the next requests: a `failure`, or an error of the transport. */
  failures = [];
  /** Whether the initial state is streamed on request. */
  streams = true;
  requests = 0;

  constructor(objects, transportError) {
    this.#transportError = transportError;
    this.#states = Array.from({ length: objects }, (_, slot) => ({
      slot,
      generation: 0,
      changes: 0,
      version: ++this.#version,
    }));
  }

  /** All sent data has been read. */
  get idle() {
    return [...this.#streams].every((stream) => stream.idle);
  }

  /** Returns name and version of every object. */
  versions() {
    return this.#states.map(({ slot, generation, version }) => [
      `item-${slot}-${generation}`,
      String(version),
    ]);
  }

  /** Changes one object; one in ten is deleted and replaced by a new one. */
  change(slot, replaced) {
    const state = this.#states[slot];
    if (!replaced) return this.#record(slot, 'MODIFIED', { ...state, changes: state.changes + 1 });
    const gone = this.#record(slot, 'DELETED', state);
    const next = { slot, generation: state.generation + 1, changes: 0 };
    return gone + this.#record(slot, 'ADDED', next);
  }

  #record(slot, type, state) {
    const event = { type, ...state, version: ++this.#version };
    const { type: _, ...now } = event;
    this.#states[slot] = now;
    this.#log.push(event);
    if (this.#log.length >= 2 * logLength) this.#log.splice(0, logLength);
    return eventText(event);
  }

  /** Sends data to all watches. */
  send(text) {
    for (const stream of this.#streams) stream.write(text);
  }

  bookmark(annotations) {
    const metadata = { resourceVersion: String(this.#version), ...(annotations && { annotations }) };
    return `${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata } })}\n`;
  }

  /** Sends the last events again. */
  repeat(count) {
    this.send(this.#log.slice(-count).map(eventText).join(''));
  }

  hang() {
    for (const stream of this.#streams) stream.hangs = true;
  }

  /** Closes all streams, with or without an error. */
  end(error) {
    for (const stream of this.#streams) stream.end(error);
    this.#streams.clear();
  }

  /** Deletes the history. */
  compact() {
    this.#oldest = this.#version;
  }

  broken(message) {
    return new this.#transportError(message, { verb: 'watch', resource: 'configmaps' });
  }

  /** Transport of a client. */
  transport = async ({ query, signal }) => {
    this.requests += 1;
    const failing = this.failures.shift();
    if (failing instanceof Error) throw failing;
    if (failing !== undefined) return reply(failing.code, failing.status, failing.headers);
    const parameters = new Map(query);
    return parameters.get('watch') === undefined ? this.#list(parameters) : this.#watch(parameters, signal);
  };

  #list(parameters) {
    const from = Number(parameters.get('continue') ?? 0);
    const to = from + (parameters.has('limit') ? pageLength : this.#states.length);
    const more = to < this.#states.length ? { continue: String(to) } : {};
    const metadata = JSON.stringify({ resourceVersion: String(this.#version), ...more });
    const items = this.#states.slice(from, to).map(textOf).join(',');
    return reply(200, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":${metadata},"items":[${items}]}`);
  }

  #watch(parameters, signal) {
    const initial = parameters.get('sendInitialEvents') === 'true';
    if (initial && !this.streams) return reply(422, failure(422, 'Invalid').status);
    const since = Number(parameters.get('resourceVersion') ?? 0);
    const known = this.#log[0]?.version ?? this.#version;
    if (!initial && since < Math.max(this.#oldest, known - 1))
      return reply(410, failure(410, 'Expired').status);
    const body = new Body();
    this.#streams.add(body);
    signal?.addEventListener('abort', () => {
      body.end(signal.reason);
      this.#streams.delete(body);
    });
    if (initial) {
      for (const state of this.#states) body.write(eventText({ type: 'ADDED', ...state }));
      body.write(this.bookmark({ 'k8s.io/initial-events-end': 'true' }));
    } else {
      body.write(
        this.#log
          .filter(({ version }) => version > since)
          .map(eventText)
          .join('') || this.bookmark(),
      );
    }
    return response(200, body);
  }
}
