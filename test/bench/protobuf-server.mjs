// An HTTPS server of prepared pods, in the requested encoding (JSON or protobuf), for programs that measure
// lists and watches. The path begins with the number of pods. GET /prepare?count=1000&pods=<folder> reads
// them. A watch stays open; GET /go?changes=20000 sends 20,000 changes to it, of all pods in turn, each with
// a new version. Reads the certificate from its first argument's folder; prints its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { lastVersion, refuseStream, sendChanges, Watchers } from './watchers.mjs';

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

const watchers = new Watchers();

function watch(response, encoding, events, query) {
  if (query.get('sendInitialEvents') === 'true') {
    refuseStream(response);
    return;
  }
  const type = encoding === 'json' ? 'application/json' : `${protobuf};stream=watch`;
  response.writeHead(200, { 'content-type': type });
  response.flushHeaders();
  watchers.add(response, events);
}

async function reply(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'https://server');
  const [, first] = pathname.split('/');
  if (first === 'prepare') {
    prepared.set(searchParams.get('count'), prepare(searchParams.get('pods')));
    response.end('{}');
  } else if (first === 'go') {
    const changes = Number(searchParams.get('changes'));
    await watchers.go(response, (watcher, events) => sendChanges(watcher, events, changes));
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
const server = createServer(certificate, reply);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
