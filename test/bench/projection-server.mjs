// An HTTPS server with many pods: those that kube-apiserver has sent, repeated with other names and uids.
// GET /prepare?pods=<folder> reads the files `json` and `protobuf`, each with the items of one page. The path
// of a list begins with the number of pods. A watch stays open. GET /go?changes=20000 sends changes of the
// pods of the first page in turn to the watch, each with a new version. Reads the certificate from its first
// argument's folder; prints its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { pagePods } from './projection-pods.mjs';
import { envelope, field, fieldsOf, withField } from './projection-wire.mjs';
import { lastVersion, refuseStream, sendChanges, Watchers } from './watchers.mjs';

const protobuf = 'application/vnd.kubernetes.protobuf';
const version = String(lastVersion);

/** Start of the names of pods; the next digits are the number of the page. */
const name = Buffer.from('web-');
const digits = 4;
/** Bytes before a uid. */
const beforeUid = { json: Buffer.from('"uid":"'), protobuf: Buffer.from('*$') };

/** Items of the page by encoding, with the offsets of what differs between pages. */
const pages = {};

/** Events by encoding, with the offset of the version in each. */
const events = {};

function prepareEvents() {
  const object = (pod) => ({ kind: 'Pod', apiVersion: 'v1', ...pod });
  const text = (pod) => `${JSON.stringify({ type: 'MODIFIED', object: object(pod) })}\n`;
  const pods = JSON.parse(`[${itemsOf('json', 0)}]`);
  for (const { metadata } of pods) metadata.resourceVersion = version;
  events.json = pods.map((pod) => Buffer.from(text(pod)));
  events.protobuf = fieldsOf(itemsOf('protobuf', 0)).map(({ value: pod }) => {
    const [metadata] = fieldsOf(pod);
    const content = envelope('v1', 'Pod', withField(pod, 1, withField(metadata.value, 6, version)));
    const event = Buffer.concat([field(1, 'MODIFIED'), field(2, field(1, content))]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(event.length);
    return Buffer.concat([length, event]);
  });
  for (const [encoding, before] of Object.entries({ json: '"resourceVersion":"', protobuf: '2\x07' })) {
    events[encoding] = events[encoding].map((event) => ({
      event,
      at: event.indexOf(`${before}${version}`) + before.length,
    }));
  }
}

const watchers = new Watchers();

function prepare(folder) {
  for (const encoding of Object.keys(beforeUid)) {
    const bytes = readFileSync(join(folder, encoding));
    const isUid = (at) => [8, 13, 18, 23].every((hyphen) => bytes[at + hyphen] === 0x2d);
    pages[encoding] = {
      bytes,
      names: after(bytes, name).filter((at) => bytes.toString('latin1', at, at + digits) === '0000'),
      uids: after(bytes, beforeUid[encoding]).filter(isUid),
    };
  }
  prepareEvents();
}

/** Returns the offsets after each occurrence of a text. */
function after(bytes, text) {
  const found = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1))
    found.push(at + text.length);
  return found;
}

/** Returns the items of a page. */
function itemsOf(encoding, page) {
  const { bytes, names, uids } = pages[encoding];
  const copy = Buffer.from(bytes);
  const number = String(page).padStart(digits, '0');
  for (const at of names) copy.write(number, at, 'latin1');
  for (const at of uids) copy.write(number, at, 'latin1');
  return copy;
}

function listOf(encoding, page, isLast) {
  const items = page === -1 ? Buffer.alloc(0) : itemsOf(encoding, page);
  const next = isLast ? '' : String(page + 1);
  if (encoding === 'json') {
    const metadata = { resourceVersion: version, ...(next !== '' && { continue: next }) };
    const head = `{"kind":"PodList","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"items":[`;
    return Buffer.concat([Buffer.from(head), items, Buffer.from(']}\n')]);
  }
  const metadata = Buffer.concat([field(2, version), field(3, next)]);
  return envelope('v1', 'PodList', Buffer.concat([field(1, metadata), items]));
}

function watch(response, encoding, query) {
  if (query.get('sendInitialEvents') === 'true') {
    refuseStream(response);
    return;
  }
  const type = encoding === 'json' ? 'application/json' : `${protobuf};stream=watch`;
  response.writeHead(200, { 'content-type': type }).flushHeaders();
  watchers.add(response, events[encoding]);
}

function reply(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'https://server');
  const [, first] = pathname.split('/');
  if (first === 'prepare') {
    prepare(searchParams.get('pods'));
    response.end('{}');
    return;
  }
  if (first === 'go') {
    const changes = Number(searchParams.get('changes'));
    void watchers.go(response, (watcher, all) => sendChanges(watcher, all, changes));
    return;
  }
  const encoding = request.headers.accept?.startsWith(protobuf) ? 'protobuf' : 'json';
  const type = encoding === 'json' ? 'application/json' : protobuf;
  if (searchParams.get('watch') === 'true') {
    watch(response, encoding, searchParams);
    return;
  }
  // The first request of a program is small.
  const page = searchParams.get('limit') === '1' ? -1 : Number(searchParams.get('continue') ?? 0);
  const isLast = page === -1 || (page + 1) * pagePods >= Number(first);
  response.writeHead(200, { 'content-type': type }).end(listOf(encoding, page, isLast));
}

const folder = process.argv[2];
const certificate = { key: readFileSync(`${folder}/key.pem`), cert: readFileSync(`${folder}/cert.pem`) };
const server = createServer(certificate, reply);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
