// An HTTPS server of prepared pods, in the requested encoding (JSON or protobuf), for programs that measure
// lists and watches. The path begins with the number of pods. GET /prepare?count=1000&pods=<folder> reads
// them. A watch stays open; GET /go?changes=20000 sends 20,000 changes to it, of all pods in turn, each with
// a new version. Reads the certificate from its first argument's folder; prints its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

const perChunk = 20;
const lastVersion = 1_000_000;
const protobuf = 'application/vnd.kubernetes.protobuf';

/** Responses of each folder, by the number of pods. */
const prepared = new Map();

function prepare(folder) {
  const read = (name) => readFileSync(join(folder, name));
  const lists = { json: read('list.json'), protobuf: read('list.pb') };
  const events = { json: textEvents(lists.json), protobuf: frames(read('modified.pb')) };
  return { lists, events };
}

/** Returns events, and the offset of the version in each. */
function textEvents(list) {
  const version = `"resourceVersion":"${lastVersion}"`;
  return JSON.parse(list.toString()).items.map((pod) => {
    const object = { kind: 'Pod', apiVersion: 'v1', ...pod };
    const event = Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
    return { event, at: event.indexOf(version) + version.indexOf(String(lastVersion)) };
  });
}

function frames(all) {
  const found = [];
  // Field 6, seven bytes.
  const version = Buffer.from(`\x32\x07${lastVersion}`);
  for (let start = 0; start < all.length; ) {
    const end = start + 4 + all.readUInt32BE(start);
    const event = all.subarray(start, end);
    found.push({ event, at: event.indexOf(version) + 2 });
    start = end;
  }
  return found;
}

/** Watches that wait for changes, with the events to send. */
const watchers = new Map();
let changed = () => undefined;

async function send(response, events, changes) {
  for (let index = 0; index < changes; index += perChunk) {
    const all = Array.from({ length: Math.min(perChunk, changes - index) }, (_, change) => {
      const { event, at } = events[(index + change) % events.length];
      const own = Buffer.from(event);
      own.write(String(lastVersion + 1 + index + change), at, 'latin1');
      return own;
    });
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(Buffer.concat(all), resolve));
  }
}

async function go(response, changes) {
  while (watchers.size === 0) await new Promise((resolve) => (changed = resolve));
  response.end('{}');
  for (const [watcher, events] of watchers) void send(watcher, events, changes);
  watchers.clear();
}

const notStreamed = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'Invalid',
  message: 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch',
  code: 422,
};

function watch(response, encoding, events, query) {
  if (query.get('sendInitialEvents') === 'true') {
    response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify(notStreamed));
    return;
  }
  const type = encoding === 'json' ? 'application/json' : `${protobuf};stream=watch`;
  response.writeHead(200, { 'content-type': type });
  response.flushHeaders();
  watchers.set(response, events);
  response.on('close', () => watchers.delete(response));
  changed();
}

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'https://server');
  const [, first] = pathname.split('/');
  if (first === 'prepare') {
    prepared.set(searchParams.get('count'), prepare(searchParams.get('pods')));
    response.end('{}');
  } else if (first === 'go') {
    await go(response, Number(searchParams.get('changes')));
  } else {
    const encoding = request.headers.accept.startsWith(protobuf) ? 'protobuf' : 'json';
    const { lists, events } = prepared.get(first);
    if (searchParams.get('watch') === 'true') watch(response, encoding, events[encoding], searchParams);
    else
      response
        .writeHead(200, { 'content-type': encoding === 'json' ? 'application/json' : protobuf })
        .end(lists[encoding]);
  }
}

const folder = process.argv[2];
const certificate = { key: readFileSync(`${folder}/key.pem`), cert: readFileSync(`${folder}/cert.pem`) };
const server = createServer(certificate, answer);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
