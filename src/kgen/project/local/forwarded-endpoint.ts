/** HTTP requests to a port of a Pod, through a port-forward without a port on this machine. */
import { once } from 'node:events';
import { Agent, type ClientRequest, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { connect } from 'node:tls';

/** A response. */
export interface EndpointText {
  readonly status: number;
  /** Header `etag`; `''` without one. */
  readonly tag: string;
  readonly text: string;
}

/** Limit of a response, in milliseconds: a recording has megabytes. */
const timeoutMs = 30_000;

/**
 * An endpoint over HTTPS or HTTP. Requests use one connection. Certificates are not verified: the API server
 * and the kubelet have connected to this Pod, and issuers of self-signed ones are not known.
 */
export class ForwardedEndpoint {
  readonly #open: () => Promise<Duplex>;
  readonly #agent: ForwardAgent;
  #isPlain = false;

  /** @param open opens a connection to the port */
  constructor(open: () => Promise<Duplex>) {
    this.#open = open;
    this.#agent = new ForwardAgent(() => this.#connection());
  }

  /**
   * Sends a GET request.
   * @throws {Error} if the connection fails, or the response does not arrive in time
   */
  async get(path: string, token: string | undefined): Promise<EndpointText> {
    const sent = request({
      agent: this.#agent,
      // Servers of the Pod do not know the name of this machine.
      headers: { host: 'localhost', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      path,
      signal: AbortSignal.timeout(timeoutMs),
    });
    sent.end();
    return responseOf(sent);
  }

  /** Closes the connection. */
  close(): void {
    this.#agent.destroy();
  }

  async #connection(): Promise<Duplex> {
    if (this.#isPlain) return this.#open();
    try {
      return await secured(await this.#open());
    } catch (error) {
      if (!isPlainResponse(error)) throw error;
      this.#isPlain = true;
      return this.#open();
    }
  }
}

async function responseOf(sent: ClientRequest): Promise<EndpointText> {
  const [response] = await once(sent, 'response');
  const { statusCode = 0, headers } = response;
  return { status: statusCode, tag: headers.etag ?? '', text: await textOf(response) };
}

async function secured(socket: Duplex): Promise<Duplex> {
  const connection = connect({ socket, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  try {
    await once(connection, 'secureConnect');
    return connection;
  } catch (error) {
    connection.destroy();
    socket.destroy();
    throw error;
  }
}

/** A server of HTTP responds to the begin of TLS with text. */
function isPlainResponse(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return code === 'EPROTO' || (typeof code === 'string' && code.startsWith('ERR_SSL_'));
}

/** Keeps one connection, which need not be a socket of the operating system. */
class ForwardAgent extends Agent {
  readonly #open: () => Promise<Duplex>;

  constructor(open: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets: 1 });
    this.#open = open;
  }

  override createConnection(
    _options: object,
    opened: (error: Error | null, stream: Duplex) => void = () => undefined,
  ): undefined {
    this.#open().then(
      (stream) => opened(null, withRef(stream)),
      // seam: after an error, the agent does not use the stream
      (error: Error) => opened(error, undefined as unknown as Duplex),
    );
  }

  override keepSocketAlive(): boolean {
    return true;
  }
}

/** The agent calls `ref` of a connection that it uses again, which only sockets have. */
function withRef(stream: Duplex): Duplex {
  return 'ref' in stream ? stream : Object.assign(stream, { ref: () => undefined });
}
