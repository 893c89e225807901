/** Bodies and answers in protobuf, for one client. Loaded with the first answer that is protobuf. */
import { decodeAnswer } from '../protobuf/answer.ts';
import type { AnswerOptions } from '../protobuf/answer-envelope.ts';
import { UnknownFieldError, UnknownKindError } from '../protobuf/decode-error.ts';
import { encodeMessage } from '../protobuf/encode.ts';
import { frameReader } from '../protobuf/frames.ts';
import { runtimeCodecs } from '../protobuf/own.ts';
import type { Codecs, KindCodec } from '../protobuf/types.ts';
import type { ProtobufRequest } from './protobuf-requests.ts';
import type { ReadFrame, Response } from './types.ts';

function answerOptions(request: ProtobufRequest, codecs: Codecs): AnswerOptions {
  const { protobuf, omitManagedFields, itemErrors } = request;
  const { apiVersion, kind } = protobuf;
  return { apiVersion, kind, codecs, omitManagedFields, itemErrors };
}

/** Reads an answer. Rejects where it says more than can be read, see `newsIn`; unless what is more is to be kept unread. */
export function decode(
  response: Response,
  request: ProtobufRequest,
  codecs: Codecs,
  keepUnknown = false,
): Promise<unknown> {
  return decodeAnswer(response, request.operation, { ...answerOptions(request, codecs), keepUnknown });
}

/** What reads the frames of an answer. */
export function framesOf(request: ProtobufRequest, codecs: Codecs): ReadFrame {
  return frameReader(request.operation, answerOptions(request, codecs));
}

/** Why an answer cannot be read in full, although nothing is wrong with it: another one will be in JSON. */
export type News =
  /** The field, by its number and place. */
  | { readonly field: string }
  /** The server has answered with another kind than was asked for. */
  | 'kind';

/** Whether an error is about what this program does not know. */
export function newsIn(error: unknown): News | undefined {
  if (error instanceof UnknownFieldError) {
    const { number, path } = error;
    return { field: path === '' ? `${number}` : `${number} in ${path}` };
  }
  return error instanceof UnknownKindError ? 'kind' : undefined;
}

function codecOf(object: object, { protobuf }: ProtobufRequest, codecs: Codecs): KindCodec | undefined {
  const kind = 'kind' in object ? object.kind : undefined;
  if (kind === 'DeleteOptions') return runtimeCodecs.get(kind);
  const isOwn = kind === protobuf.kind && 'apiVersion' in object && object.apiVersion === protobuf.apiVersion;
  return isOwn ? codecs.get(protobuf.kind) : undefined;
}

/**
 * The object of a request as bytes; `undefined` where protobuf cannot say all that is in it: in JSON the server says what
 * is wrong with it.
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
