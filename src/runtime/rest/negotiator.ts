/** Protobuf where the server speaks it, JSON elsewhere. Loaded with the first request whose answer may be protobuf. */
import { cancel } from '../callbacks.ts';
import { isFields } from '../fields.ts';
import { jsonOf } from '../integers/write-json.ts';
import type { Codecs } from '../protobuf/types.ts';
import { discard, readAll } from './body.ts';
import { decodeBody } from './decode-body.ts';
import { Encodings } from './encodings.ts';
import { heldAnswer } from './held-answer.ts';
import type { News } from './protobuf-bodies.ts';
import type { ProtobufRequest } from './protobuf-requests.ts';
import * as requests from './protobuf-requests.ts';
import type { ProtobufStats } from './stats.ts';
import { readFailureOf } from './status.ts';
import type { ReadFrame, Request, Response, Transport } from './types.ts';
import { handOver } from './warning-header.ts';
import type { WarningHandler } from './warnings.ts';
import { fetchWritten } from './written.ts';

/** An answer that may know how it is read. */
export interface NegotiatedResponse extends Response {
  /** Reads the body as what it is. Without it, the body is JSON. */
  readonly decode?: () => Promise<unknown>;
}

/** What reads an answer. */
interface Reading {
  readonly bodies: Bodies;
  readonly codecs: Codecs;
}

/** What reads and writes: none of it is loaded before something came that is protobuf. */
type Bodies = typeof import('./protobuf-bodies.ts');

function isSuccess({ status }: Response): boolean {
  return status >= 200 && status < 300;
}

/** Whether a request has what it takes to be protobuf. */
function isProtobufRequest(request: Request): request is ProtobufRequest {
  return request.protobuf !== undefined;
}

/** Whether a value is what was asked for, and no `Status`. */
function isOwn(value: unknown, { protobuf }: ProtobufRequest): boolean {
  const kind = isFields(value) ? value['kind'] : undefined;
  return kind === protobuf.kind || kind === `${protobuf.kind}List`;
}

/** The same answer with more to it. Its functions may need the object that they were found in. */
function answerWith(
  response: Response,
  more: Pick<NegotiatedResponse, 'decode' | 'readFrame'>,
): NegotiatedResponse {
  const { status, headers, body, maxEventBytes } = response;
  const limit = maxEventBytes === undefined ? {} : { maxEventBytes };
  return { status, headers, body, cancel: () => response.cancel(), ...limit, ...more };
}

/** Decides for one client what is asked for and sent as protobuf. */
export class Negotiator {
  readonly #send: Transport;
  readonly #tell: WarningHandler;
  readonly #encodings = new Encodings();
  /** By what loads them: those that have been needed. */
  readonly #codecs = new Map<unknown, Codecs>();
  #bodies: Bodies | undefined;
  #counts = { answers: 0, bodies: 0, repeated: 0 };

  /** @param tell told once of each kind that the server has more fields of than this program knows */
  constructor(send: Transport, tell: WarningHandler) {
    this.#send = send;
    this.#tell = tell;
  }

  get stats(): ProtobufStats {
    return { ...this.#counts, newer: this.#encodings.newer };
  }

  /** The request with its object as a body in protobuf, at once; `undefined` where it is to be JSON. */
  prepare(request: Request): Request | undefined {
    if (!isProtobufRequest(request) || requests.isValidated(request)) return undefined;
    const codecs = this.#codecs.get(request.protobuf.load);
    if (codecs === undefined || this.#encodings.bodies(request) === 'json') return undefined;
    const body = this.#bodies?.encodeBody(request, codecs);
    return body && requests.withBody(request, body);
  }

  /** Sends a request whose body is prepared. */
  async send(request: Request): Promise<NegotiatedResponse> {
    if (!isProtobufRequest(request)) return this.#send(request);
    if (!this.#encodings.asksFor(request)) return this.#send(await this.#inJson(request));
    const first = await this.#send(requests.askingProtobuf(request));
    if (first.status === 406) return this.#notAcceptable(request, first);
    const response = requests.hasProtobufBody(request) ? await this.#bodyAnswered(request, first) : first;
    return isSuccess(response) && requests.isProtobuf(response)
      ? this.#readable(request, response)
      : response;
  }

  /** The server has no protobuf, and does not take what was offered beside it. */
  async #notAcceptable(request: ProtobufRequest, refusal: Response): Promise<Response> {
    await discard(refusal);
    const response = await this.#again(await this.#inJson(request));
    if (response.status !== 406) this.#encodings.refused(request);
    return response;
  }

  /**
   * Looks whether the body was taken. 400 is no answer to the body of a resource that took others; before that it may mean
   * that somebody on the way does not know what protobuf is. Nothing was done after either.
   */
  async #bodyAnswered(request: ProtobufRequest, response: Response): Promise<Response> {
    const isTaken = this.#encodings.bodies(request) === 'taken';
    if (isSuccess(response)) {
      this.#counts.bodies += 1;
      if (!isTaken) this.#encodings.learned(request, 'taken');
    }
    if (response.status !== 415 && (isTaken || response.status !== 400)) return response;
    await discard(response);
    const next = await this.#again(requests.askingProtobuf(await this.#withJsonBody(request)));
    if (next.status !== response.status) this.#encodings.learned(request, 'json');
    return next;
  }

  async #readable(request: ProtobufRequest, response: Response): Promise<NegotiatedResponse> {
    const { load } = request.protobuf;
    try {
      const [bodies, module] = await Promise.all([import('./protobuf-bodies.ts'), load()]);
      const codecs = module.codecs as Codecs; // seam: that is what generated modules hold
      this.#bodies = bodies;
      this.#codecs.set(load, codecs);
      this.#counts.answers += 1;
      return request.stream === true
        ? answerWith(response, { readFrame: this.#readingFrames(request, bodies.framesOf(request, codecs)) })
        : answerWith(response, { decode: () => this.#decode(request, response, { bodies, codecs }) });
    } catch (error) {
      cancel(response);
      throw error;
    }
  }

  #readingFrames(request: ProtobufRequest, read: ReadFrame): ReadFrame {
    return (frame) => {
      try {
        return read(frame);
      } catch (error) {
        if (this.#isNews(request, error)) return undefined;
        throw error;
      }
    };
  }

  async #decode(request: ProtobufRequest, response: Response, { bodies, codecs }: Reading): Promise<unknown> {
    // What was written cannot be asked for again, so it is kept.
    const held = requests.isRead(request) ? response : heldAnswer(response, await readAll(response));
    try {
      const value = await bodies.decode(held, request, codecs);
      if (isOwn(value, request)) this.#encodings.answered(request);
      return value;
    } catch (error) {
      if (!this.#isNews(request, error)) throw error;
    }
    if (requests.isRead(request)) return this.#asked(await this.#inJson(request));
    return fetchWritten(
      (again) => this.#again(again),
      request,
      await bodies.decode(held, request, codecs, true),
    );
  }

  /** Asks in JSON for what has been answered in a way that cannot be read. */
  async #asked(request: Request): Promise<unknown> {
    const response = await this.#again(request);
    const { status, headers } = response;
    if (isSuccess(response)) return decodeBody(response, request.operation, request.readItem);
    throw await readFailureOf({ status, headers, body: await readAll(response) }, request, response);
  }

  #again(request: Request): Promise<Response> {
    this.#counts.repeated += 1;
    return this.#send(request);
  }

  /** Whether an error only says that this program knows less than the server: then that is remembered. */
  #isNews(request: ProtobufRequest, error: unknown): boolean {
    const news: News | undefined = this.#bodies?.newsIn(error);
    if (news === 'kind') this.#encodings.refused(request);
    else if (news !== undefined && this.#encodings.outgrown(request, news.field))
      this.#tellNewer(request, news.field);
    return news !== undefined;
  }

  #tellNewer({ protobuf: { apiVersion, kind }, operation }: ProtobufRequest, field: string): void {
    const text =
      `server newer than the table: ${apiVersion} ${kind} has field ${field}, which this program does not know; ` +
      'the kind is fetched as JSON from now on';
    handOver(this.#tell, { text, agent: '@kgen/runtime' }, operation);
  }

  /** The request without a word of protobuf. */
  async #inJson(request: ProtobufRequest): Promise<Request> {
    const { protobuf: _, object: __, ...plain } = await this.#withJsonBody(request);
    return plain;
  }

  /** What was made protobuf is made JSON of its bytes: the object may have been changed since. */
  async #withJsonBody(request: ProtobufRequest): Promise<ProtobufRequest> {
    const codecs = this.#codecs.get(request.protobuf.load);
    const bodies = this.#bodies;
    if (!requests.hasProtobufBody(request) || codecs === undefined || bodies === undefined) return request;
    const sent = heldAnswer({ status: 200, headers: {} }, request.body);
    const object = await bodies.decode(sent, request, codecs, true);
    return requests.withBody(request, jsonOf(object) ?? '');
  }
}

/** By what sends for them. */
const negotiators = new WeakMap<Transport, Negotiator>();

/** The negotiator of a client, each time the same one. */
export function negotiatorOf(send: Transport, tell: WarningHandler): Negotiator {
  const known = negotiators.get(send);
  if (known !== undefined) return known;
  const made = new Negotiator(send, tell);
  negotiators.set(send, made);
  return made;
}
