/**
 * Opening handshake of WebSocket connections.
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-4.1
 */
import { createHash, randomBytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import { isApiError, isTransportError, TransportError } from '../../../api/errors.ts';
import type { APIRequest, APIResponse } from '../../../api/transport.ts';
import type { RESTClient } from '../../../rest/client.ts';

/** Code of a `TransportError` for a server that did not accept any of the offered protocols. */
export const upgradeRefused = 'UPGRADE_REFUSED';

/** A connection after the handshake. */
export interface OpenedSocket {
  readonly connection: Duplex;
  /** Subprotocol that the server selected. */
  readonly protocol: string;
}

/** Constant that is appended to the key of a handshake. */
const handshakeId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * Sends a request that upgrades its connection to a WebSocket. `timeoutMs` limits the handshake.
 * @param protocols subprotocols, the preferred one first. They are one header line, as servers read only one
 * @throws {ApiError} for an error response
 * @throws {TransportError} with the code `UPGRADE_REFUSED` for a response without one of the protocols
 */
export async function openWebSocket(
  rest: RESTClient,
  request: APIRequest,
  protocols: readonly string[],
): Promise<OpenedSocket> {
  const key = randomBytes(16).toString('base64');
  const headers = {
    ...request.headers,
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
    'sec-websocket-protocol': protocols.join(', '),
  };
  let connection: Duplex | undefined;
  const opened = (made: object): void => {
    if (made instanceof Duplex) connection = made;
  };
  try {
    const response = await rest.stream({ ...request, headers, upgrade: { protocol: 'websocket', opened } });
    response.cancel();
    return accepted(response, connection, { request, key, protocols });
  } catch (error) {
    connection?.destroy();
    throw error;
  }
}

interface Offer {
  readonly request: APIRequest;
  readonly key: string;
  readonly protocols: readonly string[];
}

function accepted(response: APIResponse, connection: Duplex | undefined, offer: Offer): OpenedSocket {
  const { status, headers } = response;
  const refuse = (message: string): TransportError =>
    new TransportError(message, offer.request.operation, { code: upgradeRefused });
  if (status !== 101 || connection === undefined) {
    throw refuse(`the server, or a proxy before it, responded with ${status} in place of a WebSocket`);
  }
  const accept = createHash('sha1').update(`${offer.key}${handshakeId}`).digest('base64');
  if (headers['upgrade']?.toLowerCase() !== 'websocket' || headers['sec-websocket-accept'] !== accept) {
    throw refuse('the server upgraded the connection, but not to a WebSocket');
  }
  if (headers['sec-websocket-extensions']) throw refuse('the server uses a WebSocket extension');
  const protocol = headers['sec-websocket-protocol'];
  if (protocol === undefined || !offer.protocols.includes(protocol)) {
    const selected = protocol === undefined ? 'none' : JSON.stringify(protocol);
    throw refuse(`the server does not support ${offer.protocols.join(' or ')}; it selected ${selected}`);
  }
  return { connection, protocol };
}

/** Status codes of servers and proxies that do not support an upgrade or its protocol. */
const protocolFailures: ReadonlySet<number> = new Set([400, 405, 426, 501]);

/**
 * Returns whether a handshake failed because of its protocol, so that another protocol may succeed. False
 * for every decision of the API server about the request: 401, 403, 404, or a `Status` with another code.
 */
export function isProtocolFailure(error: unknown): boolean {
  if (isTransportError(error)) return error.code === upgradeRefused;
  if (!isApiError(error) || !protocolFailures.has(error.code)) return false;
  // Set for responses that are not a `Status` of the API server.
  return error.status.details?.causes?.some(({ reason }) => reason === 'UnexpectedServerResponse') === true;
}
