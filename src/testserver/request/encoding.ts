/** Encodings of response bodies: JSON, YAML and protobuf. */

import type { JsonObject } from '@kgen/schema/values/json';
import { writeJson } from '@kgen/schema/values/wire';
import { dump } from 'js-yaml';
import type { MediaType } from './accept.ts';
import type { WatchEvent } from './request.ts';

/** Writes the bodies of responses and the events of watches. */
export interface Encoding {
  readonly contentType: string;
  readonly watchContentType: string;
  readonly body: (value: JsonObject) => string | Uint8Array | Promise<Uint8Array>;
  readonly event: (event: WatchEvent) => string | Uint8Array;
}

/** JSON, the default. Events are documents in lines. */
export const jsonEncoding: Encoding = {
  contentType: 'application/json',
  watchContentType: 'application/json',
  body: (value) => `${writeJson(value)}\n`,
  event: (event) => `${writeJson(event)}\n`,
};

/** JSON with two spaces for each level, for people. Events of watches stay in lines. */
export const prettyEncoding: Encoding = { ...jsonEncoding, body: (value) => writeJson(value, '  ') };

/** YAML. It has no watches. */
const yamlEncoding: Encoding = {
  ...jsonEncoding,
  contentType: 'application/yaml',
  body: (value) =>
    dump(plain(value), {
      sortKeys: true,
      noRefs: true,
      noArrayIndent: true,
      lineWidth: -1,
      quotingType: '"',
    }),
};

/** Returns a value that js-yaml can write: integers beyond 2^53 become numbers. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** Returns the encoding of a media type. `codecs` are those of the requested kind, for protobuf. */
export function encodingOf(
  mediaType: MediaType,
  codecs?: ReadonlyMap<string, object>,
): Encoding | Promise<Encoding> {
  if (mediaType === 'application/json') return jsonEncoding;
  if (mediaType === 'application/yaml') return yamlEncoding;
  return import('./protobuf.ts').then(({ protobufEncoding }) => protobufEncoding(codecs ?? new Map()));
}
