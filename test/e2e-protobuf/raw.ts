/** Requests beside every client, with the headers and the bytes that a test says. */
import type { ClusterConfig } from '@kgen/runtime';
import { Agent, request } from 'undici';

/** The media type of Kubernetes' protobuf. */
export const protobuf = 'application/vnd.kubernetes.protobuf';
export const json = 'application/json';

/** One form of an object on the wire. */
export type MediaType = typeof protobuf | typeof json;

/** What is asked. */
export interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  /** What the answer may be. Default: JSON. */
  readonly accept?: string;
  readonly body?: string | Uint8Array;
  /** Of the body. Default: JSON. */
  readonly contentType?: string;
}

/** What came back, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Asks one server, as an administrator with a token. */
export class RawClient {
  readonly #agent: Agent;
  readonly #server: string;
  readonly #token: string;

  /** @throws TypeError for a configuration without a token */
  constructor({ server, tls, auth }: ClusterConfig) {
    if (auth?.token === undefined) throw new TypeError('the configuration has no token');
    this.#agent = new Agent({ connect: { ca: tls?.ca }, connections: 8 });
    this.#server = server;
    this.#token = auth.token;
  }

  async ask({ method = 'GET', path, accept = json, body, contentType = json }: Question): Promise<Answer> {
    const {
      statusCode,
      headers,
      body: stream,
    } = await request(`${this.#server}${path}`, {
      dispatcher: this.#agent,
      method,
      headers: {
        accept,
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body }),
    });
    const bytes = new Uint8Array(await stream.arrayBuffer());
    return { status: statusCode, contentType: String(headers['content-type'] ?? ''), bytes };
  }

  /** Asks for what must be there, in one form. Throws for every status from 300, and for another form. */
  async expect(accept: MediaType, question: Omit<Question, 'accept'>): Promise<Uint8Array> {
    const { status, contentType, bytes } = await this.ask({ ...question, accept });
    if (status < 300 && contentType.startsWith(accept)) return bytes;
    const text = Buffer.from(bytes).toString('latin1');
    throw new Error(`${question.method ?? 'GET'} ${question.path}: ${status} ${contentType}: ${text}`);
  }

  /** Also ends what is still under way. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** What JSON says. */
export function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}
