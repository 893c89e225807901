/** A kind with a hand-written codec, and transports with protobuf responses. */

import {
  enveloped,
  field,
  listBytes,
  message,
  metadataBytes,
  varint,
} from '../../../test/support/runtime/protobuf-bytes.ts';
import type { ProtobufModule } from '../api/resource.ts';
import { crud, type ResourceFacts } from '../api/resource.ts';
import type { APIRequest, APIResponse } from '../api/transport.ts';
import { readObjectMeta, writeObjectMeta } from '../protobuf/meta/object-meta.ts';
import type { KindCodec, Message } from '../protobuf/types.ts';
import type { Reader } from '../protobuf/wire/reader.ts';
import type { Writer } from '../protobuf/wire/writer.ts';
import { RESTClient } from '../rest/client.ts';
import type { RESTClientOptions } from '../rest/client-options.ts';
import type { ServerWarning } from '../rest/layers/warnings.ts';
import { encodeQuery } from '../rest/request/query.ts';

const fields = '1 metadata,2 data';

function read(r: Reader, end: number): Message {
  r.enter(fields);
  let metadata: unknown;
  let data: Message | undefined;
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 10) metadata = readObjectMeta(r, r.end());
    else if (tag === 18) data = r.stringMap(data);
    else r.unknown(tag);
  }
  const m: Message = { metadata: metadata ?? readObjectMeta(r, r.pos), ...(data !== undefined && { data }) };
  r.leave(end, m);
  return m;
}

function write(w: Writer, m: Message): number {
  w.enter(fields, m);
  return w.stringMap(18, m['data']) + w.message(10, m['metadata'], writeObjectMeta);
}

const codec: KindCodec = { read, write };

/** Codecs of `v1` that the tests need. */
const module: ProtobufModule = {
  codecs: new Map([
    ['ConfigMap', codec],
    ['ConfigMapList', { ...codec, item: codec }],
  ]),
};

const protobuf = 'application/vnd.kubernetes.protobuf';

/** Returns a resource of that kind, and the number of times its codecs were loaded. */
export function configMaps(): { readonly resource: ResourceFacts; readonly loads: () => number } {
  let loads = 0;
  const resource: ResourceFacts = {
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    listKind: 'ConfigMapList',
    plural: 'configmaps',
    singular: 'configmap',
    scope: 'Namespaced',
    verbs: crud,
    builtIn: true,
    protobuf: () => {
      loads += 1;
      return Promise.resolve(module);
    },
  };
  return { resource, loads: () => loads };
}

/** Response of a server. */
export interface ScriptedResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
  readonly retryAfter?: string;
}

/** Object in the messages below. */
export interface Stored {
  readonly name?: string;
  readonly uid?: string;
  readonly data?: Readonly<Record<string, string>>;
  /** A field that is unknown to the codec. */
  readonly brandNew?: string;
}

export function configMapBytes({ name = 'web', uid = 'u1', data = {}, brandNew }: Stored = {}): Buffer {
  const entries = Object.entries(data).map(([key, value]) =>
    field(2, message(field(1, key), field(2, value))),
  );
  const metadata = metadataBytes({ name, namespace: 'shop', uid, resourceVersion: '7' });
  return message(field(1, metadata), ...entries, ...(brandNew === undefined ? [] : [field(99, brandNew)]));
}

/** Returns an object as servers encode it in JSON. */
export function configMapJson({ name = 'web', uid = 'u1', data, brandNew }: Stored = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop', uid, resourceVersion: '7' },
    ...(data !== undefined && { data }),
    ...(brandNew !== undefined && { brandNew }),
  };
}

/** Returns a response with an object in protobuf. */
export function inProtobuf(
  object: Uint8Array,
  kind = 'ConfigMap',
  response: Partial<ScriptedResponse> = {},
): ScriptedResponse {
  return { status: 200, type: protobuf, body: enveloped('v1', kind, object), ...response };
}

/** Returns a response with a list in protobuf. */
export function listInProtobuf(...items: readonly Uint8Array[]): ScriptedResponse {
  return inProtobuf(listBytes('9', items), 'ConfigMapList');
}

/** Returns a response with a value in JSON. */
export function inJson(value: unknown, status = 200): ScriptedResponse {
  return { status, type: 'application/json', body: Buffer.from(JSON.stringify(value)) };
}

/** Returns an error response in protobuf. */
export function refused(status: number, reason: string, text: string): ScriptedResponse {
  const code = message(Buffer.of(6 * 8), varint(status));
  const body = message(field(1, ''), field(2, 'Failure'), field(3, text), field(4, reason), code);
  return inProtobuf(body, 'Status', { status });
}

function formOf(type = ''): string {
  const [first = ''] = type.split(/[;,]/);
  return first.replace(/^application\/(vnd\.kubernetes\.)?/, '');
}

/**
 * Returns a request as one line: method, path, query, first accepted media type, and `<` with the media type
 * of its body.
 */
function lineOf({ method, path, query, headers, body }: APIRequest): string {
  const sent = body === undefined ? '' : ` < ${formOf(headers['content-type'])}`;
  const requested = query.length === 0 ? '' : `?${encodeQuery(query)}`;
  return `${method} ${path}${requested} ${formOf(headers['accept'])}${sent}`;
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  // Two chunks, because code must not rely on receiving a whole body at once.
  yield bytes.subarray(0, 5);
  yield bytes.subarray(5);
}

/** A client, and the requests that it sent. */
export interface TestClient {
  readonly rest: RESTClient;
  readonly requests: APIRequest[];
  readonly lines: () => string[];
  readonly warnings: ServerWarning[];
}

/** Creates a client whose responses are those of a function. */
export function responding(
  response: (request: APIRequest) => ScriptedResponse,
  options: RESTClientOptions = {},
): TestClient {
  const requests: APIRequest[] = [];
  const warnings: ServerWarning[] = [];
  const transport = async (request: APIRequest): Promise<APIResponse> => {
    requests.push(request);
    const { status, type, body, retryAfter } = response(request);
    const headers = { 'content-type': type, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) };
    return { status, headers, body: chunksOf(body), cancel: () => undefined };
  };
  const onWarning = (warning: ServerWarning): unknown => warnings.push(warning);
  const rest = new RESTClient({ server: 'http://unused' }, { transport, onWarning, ...options });
  return { rest, requests, lines: () => requests.map(lineOf), warnings };
}

/** Creates a client that receives these responses in order. */
export function scripted(responses: readonly ScriptedResponse[], options?: RESTClientOptions): TestClient {
  const left = [...responses];
  return responding((request) => {
    const response = left.shift();
    if (response === undefined) throw new Error(`no response is left for ${lineOf(request)}`);
    return response;
  }, options);
}
