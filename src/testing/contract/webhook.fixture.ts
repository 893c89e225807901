/** Webhooks for the contracts of conversion and admission: an HTTPS server on the loopback interface. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@kgen/certificates/authority';
import { array, at, isObject, type Json, type JsonObject, object, text } from '../../schema/values/json.ts';

/** A running server. */
export interface WebhookServer {
  readonly url: string;
  /** Certificate of its authority in PEM, encoded in base64. */
  readonly caBundle: string;
  stop(): Promise<void>;
}

/** Response of a path: a review, or a status without one. */
type Handler = (request: JsonObject, review: JsonObject) => JsonObject | number;

/** Starts the server. */
export async function startWebhooks(): Promise<WebhookServer> {
  const authority = await createAuthority();
  const { cert, key } = await authority.issueServer('webhook', { names: [], addresses: ['127.0.0.1'] });
  const server = createServer({ cert, key }, (message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      // The API server sends reviews.
      const review = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
      const handler = handlers.get((message.url ?? '').split('?')[0] ?? '');
      const result = handler?.(object(review, 'request'), review) ?? 404;
      if (typeof result === 'number') response.writeHead(result).end('nothing here');
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(result));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A server that listens has a port.
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caBundle: Buffer.from(authority.cert).toString('base64'),
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['/convert', convert((item) => item)],
  ['/convert-fail', respond({ result: { status: 'Failed', message: 'no way' } })],
  ['/convert-none', respond({ convertedObjects: [], result: { status: 'Success' } })],
  ['/convert-kind', convert((item) => ({ ...item, kind: 'Other' }))],
  ['/convert-version', convert((item) => ({ ...item, apiVersion: 'other/v1' }))],
  ['/convert-name', convert((item) => withMetadata(item, { name: 'other' }))],
  ['/convert-uid', (request, review) => respond({ uid: 'other' })(request, review)],
  ['/convert-label', convert((item) => withMetadata(item, { labels: { 'a b': 'c' } }))],
  ['/error', () => 500],
  ['/deny', respond({ allowed: false, status: { message: 'not today' } })],
  ['/deny-code', respond({ allowed: false, status: { code: 403, message: 'forbidden here' } })],
  ['/deny-reason', respond({ allowed: false, status: { reason: 'Conflict' } })],
  ['/deny-nothing', respond({ allowed: false })],
  ['/warn', respond({ allowed: true, warnings: ['from the webhook', 'twice'] })],
  ['/wrong-uid', respond({ uid: 'other', allowed: true })],
  ['/no-response', (_, review) => ({ apiVersion: text(review, 'apiVersion'), kind: text(review, 'kind') })],
  ['/garbage', () => ({ a: 1 })],
  ['/patch-validating', respond(patch({ op: 'add', path: '/spec/size', value: 7 }))],
  ['/mutate', respond(patch({ op: 'add', path: '/spec/size', value: 7 }))],
  ['/mutate-invalid', respond(patch({ op: 'add', path: '/spec/size', value: 70 }))],
  [
    '/mutate-unknown',
    respond(
      patch(
        { op: 'add', path: '/spec/unknown', value: 1 },
        { op: 'add', path: '/metadata/labels', value: { touched: 'yes' } },
      ),
    ),
  ],
  ['/mutate-broken', respond(patch({ op: 'replace', path: '/nowhere/at/all', value: 1 }))],
  ['/patch-no-type', respond({ allowed: true, patch: Buffer.from('[]').toString('base64') })],
  [
    '/count',
    (request, review) => {
      const value = `${text(at(request, 'object', 'spec') ?? {}, 's')}x`;
      return respond(patch({ op: 'add', path: '/spec/s', value }))(request, review);
    },
  ],
  [
    '/echo',
    (request, review) => {
      const { uid: _uid, object: sent, oldObject, userInfo: _user, ...rest } = request;
      const shown = {
        ...rest,
        object: isObject(sent) ? [text(sent, 'kind'), object(sent, 'spec')] : null,
        oldObject: isObject(oldObject) ? [text(oldObject, 'kind'), object(oldObject, 'spec')] : null,
      };
      return respond({ allowed: false, status: { message: JSON.stringify(sorted(shown)) } })(request, review);
    },
  ],
]);

function respond(more: JsonObject): Handler {
  return (request, review) => ({
    apiVersion: text(review, 'apiVersion'),
    kind: text(review, 'kind'),
    response: { uid: text(request, 'uid'), ...more },
  });
}

function patch(...operations: readonly JsonObject[]): JsonObject {
  const encoded = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch: encoded };
}

/** Converts between the fields `size` of v1 and `count` of v2. */
function convert(change: (converted: JsonObject) => Json): Handler {
  return (request, review) => {
    const apiVersion = text(request, 'desiredAPIVersion');
    const convertedObjects = array(request, 'objects').map((item) => {
      const { size, count, ...spec } = object(item, 'spec');
      const value = size ?? count;
      const name = apiVersion.endsWith('v1') ? 'size' : 'count';
      const converted = { ...spec, ...(value === undefined ? {} : { [name]: value }) };
      return change({ ...(isObject(item) ? item : {}), apiVersion, spec: converted });
    });
    return respond({ convertedObjects, result: { status: 'Success' } })(request, review);
  };
}

function withMetadata(item: JsonObject, more: JsonObject): JsonObject {
  return { ...item, metadata: { ...object(item, 'metadata'), ...more } };
}

/** Returns JSON with the members of objects in the order of their names. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}
