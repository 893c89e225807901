/** Server of things that responds in protobuf or JSON, according to the request. */
import { defineResource, type NamespacedResource } from '../../../src/runtime/api/resource.ts';
import type { APIRequest, APIResponse } from '../../../src/runtime/api/transport.ts';
import { ByteStream } from './byte-stream.ts';
import {
  enveloped,
  field,
  frameBytes,
  inPieces,
  listBytes,
  message,
  metadataBytes,
} from './protobuf-bytes.ts';
import { thingBytes, thingCodecs } from './protobuf-things.ts';
import type { Thing } from './scripted-source.ts';
import { things as jsonThings } from './stub-api.ts';

export const things: NamespacedResource<Thing, unknown, unknown> = defineResource({
  ...jsonThings,
  protobuf: async () => ({ codecs: thingCodecs }),
});

const protobuf = 'application/vnd.kubernetes.protobuf';
const apiVersion = 'example.com/v1';

/** Object of the server; `newer` is unknown to every codec. */
export interface ServedThing {
  readonly name: string;
  readonly version: number;
  readonly newer?: string;
  /** Whether the spec is replaced by a malformed message. */
  readonly spoilt?: boolean;
  readonly uid?: string;
  /** Default: the version. */
  readonly size?: number;
}

const metaOf = ({ name, version, uid = `uid of ${name}` }: ServedThing) => ({
  name,
  namespace: 'shop',
  uid,
  resourceVersion: String(version),
});

/** Returns the object as received by clients that remove managedFields. */
export function thingOf(served: ServedThing): object {
  const { version, size = version, newer } = served;
  const { uid, ...meta } = metaOf(served);
  return {
    apiVersion,
    kind: 'Thing',
    metadata: { ...meta, ...(uid !== '' && { uid }) },
    spec: { size },
    ...(newer !== undefined && { newer }),
  };
}

function messageOf(served: ServedThing, partial: boolean): Buffer {
  const meta = { ...metaOf(served), manager: 'kubectl' };
  if (partial) return field(1, metadataBytes(meta));
  if (served.spoilt === true) return message(field(1, metadataBytes(meta)), field(2, Buffer.of(0xff)));
  const newer = served.newer === undefined ? [] : [field(9, served.newer)];
  return message(thingBytes(meta, served.size ?? served.version), ...newer);
}

/** One stream, and its requested format. */
interface Stream {
  readonly bytes: ByteStream;
  readonly frames: boolean;
  readonly partial: boolean;
}

export class ProtobufServer {
  /** Every request with the format of its response: `list limit=500 -> protobuf`. */
  readonly requests: string[] = [];
  readonly things: ServedThing[] = [];
  readonly #streams: Stream[] = [];
  readonly #log: { readonly type: string; readonly thing: ServedThing }[] = [];
  version = 10;

  readonly transport = async (request: APIRequest): Promise<APIResponse> => {
    const query = new Map(request.query);
    const accept = request.headers['accept'] ?? '';
    const stream = { frames: accept.includes(protobuf), partial: accept.includes('PartialObjectMetadata') };
    const shown = [...query].filter(([name]) => !['watch', 'timeoutSeconds'].includes(name));
    const words = [query.has('watch') ? 'watch' : 'list', ...shown.map((pair) => pair.join('='))];
    this.requests.push([...words, '->', stream.frames ? 'protobuf' : 'json'].join(' '));
    return query.has('watch') ? this.#watch(query, stream) : this.#list(stream);
  };

  /** Changes an object, and sends the event to all streams. */
  change(type: 'ADDED' | 'MODIFIED' | 'DELETED', thing: ServedThing): void {
    const known = this.things.findIndex(({ name }) => name === thing.name);
    if (known !== -1) this.things.splice(known, 1);
    if (type !== 'DELETED') this.things.push(thing);
    this.version = thing.version;
    this.#log.push({ type, thing });
    for (const stream of this.#streams) this.#notify(stream, type, thing);
  }

  #list({ frames, partial }: Omit<Stream, 'bytes'>): APIResponse {
    const version = String(this.version);
    const group = partial ? 'meta.k8s.io/v1' : apiVersion;
    const kind = partial ? 'PartialObjectMetadataList' : 'ThingList';
    const items = this.things.map((thing) => messageOf(thing, partial));
    const bytes = frames
      ? enveloped(group, kind, listBytes(version, items))
      : Buffer.from(
          JSON.stringify({
            apiVersion: group,
            kind,
            metadata: { resourceVersion: version },
            items: this.things.map((thing) => jsonOf(thing, partial)),
          }),
        );
    async function* body(): AsyncGenerator<Uint8Array> {
      yield* inPieces(bytes, () => 1000);
    }
    return { status: 200, headers: typeOf(frames), body: body(), cancel: () => undefined };
  }

  #watch(query: ReadonlyMap<string, string>, { frames, partial }: Omit<Stream, 'bytes'>): APIResponse {
    const stream = { bytes: new ByteStream(), frames, partial };
    const since = Number(query.get('resourceVersion') ?? 0);
    this.#streams.push(stream);
    if (query.has('sendInitialEvents')) {
      for (const thing of this.things) this.#notify(stream, 'ADDED', thing);
      this.#endState(stream);
    } else
      for (const { type, thing } of this.#log) if (thing.version > since) this.#notify(stream, type, thing);
    return { ...stream.bytes.response, headers: typeOf(frames) };
  }

  #notify({ bytes, frames, partial }: Stream, type: string, thing: ServedThing): void {
    if (frames) bytes.push(frameOf(type, partial, messageOf(thing, partial)));
    else bytes.line({ type, object: jsonOf(thing, partial) });
  }

  #endState({ bytes, frames, partial }: Stream): void {
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const metadata = { resourceVersion: String(this.version), annotations };
    if (frames) bytes.push(frameOf('BOOKMARK', partial, field(1, metadataBytes(metadata))));
    else bytes.line({ type: 'BOOKMARK', object: { metadata } });
  }
}

function frameOf(type: string, partial: boolean, object: Uint8Array): Buffer {
  const enveloping = partial
    ? enveloped('meta.k8s.io/v1', 'PartialObjectMetadata', object)
    : enveloped(apiVersion, 'Thing', object);
  return frameBytes(type, enveloping);
}

function typeOf(frames: boolean): Record<string, string> {
  return { 'content-type': frames ? protobuf : 'application/json' };
}

function jsonOf(served: ServedThing, partial: boolean): object {
  const { spec, newer, ...whole } = Object(thingOf(served));
  const metadata = { ...whole.metadata, managedFields: [{ manager: 'kubectl' }] };
  if (partial) return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
  return { ...whole, metadata, spec, ...(newer !== undefined && { newer }) };
}
