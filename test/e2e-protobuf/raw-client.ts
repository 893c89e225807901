/** Requests with the exact headers and bytes of a test, independent of all clients. */
import type { ClusterConfig } from '@kgen/runtime';
import { Agent, request } from 'undici';

/** Media type of the protobuf encoding of Kubernetes. */
export const protobuf = 'application/vnd.kubernetes.protobuf';
export const json = 'application/json';

/** Encoding of an object on the wire. */
export type MediaType = typeof protobuf | typeof json;

/** A request. */
export interface RawRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with the query. */
  readonly path: string;
  /** Accepted media type. Default: JSON. */
  readonly accept?: string;
  readonly body?: string | Uint8Array;
  /** Media type of the body. Default: JSON. */
  readonly contentType?: string;
}

/** A response of any status. */
export interface RawResponse {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Sends requests to one server, as an administrator with a token. */
export class RawClient {
  readonly #agent: Agent;
  readonly #server: string;
  readonly #token: string;

  /** @throws TypeError if the configuration has no token */
  constructor({ server, tls, auth }: ClusterConfig) {
    if (auth?.token === undefined) throw new TypeError('the configuration has no token');
    this.#agent = new Agent({ connect: { ca: tls?.ca }, connections: 8 });
    this.#server = server;
    this.#token = auth.token;
  }

  async request({
    method = 'GET',
    path,
    accept = json,
    body,
    contentType = json,
  }: RawRequest): Promise<RawResponse> {
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

  /**
   * Requests an existing object in one encoding. Throws for every status from 300, and for another encoding.
   */
  async expect(accept: MediaType, question: Omit<RawRequest, 'accept'>): Promise<Uint8Array> {
    const { status, contentType, bytes } = await this.request({ ...question, accept });
    if (status < 300 && contentType.startsWith(accept)) return bytes;
    const text = Buffer.from(bytes).toString('latin1');
    throw new Error(`${question.method ?? 'GET'} ${question.path}: ${status} ${contentType}: ${text}`);
  }

  /** Closes the client, including pending requests. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** Parses JSON. */
export function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}
