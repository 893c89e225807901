/** The resource of the schedules in protobuf: a server and a codec, which share no code. */
import type { Transport } from '@kgen/runtime/rest';
import {
  type Codecs,
  listCodec,
  type Message,
  type Reader,
  readObjectMeta,
} from '../../src/runtime/exports/gen/v1-protobuf.ts';
import type { Chance } from './chance.ts';
import { group, kind } from './server/objects.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const newline = 10;

function readSpec(reader: Reader, end: number): Message {
  const spec: Message = {};
  reader.enter('1 size,2 note');
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 0x08) spec['size'] = reader.int64();
    else if (tag === 0x12) spec['note'] = reader.string();
    else reader.unknown(tag);
  }
  reader.leave(end, spec);
  return spec;
}

function readWidget(reader: Reader, end: number, target?: Message): Message {
  const widget: Message = target ?? {};
  reader.enter('1 metadata,2 spec');
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 0x0a) widget['metadata'] = readObjectMeta(reader, reader.end());
    else if (tag === 0x12) widget['spec'] = readSpec(reader, reader.end());
    else reader.unknown(tag);
  }
  reader.leave(end, widget);
  return widget;
}

const write = (): never => {
  throw new Error('no client of the schedules writes');
};
const widget = { read: readWidget, write };

/** Codec of widgets. */
export const codecs: Codecs = new Map([
  [kind, widget],
  [`${kind}List`, listCodec(widget)],
]);

/** Subset of JSON that is encoded. */
interface Json {
  readonly [name: string]: unknown;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) + 128);
  return Buffer.of(...bytes, Number(rest));
}

/** Encodes a string, bytes or a message. Returns nothing for an absent value. */
function field(number: number, value: unknown): Buffer {
  if (typeof value !== 'string' && !Buffer.isBuffer(value)) return Buffer.alloc(0);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function member(json: unknown, name: string): Json {
  const value: unknown = Object(json)[name];
  return Object(value);
}

function entries(number: number, map: Json): Buffer[] {
  return Object.entries(map).map(([key, value]) =>
    field(number, Buffer.concat([field(1, key), field(2, value)])),
  );
}

function metadataOf(json: unknown): Buffer {
  const meta = member(json, 'metadata');
  const { name, namespace, uid, resourceVersion } = meta;
  return Buffer.concat([
    field(1, name),
    field(3, namespace),
    field(5, uid),
    field(6, resourceVersion),
    ...entries(11, member(meta, 'labels')),
    ...entries(12, member(meta, 'annotations')),
    ...(Array.isArray(meta['managedFields']) ? [field(17, field(1, 'kubectl'))] : []),
  ]);
}

function widgetOf(json: unknown): Buffer {
  const { size, note } = member(json, 'spec');
  const spec = Buffer.concat([
    ...(typeof size === 'number' ? [Buffer.of(0x08), varint(size)] : []),
    field(2, note),
  ]);
  return Buffer.concat([field(1, metadataOf(json)), field(2, spec)]);
}

function statusOf(json: Json): Buffer {
  const { status, message, reason, code } = json;
  const details = member(json, 'details');
  const causes = Array.isArray(details['causes']) ? details['causes'] : [];
  const after = details['retryAfterSeconds'];
  return Buffer.concat([
    field(1, ''),
    field(2, status),
    field(3, message),
    field(4, reason),
    field(
      5,
      Buffer.concat([
        ...causes.map((cause) => field(4, Buffer.concat([field(1, cause.reason), field(2, cause.message)]))),
        ...(typeof after === 'number' ? [Buffer.of(0x28), varint(after)] : []),
      ]),
    ),
    ...(typeof code === 'number' ? [Buffer.of(0x30), varint(code)] : []),
  ]);
}

function listBytes(json: Json): Buffer {
  const { resourceVersion, continue: token } = member(json, 'metadata');
  const { items } = json;
  const metadata = Buffer.concat([field(2, resourceVersion), field(3, token)]);
  return Buffer.concat([
    field(1, metadata),
    ...(Array.isArray(items) ? items : []).map((item) => field(2, widgetOf(item))),
  ]);
}

/** Returns an object, a list or a status in its envelope. */
function enveloped(json: Json, more: Buffer = Buffer.alloc(0)): Buffer {
  const isStatus = json['kind'] === 'Status';
  const message = isStatus ? statusOf(json) : 'items' in json ? listBytes(json) : widgetOf(json);
  const type = Buffer.concat([field(1, isStatus ? 'v1' : `${group}/v1`), field(2, json['kind'])]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, Buffer.concat([message, more]))]);
}

function frameOf(event: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

/** Returns a line as a frame. A line that is not the JSON of an event becomes the content of the frame. */
function frameOfLine(line: string): Buffer {
  try {
    const { type, object } = JSON.parse(line);
    return frameOf(Buffer.concat([field(1, type), field(2, field(1, enveloped(object)))]));
  } catch {
    // Malformed data remains malformed.
    return frameOf(Buffer.from(line));
  }
}

/** A bookmark with an unknown field, which clients ignore. */
const newer: Buffer = frameOf(
  Buffer.concat([field(1, 'BOOKMARK'), field(2, field(1, enveloped({ kind }, field(99, 'newer'))))]),
);

async function* framed(body: AsyncIterable<Uint8Array>, chance: Chance): AsyncGenerator<Uint8Array> {
  let open = Buffer.alloc(0);
  for await (const chunk of body) {
    open = Buffer.concat([open, chunk]);
    const end = open.lastIndexOf(newline);
    const lines = end === -1 ? [] : open.toString('utf8', 0, end).split('\n');
    open = open.subarray(end + 1);
    const frames = Buffer.concat(lines.map(frameOfLine));
    const cut = chance.below(frames.length);
    for (const part of [frames.subarray(0, cut), frames.subarray(cut)]) if (part.length > 0) yield part;
    if (open.length === 0 && chance.odds(0.02)) yield newer;
  }
  // Part of a line: part of a frame.
  if (open.length > 0) yield Buffer.of(0, 0, 255, 255, ...open);
}

async function* whole(body: AsyncIterable<Uint8Array>, chance: Chance): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const bytes = text.startsWith('{') && text.endsWith('}') ? enveloped(JSON.parse(text)) : Buffer.from(text);
  const cut = chance.below(bytes.length);
  yield bytes.subarray(0, cut);
  yield bytes.subarray(cut);
}

/** Returns the server with protobuf responses for clients that accept protobuf. */
export function speakingProtobuf(transport: Transport, chance: Chance): Transport {
  return async (request) => {
    const response = await transport(request);
    const json = response.headers['content-type'] === 'application/json';
    if (!json || request.headers['accept']?.includes(protobuf) !== true) return response;
    const watches = response.status === 200 && request.query.some(([name]) => name === 'watch');
    const body = (watches ? framed : whole)(response.body, chance);
    return { ...response, headers: { ...response.headers, 'content-type': protobuf }, body };
  };
}
