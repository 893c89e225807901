/**
 * Connections, shared by everything in the process that talks to one server under one TLS identity. Tokens and
 * impersonation are headers and do not tell connections apart.
 */
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { Pool } from 'undici';
import type { ServerAddress } from '../config/server.ts';
import type { TlsConfig } from '../config/types.ts';
import { ConfigError } from '../errors.ts';
import { errorCode } from './codes.ts';

/**
 * Connections for ordinary requests, at most; more requests at a time wait for one of them. undici frees a connection
 * one turn of the event loop after its answer, so that busy callers use one or two more than they have requests.
 */
const maxConnections = 50;
/** Milliseconds until a connection attempt, TLS included, is given up. */
const connectTimeoutMs = 30_000;
/** Milliseconds that an idle connection is kept; below what servers and load balancers usually allow. */
const idleMs = 30_000;
/** Milliseconds of silence after which the system probes whether the other side is still there. */
const probeAfterMs = 30_000;

/** The connections to one server. Streams have their own, without a limit: no request waits behind a watch. */
export interface Connections {
  readonly requests: Pool;
  readonly streams: Pool;
}

interface Entry extends Connections {
  users: number;
}

const shared: Map<string, Entry> = new Map();

function identity(origin: string, tls: TlsConfig | undefined): string {
  return JSON.stringify([origin, tls?.ca, tls?.cert, tls?.key, tls?.serverName, tls?.insecureSkipTlsVerify]);
}

/** Node passes over a CA that it cannot read, and then trusts nobody. */
function checkCa(ca: string): void {
  try {
    new X509Certificate(ca);
  } catch (cause) {
    throw new ConfigError(
      'the TLS configuration cannot be used: `ca` (in a kubeconfig: certificate-authority) holds no certificate; ' +
        'give PEM text with a "-----BEGIN CERTIFICATE-----" line',
      { cause },
    );
  }
}

/** Parsed once, not for every connection. OpenSSL's messages do not repeat the material. */
function secureContext({ ca, cert, key }: TlsConfig): object {
  try {
    return createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    });
  } catch (cause) {
    const mismatch = errorCode(cause) === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH';
    const what = mismatch
      ? 'the private key is not that of the client certificate'
      : 'the CA, certificate or key is broken';
    throw new ConfigError(`the TLS configuration cannot be used: ${what}`, { cause });
  }
}

function tlsOptions(tls: TlsConfig): object {
  const insecure = tls.insecureSkipTlsVerify === true;
  if (insecure && tls.ca !== undefined) {
    throw new ConfigError(
      'the TLS configuration has both ca and insecureSkipTlsVerify; leave one of them out',
    );
  }
  if (tls.ca !== undefined) checkCa(tls.ca);
  return {
    secureContext: secureContext(tls),
    rejectUnauthorized: !insecure,
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
  };
}

function open(address: ServerAddress, tls: TlsConfig | undefined): Entry {
  const options = {
    connect: {
      timeout: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelay: probeAfterMs,
      autoSelectFamily: true,
      ...(address.secure && tlsOptions(tls ?? {})),
    },
    keepAliveTimeout: idleMs,
    pipelining: 1,
  };
  return {
    requests: new Pool(address.origin, { ...options, connections: maxConnections }),
    streams: new Pool(address.origin, options),
    users: 0,
  };
}

/** A share in connections. */
export interface Share {
  readonly connections: Connections;
  /** Gives the share back; the last one that is given back closes the connections. */
  release(): Promise<void>;
}

/**
 * A share in the connections to a server, which are made where there are none yet.
 * @throws {ConfigError} the TLS configuration cannot be used
 */
export function acquire(address: ServerAddress, tls: TlsConfig | undefined): Share {
  const key = identity(address.origin, tls);
  const entry = shared.get(key) ?? open(address, tls);
  shared.set(key, entry);
  entry.users += 1;
  let released = false;
  const release = async (): Promise<void> => {
    if (released) return;
    released = true;
    entry.users -= 1;
    if (entry.users > 0) return;
    if (shared.get(key) === entry) shared.delete(key);
    await Promise.all([entry.requests.destroy(), entry.streams.destroy()]);
  };
  return { connections: entry, release };
}
