/** Connections, shared by everything in the process that talks to one server under one identity. */
import { Socket } from 'node:net';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import { messageOf } from '../callbacks.ts';
import { errorCode } from './codes.ts';
import { Dialing } from './dialing.ts';
import { type Identity, identityKey } from './identity.ts';
import { type ServerName, serverNameOf } from './server-name.ts';
import { type TlsOptions, tlsOptions } from './tls-options.ts';

/**
 * Connections for ordinary requests, at most; more requests at a time wait for one of them. undici frees a connection
 * one turn of the event loop after its answer, so that busy callers use one or two more than they have requests.
 */
const maxConnections = 50;
/** Milliseconds until a connection attempt is given up, TLS included. The way to a proxy, and through it, has as much. */
export const connectTimeoutMs = 30_000;
/** Milliseconds that an idle connection is kept; below what servers and load balancers usually allow. */
export const idleMs = 30_000;
/** Milliseconds of silence after which the system probes whether the other side is still there. */
export const probeAfterMs = 30_000;

/** What sends requests: a pool of undici, or connections that speak HTTP/2. */
export interface Dispatching {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): unknown;
  /** Ends what runs and closes the connections. */
  destroy(): Promise<void>;
}

/** The connections to one server. Streams have their own, without a limit: no request waits behind a watch. */
export interface Connections {
  readonly requests: Dispatching;
  readonly streams: Dispatching;
  /** What a request that has no connection yet waits for, in words. */
  readonly stage: () => string;
}

/** Makes one connection, TLS included. */
export type Connector = buildConnector.connector;

/** What only some identities need, and is loaded for them alone. */
export interface Extensions {
  /** Puts the way through a proxy before the connections that `connector` makes. */
  readonly proxied?: (connector: Connector, identity: Identity, dialing: Dialing) => Connector;
  /** Connections that speak HTTP/2 where the server does; `fallback` is used where it does not. */
  readonly http2?: (given: Http2Parts) => Dispatching;
}

/** What connections that speak HTTP/2 are made of. */
export interface Http2Parts {
  readonly origin: string;
  /** Offers HTTP/2 to the server. */
  readonly connector: Connector;
  readonly fallback: () => Dispatching;
  /** Connections at most; more requests at a time than they carry wait. Absent: as many as it takes. */
  readonly maxConnections?: number;
}

/** The time is up, and it was not the network that took it. */
function inHandshake(error: Error): Error {
  if (errorCode(error) !== 'UND_ERR_CONNECT_TIMEOUT') return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: 'TLS_HANDSHAKE_TIMEOUT' });
}

/** The socket of an attempt to connect. What Node throws at once is reported like what it reports later. */
function begun(connect: () => unknown, over: buildConnector.Callback): unknown {
  try {
    return connect();
  } catch (error) {
    over(error instanceof Error ? error : new Error(messageOf(error)), null);
    return undefined;
  }
}

/** Connections are known from the first attempt on, so that none is left when the client is closed. */
function connectorOf(identity: Identity, tls: Tls, extensions: Extensions, dialing: Dialing): Connector {
  const build = buildConnector({
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: probeAfterMs,
    autoSelectFamily: true,
    allowH2: identity.http2,
    ...tls,
  });
  // undici would ask for, and check, the name in the `host` header of the first request.
  const { servername } = tls;
  const named = servername === undefined ? {} : { servername, host: '' };
  const connector: Connector = (options, callback) => {
    const dial = dialing.begin(options.httpSocket !== undefined);
    const over: buildConnector.Callback = (...[error, made]) => {
      dialing.over(dial);
      if (error === null) callback(null, made);
      else callback(dial.reached ? inHandshake(error) : error, null);
    };
    const socket = begun(() => build({ ...options, ...named }, over), over);
    dialing.track(socket);
    if (socket instanceof Socket) {
      socket.once('connect', () => {
        dial.reached = true;
      });
    }
  };
  return extensions.proxied?.(connector, identity, dialing) ?? connector;
}

/** What TLS connections are made with; empty where there are none. */
type Tls = Partial<TlsOptions & ServerName>;

function tlsOf({ tls, address }: Identity): Tls {
  return { ...tlsOptions(tls), ...serverNameOf(tls.serverName || new URL(address.origin).hostname) };
}

function open(identity: Identity, extensions: Extensions, dialing: Dialing): Connections {
  const { origin, secure } = identity.address;
  const tls = secure ? tlsOf(identity) : {};
  const connector = connectorOf({ ...identity, http2: false }, tls, extensions, dialing);
  const pool = (connections: number | null): Dispatching =>
    new Pool(origin, { connect: connector, keepAliveTimeout: idleMs, pipelining: 1, connections });
  const { stage } = dialing;
  const http2 = identity.http2 ? extensions.http2 : undefined;
  if (http2 === undefined) return { requests: pool(maxConnections), streams: pool(null), stage };
  const given = { origin, connector: connectorOf(identity, tls, extensions, dialing) };
  return {
    requests: http2({ ...given, fallback: () => pool(maxConnections), maxConnections }),
    streams: http2({ ...given, fallback: () => pool(null) }),
    stage,
  };
}

interface Entry {
  readonly connections: Connections;
  readonly dialing: Dialing;
  users: number;
}

function openEntry(identity: Identity, extensions: Extensions): Entry {
  const dialing = new Dialing();
  return { connections: open(identity, extensions, dialing), dialing, users: 0 };
}

const shared: Map<string, Entry> = new Map();

/** A share in connections. */
export interface Share {
  readonly connections: Connections;
  /** Gives the share back; the last one that is given back closes the connections. */
  release(): Promise<void>;
}

/**
 * A share in the connections of an identity, which are made where there are none yet.
 * @throws {ConfigError} the TLS configuration cannot be used
 */
export function acquire(identity: Identity, extensions: Extensions): Share {
  const key = identityKey(identity);
  const entry = shared.get(key) ?? openEntry(identity, extensions);
  shared.set(key, entry);
  entry.users += 1;
  let released = false;
  const release = async (): Promise<void> => {
    if (released) return;
    released = true;
    entry.users -= 1;
    if (entry.users > 0) return;
    shared.delete(key);
    const { requests, streams } = entry.connections;
    // A connection that cannot be closed in order is closed with its socket: nothing is left to report.
    await Promise.allSettled([requests.destroy(), streams.destroy(), entry.dialing.destroy()]);
  };
  return { connections: entry.connections, release };
}
