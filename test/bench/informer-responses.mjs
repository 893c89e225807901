// Responses like those of a server with many pods of 5 kB, for programs that measure caches. The path begins
// with the mode of the server and its number of pods: /list/50000/api/v1/pods. Lists are paginated if the
// request has a limit, but whole if any resource version is accepted, as from a server's watch cache. A watch
// stays open and receives a bookmark every minute.
// - list: a server that does not stream the initial state
// - stream: a server that streams it
// - events: a server that lists; after GET /go/100000?objects=1000 it sends 100,000 changes of 1,000 pods to
//   its watches. GET /prepare/50000, or /prepare/100000?objects=1000, creates later responses in advance and
//   responds when they are ready.
import { podText } from './informer-pod.mjs';
import { lastVersion, refuseStream, Watchers } from './watchers.mjs';

const perChunk = 20;
const bookmarkMs = 60_000;

const chunks = new Map();

/**
 * Joins several objects to a chunk, in order. Chunks are created once, so that measurements do not include
 * it.
 */
function chunked(name, count, textOf) {
  const key = `${name} ${count}`;
  const known = chunks.get(key);
  if (known !== undefined) return known;
  const made = [];
  for (let index = 0; index < count; index += perChunk) {
    let text = '';
    for (let item = index; item < Math.min(count, index + perChunk); item += 1) text += textOf(item);
    made.push(Buffer.from(text, 'latin1'));
  }
  chunks.set(key, made);
  return made;
}

async function write(response, chunk) {
  if (response.destroyed || response.write(chunk)) return;
  await new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

async function writeAll(response, all) {
  for (const chunk of all) {
    if (response.destroyed) return;
    await write(response, chunk);
  }
}

const eventText = (type, pod) =>
  `{"type":"${type}","object":{"kind":"Pod","apiVersion":"v1",${pod.slice(1)}}\n`;

const items = (count) => chunked('items', count, (index) => `,${podText(index, index + 1)}`);
const additions = (count) =>
  chunked('additions', count, (index) => eventText('ADDED', podText(index, index + 1)));

/** Changes of all pods in turn. */
const changesOf = (objects, count) =>
  chunked(`changes of ${objects}`, count, (index) =>
    eventText('MODIFIED', podText(index % objects, lastVersion + 1 + index)),
  );

function bookmark(version, annotations) {
  const metadata = { resourceVersion: String(version), creationTimestamp: null, ...annotations };
  const object = { kind: 'Pod', apiVersion: 'v1', metadata, spec: { containers: null }, status: {} };
  return `${JSON.stringify({ type: 'BOOKMARK', object })}\n`;
}

async function list(response, count, query) {
  const limit = query.get('resourceVersion') === '0' ? count : Number(query.get('limit') ?? count);
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(count, from + Math.ceil(limit / perChunk) * perChunk);
  const more = to < count ? { continue: String(to), remainingItemCount: count - to } : {};
  const metadata = { resourceVersion: String(lastVersion), ...more };
  const page = items(count).slice(from / perChunk, Math.ceil(to / perChunk));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(`{"kind":"PodList","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"items":[`);
  await writeAll(response, page.length === 0 ? [] : [page[0].subarray(1), ...page.slice(1)]);
  response.end(']}\n');
}

const watchers = new Watchers();

async function watch(response, mode, count, query) {
  const initial = query.get('sendInitialEvents') === 'true';
  if (initial && mode !== 'stream') return refuseStream(response);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  if (initial) {
    await writeAll(response, additions(count));
    const end = { annotations: { 'k8s.io/initial-events-end': 'true' } };
    await write(response, bookmark(lastVersion, end));
  }
  keepOpen(response, query);
  if (mode === 'events') watchers.add(response);
}

function keepOpen(response, query) {
  if (query.get('allowWatchBookmarks') !== 'true') return;
  const timer = setInterval(() => response.write(bookmark(lastVersion, {})), bookmarkMs);
  response.on('close', () => clearInterval(timer));
}

function prepare(response, count, query) {
  const objects = query.get('objects');
  if (objects !== null) changesOf(Number(objects), count);
  else void [items(count), additions(count)];
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}\n');
}

/** Handles a request. */
export async function respond(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'https://server');
  const [, mode, number] = pathname.split('/');
  const count = Number(number);
  if (mode === 'prepare') prepare(response, count, searchParams);
  else if (mode === 'go') {
    const changes = changesOf(Number(searchParams.get('objects')), count);
    await watchers.go(response, (watcher) => writeAll(watcher, changes));
  } else if (searchParams.get('watch') === 'true') await watch(response, mode, count, searchParams);
  else await list(response, count, searchParams);
}
