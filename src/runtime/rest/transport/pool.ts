/** Connections, shared by all clients in the process with the same target. */
import { channel } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { messageOf } from '../../common/callbacks.ts';
import { errorCode } from '../abort/error-codes.ts';
import { type LookupTrace, lookupChannel } from '../observe/observe.ts';
import { type ServerName, serverNameOf } from '../tls/server-name.ts';
import { type TlsOptions, tlsOptions } from '../tls/tls-options.ts';
import { type ConnectionTarget, connectionKey } from './connection-key.ts';
import { Dialing } from './dialing.ts';
import type { Undici } from './undici.ts';

/**
 * Maximum connections for requests other than streams; further requests wait. undici frees a connection one
 * event-loop turn after its response, so busy callers use one or two more connections than they have
 * requests.
 */
const maxConnections = 50;
/**
 * Time-out of a connection attempt including TLS, in milliseconds. Connecting to a proxy, and through it, has
 * the same limit.
 */
export const connectTimeoutMs = 30_000;
/** Milliseconds that an idle connection is kept; below the usual limits of servers and load balancers. */
const idleMs = 30_000;
/** Milliseconds without data after which the operating system probes the connection. */
export const probeAfterMs = 30_000;

/** Connection pool of undici, as far as requests use it. */
export interface Dispatching {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): unknown;
  /** Aborts running requests and closes the connections. */
  destroy(): Promise<void>;
}

/**
 * The connections to one server. Streams have their own, without a limit, so that no request waits for a
 * watch.
 */
export interface Connections {
  readonly requests: Dispatching;
  readonly streams: Dispatching;
  /** Sends each request on a new HTTP/1.1 connection, which a server may upgrade to another protocol. */
  readonly upgrades: Dispatching;
  /** Returns the stage of a request without a connection, for error messages. */
  readonly stage: () => string;
}

/** Opens one connection, TLS included. */
export type Connector = buildConnector.connector;

/** Parts of connections that are loaded. */
export interface LoadedParts {
  readonly undici: Undici;
  readonly proxied?: Proxied | undefined;
}

/** Returns a connector that goes through the proxy of a target; loaded for targets with a proxy. */
export type Proxied = (connector: Connector, target: ConnectionTarget, dialing: Dialing) => Connector;

/** TLS options of connections; empty without TLS. */
type Tls = Partial<TlsOptions & ServerName>;

interface Entry {
  readonly connections: Connections;
  readonly dialing: Dialing;
  users: number;
}

const shared: Map<string, Entry> = new Map();

/** A share in connections. */
export interface Share {
  readonly connections: Connections;
  /** Releases the share; the last release closes the connections. */
  release(): Promise<void>;
}

/**
 * Acquires a share in the connections of a target, which are created for the first share.
 * @throws {ConfigError} if the TLS configuration is invalid
 */
export function acquire(target: ConnectionTarget, parts: LoadedParts): Share {
  const key = connectionKey(target);
  const entry = shared.get(key) ?? openEntry(target, parts);
  shared.set(key, entry);
  entry.users += 1;
  let released = false;
  const release = async (): Promise<void> => {
    if (released) return;
    released = true;
    entry.users -= 1;
    if (entry.users > 0) return;
    shared.delete(key);
    const { requests, streams, upgrades } = entry.connections;
    // A connection that cannot be closed regularly is destroyed with its socket: its errors are ignored.
    const all = [requests.destroy(), streams.destroy(), upgrades.destroy(), entry.dialing.destroy()];
    await Promise.allSettled(all);
  };
  return { connections: entry.connections, release };
}

function openEntry(target: ConnectionTarget, parts: LoadedParts): Entry {
  const dialing = new Dialing();
  return { connections: open(target, parts, dialing), dialing, users: 0 };
}

function open(target: ConnectionTarget, parts: LoadedParts, dialing: Dialing): Connections {
  const { origin, secure } = target.address;
  const tls = secure ? tlsOf(target) : {};
  const { Pool } = parts.undici;
  const connector = connectorOf(target, tls, parts, dialing);
  const pool = (connections: number | null, connect: Connector = connector): Dispatching =>
    new Pool(origin, { connect, keepAliveTimeout: idleMs, pipelining: 1, connections, allowH2: false });
  // Proxies do not forward upgrades of plain HTTP connections, so those have a tunnel too.
  const upgrades = pool(null, connectorOf({ ...target, tunnel: true }, tls, parts, dialing));
  return { requests: pool(maxConnections), streams: pool(null), upgrades, stage: dialing.stage };
}

function tlsOf({ tls, address }: ConnectionTarget): Tls {
  return { ...tlsOptions(tls), ...serverNameOf(tls.serverName || new URL(address.origin).hostname) };
}

/** Connections are tracked from the first attempt on, so that none is left when the client is closed. */
function connectorOf(
  target: ConnectionTarget,
  tls: Tls,
  { undici, proxied }: LoadedParts,
  dialing: Dialing,
): Connector {
  const build = undici.buildConnector({
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: probeAfterMs,
    autoSelectFamily: true,
    // undici 8 would offer HTTP/2, which these pools do not speak.
    allowH2: false,
    ...tls,
  });
  // undici would use the name in the `host` header of the first request for SNI and verification.
  const { servername } = tls;
  const named = {
    ...(servername !== undefined && { servername, host: '' }),
    ...zoned(target),
  };
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
      socket.once('connect', () => dialing.connected(dial));
      if (lookups.hasSubscribers) publishLookup(socket);
    }
  };
  return proxied?.(connector, target, dialing) ?? connector;
}

/** Returns the address of a server with its zone, unless a proxy connects to it. */
function zoned({ address, proxy }: ConnectionTarget): { readonly hostname?: string } {
  if (address.zone === undefined || proxy !== undefined) return {};
  return { hostname: `${new URL(address.origin).hostname.slice(1, -1)}%${address.zone}` };
}

/** Resolutions of host names. */
const lookups = channel(lookupChannel);

/** Publishes the resolution of the host name of a socket that begins to connect. */
function publishLookup(socket: Socket): void {
  const started = performance.now();
  socket.once('lookup', (error: Error | null, _address: string, _family: unknown, host: string) => {
    const trace: LookupTrace = { host, durationMs: performance.now() - started, ...(error && { error }) };
    lookups.publish(trace);
  });
}

/** Returns the time-out error of a TLS handshake: the TCP connection was established. */
function inHandshake(error: Error): Error {
  if (errorCode(error) !== 'UND_ERR_CONNECT_TIMEOUT') return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: 'TLS_HANDSHAKE_TIMEOUT' });
}

/**
 * Returns the socket of a connection attempt. Errors that Node throws synchronously are passed to `over` as
 * well.
 */
function begun(connect: () => unknown, over: buildConnector.Callback): unknown {
  try {
    return connect();
  } catch (error) {
    over(error instanceof Error ? error : new Error(messageOf(error)), null);
    return undefined;
  }
}
