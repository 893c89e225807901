/** Protobuf bodies and responses of one client. Loaded with the first protobuf response. */

import type { APIResponse, ReadFrame } from '../../api/transport.ts';
import { Projection } from '../../codec/projection/projection.ts';
import { encodeMessage } from '../../protobuf/encode.ts';
import { UnknownFieldError, UnknownKindError } from '../../protobuf/errors/decode-error.ts';
import { runtimeCodecs } from '../../protobuf/meta/runtime-codecs.ts';
import { frameReader } from '../../protobuf/response/frames.ts';
import { decodeResponse } from '../../protobuf/response/response.ts';
import type { ResponseOptions } from '../../protobuf/response/response-envelope.ts';
import type { Codecs, KindCodec } from '../../protobuf/types.ts';
import type { ProtobufRequest } from './requests.ts';

/**
 * Decodes a response. Rejects if it contains content that this program does not know, see `newsIn`, unless
 * unknown fields are kept.
 */
export function decode(
  response: APIResponse,
  request: ProtobufRequest,
  codecs: Codecs,
  keepUnknown = false,
): Promise<unknown> {
  return decodeResponse(response, request.operation, { ...responseOptions(request, codecs), keepUnknown });
}

function responseOptions(request: ProtobufRequest, codecs: Codecs): ResponseOptions {
  const { protobuf, omitManagedFields, itemErrors, select, decoded } = request;
  const { apiVersion, kind } = protobuf;
  const projection = select && Projection.of(select);
  return { apiVersion, kind, codecs, omitManagedFields, itemErrors, projection, decoded };
}

/** Returns the decoder of the frames of a response. */
export function framesOf(request: ProtobufRequest, codecs: Codecs): ReadFrame {
  return frameReader(request.operation, responseOptions(request, codecs));
}

/** Content of a valid response that this program does not know: the response is requested as JSON. */
export type UnknownContent =
  /** The number and path of the field. */
  | { readonly field: string }
  /** The server returned another kind than was requested. */
  | 'kind';

/** Returns the unknown content that an error is about; `undefined` for other errors. */
export function unknownContentIn(error: unknown): UnknownContent | undefined {
  if (error instanceof UnknownFieldError) {
    const { number, path } = error;
    return { field: path === '' ? `${number}` : `${number} in ${path}` };
  }
  return error instanceof UnknownKindError ? 'kind' : undefined;
}

/**
 * Encodes the object of a request; returns `undefined` if protobuf cannot represent all of it: the server
 * reports errors in JSON bodies.
 */
export function encodeBody(request: ProtobufRequest, codecs: Codecs): Uint8Array | undefined {
  const { object = {}, protobuf } = request;
  const codec = codecOf(object, request, codecs);
  if (codec === undefined) return undefined;
  const { apiVersion, kind } = { ...protobuf, ...object };
  try {
    return encodeMessage(codec, object, { apiVersion, kind });
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function codecOf(object: object, { protobuf }: ProtobufRequest, codecs: Codecs): KindCodec | undefined {
  const kind = 'kind' in object ? object.kind : undefined;
  if (kind === 'DeleteOptions') return runtimeCodecs.get(kind);
  const isOwn = kind === protobuf.kind && 'apiVersion' in object && object.apiVersion === protobuf.apiVersion;
  return isOwn ? codecs.get(protobuf.kind) : undefined;
}
