/** Connections to the servers that sequences are sent to. */
import { Agent, request as httpsRequest } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import type { ClusterConfig } from '@kgen/runtime';
import type { HTTPMethod } from '@kgen/runtime/rest';
import type { TestServer } from '@kgen/testserver';

/** A request as it is sent. */
export interface SentRequest {
  readonly method: HTTPMethod;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Names are lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A complete response. */
export interface ReceivedResponse {
  readonly status: number;
  /** Names are lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A server. */
export interface Port {
  send(request: SentRequest): Promise<ReceivedResponse>;
  /** Waits until changed definitions are served. */
  settle(): Promise<void>;
  close(): void;
}

/** Length of watches, in milliseconds. */
export const watchMs = 1_000;

/** Connects to a server in memory with virtual time, which passes while a watch is open. */
export function memoryPort(server: TestServer): Port {
  const authorization = `Bearer ${server.config.auth?.token ?? ''}`;
  const decoder = new TextDecoder();
  return {
    send: async (request) => {
      const { status, headers, body } = await server.transport({
        ...request,
        headers: { ...request.headers, authorization },
        operation: { verb: request.method, resource: request.path },
      });
      if (isWatch(request)) await server.time.advance(watchMs);
      const chunks: string[] = [];
      for await (const chunk of body) chunks.push(decoder.decode(chunk));
      return { status, headers, body: chunks.join('') };
    },
    settle: () => server.time.advance(0),
    close: () => undefined,
  };
}

function isWatch({ query }: SentRequest): boolean {
  return query.some(([name, value]) => name === 'watch' && value === 'true');
}

/** A definition is served when caches of the server have it. */
const settleMs = 400;

/** Connects to a real server with the client certificate of a configuration. */
export function realPort({ server, tls }: ClusterConfig): Port {
  const agent = new Agent({ keepAlive: true, maxSockets: 32, ca: tls?.ca, cert: tls?.cert, key: tls?.key });
  return {
    send: (request) => sendUntilReady(agent, server, request),
    settle: () => setTimeout(settleMs),
    close: () => agent.destroy(),
  };
}

/** A server responds with 429 while the storage of a new definition starts. */
async function sendUntilReady(agent: Agent, server: string, sent: SentRequest): Promise<ReceivedResponse> {
  const response = await sendThrough(agent, server, sent);
  if (response.status !== 429 || !response.body.includes('initializing')) return response;
  await setTimeout(50);
  return sendUntilReady(agent, server, sent);
}

function sendThrough(agent: Agent, server: string, sent: SentRequest): Promise<ReceivedResponse> {
  const { method, headers, body } = sent;
  const search = new URLSearchParams(sent.query.map(([name, value]): [string, string] => [name, value]));
  const url = `${server}${sent.path}${search.size === 0 ? '' : `?${search}`}`;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { agent, method, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(received) as Readonly<Record<string, string>>,
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
