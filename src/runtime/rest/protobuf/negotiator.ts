/**
 * Negotiation of protobuf, with JSON as the alternative. Loaded with the first request that accepts protobuf.
 */

import type { APIRequest, APIResponse, ReadFrame, Transport } from '../../api/transport.ts';
import { jsonOf } from '../../codec/integers/write-json.ts';
import { cancel } from '../../common/callbacks.ts';
import { isFields } from '../../common/fields.ts';
import type { Codecs } from '../../protobuf/types.ts';
import { handOver } from '../layers/warning-header.ts';
import type { WarningHandler } from '../layers/warnings.ts';
import type { ProtobufStats } from '../observe/stats.ts';
import { readFailureOf } from '../response/api-error.ts';
import { heldResponse } from '../response/buffered-response.ts';
import { decodeBody } from '../response/decode-body.ts';
import { discard, readAll } from '../response/read-body.ts';
import type { UnknownContent } from './bodies.ts';
import { Encodings } from './encodings.ts';
import { fetchWritten } from './refetch-written.ts';
import type { ProtobufRequest } from './requests.ts';
import * as requests from './requests.ts';

/** A response that may bring its own decoder. */
export interface NegotiatedResponse extends APIResponse {
  /** Decodes the body. Without it, the body is JSON. */
  readonly decode?: () => Promise<unknown>;
}

/** Modules and codecs for decoding a response. */
interface Reading {
  readonly bodies: Bodies;
  readonly codecs: Codecs;
}

/** Encoders and decoders: not loaded before the first protobuf response. */
type Bodies = typeof import('./bodies.ts');

/** Decides for one client which requests and responses are protobuf. */
export class Negotiator {
  readonly #send: Transport;
  readonly #warn: WarningHandler;
  readonly #encodings = new Encodings();
  /** Loaded codecs by their loaders. */
  readonly #codecs = new Map<unknown, Codecs>();
  #bodies: Bodies | undefined;
  #counts = { responses: 0, bodies: 0, repeated: 0 };

  /** @param warn called once per kind for which the server has fields that this program does not define */
  constructor(send: Transport, warn: WarningHandler) {
    this.#send = send;
    this.#warn = warn;
  }

  get stats(): ProtobufStats {
    return { ...this.#counts, newer: this.#encodings.newer };
  }

  /**
   * Encodes the object of a request as a protobuf body synchronously; returns `undefined` if it is to be sent
   * as JSON.
   */
  prepare(request: APIRequest): APIRequest | undefined {
    if (!isProtobufRequest(request) || requests.isValidated(request)) return undefined;
    const codecs = this.#codecs.get(request.protobuf.load);
    if (codecs === undefined || this.#encodings.bodies(request) === 'json') return undefined;
    const body = this.#bodies?.encodeBody(request, codecs);
    return body && requests.withBody(request, body);
  }

  /** Sends a request whose body is prepared. */
  async send(request: APIRequest): Promise<NegotiatedResponse> {
    if (!isProtobufRequest(request)) return this.#send(request);
    if (!this.#encodings.acceptsProtobuf(request)) return this.#send(await this.#inJson(request));
    const first = await this.#send(requests.acceptingProtobuf(request));
    if (first.status === 406) return this.#notAcceptable(request, first);
    const response = requests.hasProtobufBody(request) ? await this.#bodyAccepted(request, first) : first;
    return isSuccess(response) && requests.isProtobuf(response)
      ? this.#readable(request, response)
      : response;
  }

  /**
   * Handles 406: the server does not support protobuf, and ignores the alternatives in the `Accept` header.
   */
  async #notAcceptable(request: ProtobufRequest, refusal: APIResponse): Promise<APIResponse> {
    await discard(refusal);
    const response = await this.#again(await this.#inJson(request));
    if (response.status !== 406) this.#encodings.markJson(request);
    return response;
  }

  /**
   * Checks whether the body was accepted. 400 is not about the encoding if the resource accepted other
   * protobuf bodies; before that, an intermediary may not support protobuf. In both cases the request was not
   * processed.
   */
  async #bodyAccepted(request: ProtobufRequest, response: APIResponse): Promise<APIResponse> {
    const isTaken = this.#encodings.bodies(request) === 'taken';
    if (isSuccess(response)) {
      this.#counts.bodies += 1;
      if (!isTaken) this.#encodings.setBodies(request, 'taken');
    }
    if (response.status !== 415 && (isTaken || response.status !== 400)) return response;
    await discard(response);
    const next = await this.#again(requests.acceptingProtobuf(await this.#withJsonBody(request)));
    if (next.status !== response.status) this.#encodings.setBodies(request, 'json');
    return next;
  }

  async #readable(request: ProtobufRequest, response: APIResponse): Promise<NegotiatedResponse> {
    const { load } = request.protobuf;
    try {
      // An `import()` per response would be slow, even of a module that is loaded.
      this.#bodies ??= await import('./bodies.ts');
      const bodies = this.#bodies;
      const codecs = this.#codecs.get(load) ?? (await this.#load(load));
      this.#counts.responses += 1;
      return request.stream === true
        ? respondWith(response, { readFrame: this.#readingFrames(request, bodies.framesOf(request, codecs)) })
        : respondWith(response, { decode: () => this.#decode(request, response, { bodies, codecs }) });
    } catch (error) {
      cancel(response);
      throw error;
    }
  }

  async #load(load: ProtobufRequest['protobuf']['load']): Promise<Codecs> {
    const module = await load();
    const codecs = module.codecs as Codecs; // seam: generated modules export codecs under this name
    this.#codecs.set(load, codecs);
    return codecs;
  }

  #readingFrames(request: ProtobufRequest, read: ReadFrame): ReadFrame {
    return (frame) => {
      try {
        return read(frame);
      } catch (error) {
        if (this.#isUnknownContent(request, error)) return undefined;
        throw error;
      }
    };
  }

  async #decode(
    request: ProtobufRequest,
    response: APIResponse,
    { bodies, codecs }: Reading,
  ): Promise<unknown> {
    // A write cannot be repeated, so its response is kept in memory.
    const held = requests.isRead(request) ? response : heldResponse(response, await readAll(response));
    try {
      const value = await bodies.decode(held, request, codecs);
      if (isOwn(value, request)) this.#encodings.markOffered(request);
      return value;
    } catch (error) {
      if (!this.#isUnknownContent(request, error)) throw error;
    }
    if (requests.isRead(request)) return this.#contentTypeFor(await this.#inJson(request));
    return fetchWritten(
      (again) => this.#again(again),
      request,
      await bodies.decode(held, request, codecs, true),
    );
  }

  /** Requests JSON in place of a response that cannot be decoded. */
  async #contentTypeFor(request: APIRequest): Promise<unknown> {
    const response = await this.#again(request);
    const { status, headers } = response;
    const { operation, readItem, decoded } = request;
    if (isSuccess(response)) return decodeBody(response, operation, readItem, decoded);
    throw await readFailureOf({ status, headers, body: await readAll(response) }, request, response);
  }

  #again(request: APIRequest): Promise<APIResponse> {
    this.#counts.repeated += 1;
    return this.#send(request);
  }

  /** Returns whether an error only means that the server is newer than this program, and records that. */
  #isUnknownContent(request: ProtobufRequest, error: unknown): boolean {
    const news: UnknownContent | undefined = this.#bodies?.unknownContentIn(error);
    if (news === 'kind') this.#encodings.markJson(request);
    else if (news !== undefined && this.#encodings.markNewer(request, news.field))
      this.#warnOfNewer(request, news.field);
    return news !== undefined;
  }

  #warnOfNewer({ protobuf: { apiVersion, kind }, operation }: ProtobufRequest, field: string): void {
    const text =
      `the server is newer than this program: ${apiVersion} ${kind} has the unknown field ${field}; ` +
      'the kind is requested as JSON from now on';
    handOver(this.#warn, { text, agent: '@kgen/runtime' }, operation);
  }

  /** Returns the request without protobuf. */
  async #inJson(request: ProtobufRequest): Promise<APIRequest> {
    const { protobuf: _, object: __, ...plain } = await this.#withJsonBody(request);
    return plain;
  }

  /** Converts a protobuf body to JSON from its bytes: the object may have changed meanwhile. */
  async #withJsonBody(request: ProtobufRequest): Promise<ProtobufRequest> {
    const codecs = this.#codecs.get(request.protobuf.load);
    const bodies = this.#bodies;
    if (!requests.hasProtobufBody(request) || codecs === undefined || bodies === undefined) return request;
    const sent = heldResponse({ status: 200, headers: {} }, request.body);
    const object = await bodies.decode(sent, request, codecs, true);
    return requests.withBody(request, jsonOf(object) ?? '');
  }
}

/** Returns the response with further members. Its functions are bound, as they may need their object. */
function respondWith(
  response: APIResponse,
  more: Pick<NegotiatedResponse, 'decode' | 'readFrame'>,
): NegotiatedResponse {
  const { status, headers, body, maxEventBytes } = response;
  const limit = maxEventBytes === undefined ? {} : { maxEventBytes };
  return { status, headers, body, cancel: () => response.cancel(), ...limit, ...more };
}

/** Returns whether a value has the requested kind and is not a `Status`. */
function isOwn(value: unknown, { protobuf }: ProtobufRequest): boolean {
  const kind = isFields(value) ? value['kind'] : undefined;
  return kind === protobuf.kind || kind === `${protobuf.kind}List`;
}

/** Returns whether a request has the codecs for protobuf. */
function isProtobufRequest(request: APIRequest): request is ProtobufRequest {
  return request.protobuf !== undefined;
}

function isSuccess({ status }: APIResponse): boolean {
  return status >= 200 && status < 300;
}

/** Negotiators by the transport that they use. */
const negotiators = new WeakMap<Transport, Negotiator>();

/** Returns the negotiator of a client, the same one for each call. */
export function negotiatorOf(send: Transport, warn: WarningHandler): Negotiator {
  const known = negotiators.get(send);
  if (known !== undefined) return known;
  const made = new Negotiator(send, warn);
  negotiators.set(send, made);
  return made;
}
