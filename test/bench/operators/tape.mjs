// Transports that record the responses of a server, and that replay them without a network. A replay costs
// the same processor time on a busy machine: it shows differences that runs on a server hide.
import { readFileSync, writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';

/**
 * Returns a transport that sends requests and records their responses. `save(file)` writes them: of a watch,
 * what it received before the first write, and later events by their objects, whose names are `foo-` and a
 * number.
 */
export async function recorder({ server, tls: { ca, cert, key } }) {
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({ connections: 16, connect: { ca, cert, key } });
  const [responses, watches] = [new Map(), new Map()];
  let isWritten = false;
  const transport = async ({ method, path, query, headers, body, signal, stream = false }) => {
    const url = new URL(path, server);
    for (const [name, value] of query) url.searchParams.append(name, value);
    isWritten ||= method !== 'GET' && !path.startsWith('/apis/authorization.k8s.io/');
    const response = await request(url, { dispatcher, method, headers, body, signal });
    const of = { status: response.statusCode, headers: response.headers };
    if (stream) {
      const watch = { ...of, initial: [], changes: [] };
      watches.set(path, watch);
      const record = (chunk) => (isWritten ? watch.changes : watch.initial).push(chunk);
      return { ...of, body: passed(response.body, record), cancel: () => response.body.destroy() };
    }
    const bytes = new Uint8Array(await response.body.arrayBuffer());
    const name = `${method} ${path}`;
    responses.set(name, [...(responses.get(name) ?? []), { ...of, bytes }]);
    return { ...of, body: iterable([bytes]), cancel: () => undefined };
  };
  const save = (file) => {
    const events = [...watches].map(([path, { status, headers, initial, changes }]) => {
      const frames = byName(framesOf(Buffer.concat(changes), headers));
      return [path, { status, headers, initial: new Uint8Array(Buffer.concat(initial)), frames }];
    });
    writeFileSync(file, serialize({ responses, watches: new Map(events) }));
  };
  return { transport, save };
}

/** Returns a transport that replays a file: the events of an object follow the responses to its writes. */
export function replayer(file) {
  const { responses, watches } = deserialize(readFileSync(file));
  const open = new Map();
  const written = new Map();
  return async ({ method, path, signal, stream = false }) => {
    await turn();
    if (stream) {
      const { status, headers, initial } = found(watches, path);
      const queue = new Frames(signal);
      queue.push(initial);
      open.set(path, queue);
      return { status, headers, body: queue, cancel: () => queue.end() };
    }
    const name = `${method} ${path}`;
    const at = written.get(name) ?? 0;
    const all = found(responses, name);
    written.set(name, at + 1);
    const { status, headers, bytes } = all[Math.min(at, all.length - 1)];
    if (method !== 'GET') setImmediate(() => release(path));
    return { status, headers, body: iterable([bytes]), cancel: () => undefined };
  };

  function release(path) {
    const [, collection, object] = /^(.*)\/(foo-\d+)(\/status)?$/.exec(path) ?? [];
    const frames = watches.get(collection)?.frames.get(object);
    const frame = frames?.shift();
    if (frame !== undefined) open.get(collection)?.push(frame);
  }
}

function found(map, name) {
  const value = map.get(name);
  if (value === undefined) throw new Error(`the tape has no response to ${name}`);
  return value;
}

async function* passed(body, record) {
  for await (const chunk of body) {
    record(chunk);
    yield chunk;
  }
}

async function* iterable(chunks) {
  yield* chunks;
}

/** Splits a watch: lines of JSON, or protobuf messages after their lengths. */
function framesOf(bytes, headers) {
  const frames = [];
  const isProtobuf = headers['content-type']?.includes('protobuf');
  for (let from = 0; from < bytes.length; ) {
    const end = isProtobuf ? from + 4 + bytes.readUInt32BE(from) : bytes.indexOf('\n', from) + 1;
    if (end === 0) break;
    frames.push(new Uint8Array(bytes.subarray(from, end)));
    from = end;
  }
  return frames;
}

function byName(frames) {
  const groups = new Map();
  for (const frame of frames) {
    const name = /foo-\d+/.exec(Buffer.from(frame).toString('latin1'))?.[0];
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), frame]);
  }
  return groups;
}

/** Frames of a watch, in the order of their release. */
class Frames {
  #waiting = [];
  #wake;
  #isOver = false;

  constructor(signal) {
    signal?.addEventListener('abort', () => this.end(), { once: true });
  }

  push(frame) {
    this.#waiting.push(frame);
    this.#wake?.();
  }

  end() {
    this.#isOver = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator]() {
    while (!this.#isOver) {
      const frames = this.#waiting;
      this.#waiting = [];
      if (frames.length > 0) yield Buffer.concat(frames);
      else await new Promise((resolve) => (this.#wake = resolve));
    }
  }
}
