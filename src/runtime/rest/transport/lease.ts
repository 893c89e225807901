/** Leases of one client on shared connections, and their replacement when its certificate changes. */

import { TransportError } from '../../api/errors.ts';
import type { Credential } from '../../auth/types.ts';
import type { TlsConfig } from '../../config/types.ts';
import { withoutCertificate } from '../../config/used-tls.ts';
import type { Exchange } from './exchange.ts';
import type { Connections, Share } from './pool.ts';

/** Error code of streams that end because the client certificate was replaced. */
export const replacedCode = 'CERTIFICATE_REPLACED';

/**
 * The running exchanges, in no order. Not a `Set`, because of garbage collection: each time a `Set` in
 * constant use grows or shrinks its table, the old table keeps itself and its entries alive until the next
 * full collection.
 */
class Running {
  readonly #exchanges: Exchange[] = [];

  get size(): number {
    return this.#exchanges.length;
  }

  add(exchange: Exchange): void {
    exchange.place = this.#exchanges.push(exchange) - 1;
  }

  /** Moves the last exchange to the place of the removed one. */
  delete(exchange: Exchange): void {
    const { place } = exchange;
    const last = this.#exchanges[place] === exchange ? this.#exchanges.pop() : undefined;
    if (last === undefined || last === exchange) return;
    last.place = place;
    this.#exchanges[place] = last;
  }

  /** Returns a copy of the list. */
  all(): readonly Exchange[] {
    return [...this.#exchanges];
  }
}

/** A share in connections, and the exchanges of one client on them. */
export class Lease {
  readonly tls: TlsConfig;
  readonly #share: Share;
  readonly #over: (lease: Lease) => void;
  readonly #exchanges: Running = new Running();
  #retired = false;

  /** @param over called when a retired lease is released */
  constructor(tls: TlsConfig, share: Share, over: (lease: Lease) => void) {
    this.tls = tls;
    this.#share = share;
    this.#over = over;
  }

  get connections(): Connections {
    return this.#share.connections;
  }

  add(exchange: Exchange): void {
    this.#exchanges.add(exchange);
  }

  readonly ended = (exchange: Exchange): void => {
    this.#exchanges.delete(exchange);
    if (this.#retired) this.#giveBack();
  };

  /** Stops adding exchanges: releases the share when the last exchange has ended. */
  retire(): void {
    this.#retired = true;
    this.#giveBack();
  }

  /**
   * Ends streams, which would continue for hours with the replaced certificate. Other requests may finish.
   */
  endStreams(): void {
    for (const exchange of this.#exchanges.all()) {
      if (!exchange.stream) continue;
      const message =
        'the client certificate was replaced, and with it the connection; send the request again';
      exchange.abort(new TransportError(message, exchange.operation, { code: replacedCode }));
    }
  }

  async close(reason: (exchange: Exchange) => unknown): Promise<void> {
    for (const exchange of this.#exchanges.all()) exchange.abort(reason(exchange));
    await this.#share.release();
  }

  #giveBack(): void {
    if (this.#exchanges.size > 0) return;
    this.#over(this);
    // The last exchange may have ended while its connection parses data, which continues afterwards.
    queueMicrotask(() => void this.#share.release());
  }
}

/** Credential of a request that must use a connection without a client certificate. */
export const noCertificate: unique symbol = Symbol('no certificate');

/**
 * The current leases of a client: one for its configuration, one for the certificate of its credential, and
 * one without a certificate.
 */
export class Leases {
  readonly #acquire: (tls: TlsConfig) => Share;
  readonly #open: Set<Lease> = new Set();
  readonly #past: WeakSet<Credential> = new WeakSet();
  #plain: Lease | undefined;
  #proven: Lease | undefined;
  #bare: { readonly base: TlsConfig; readonly lease: Lease } | undefined;
  #newest: Credential | undefined;
  #base: TlsConfig | undefined;

  constructor(acquire: (tls: TlsConfig) => Share) {
    this.#acquire = acquire;
  }

  /**
   * Returns the lease for new exchanges. Another certificate retires the previous lease and ends its streams;
   * another CA only retires it.
   * @throws {ConfigError} if the TLS configuration is invalid; the leases are unchanged then
   */
  for(tls: TlsConfig, credential: Credential | typeof noCertificate | undefined): Lease {
    if (credential === noCertificate && tls.cert !== undefined) return this.#forBare(tls);
    if (credential === noCertificate) return this.for(tls, undefined);
    if (credential?.cert !== undefined) return this.#forCredential(tls, credential);
    if (this.#plain?.tls === tls) return this.#plain;
    this.#plain = this.#replace(this.#plain, tls);
    return this.#plain;
  }

  /** Aborts all exchanges and releases all leases. */
  async close(reason: (exchange: Exchange) => unknown): Promise<void> {
    await Promise.all([...this.#open].map((lease) => lease.close(reason)));
  }

  #forBare(tls: TlsConfig): Lease {
    if (this.#bare?.base === tls) return this.#bare.lease;
    this.#bare = { base: tls, lease: this.#replace(this.#bare?.lease, withoutCertificate(tls)) };
    return this.#bare.lease;
  }

  /** Requests with the previous credential use the newer certificate too. */
  #forCredential(tls: TlsConfig, credential: Credential): Lease {
    const newest = this.#past.has(credential) ? (this.#newest ?? credential) : credential;
    if (this.#proven !== undefined && this.#newest === newest && this.#base === tls) return this.#proven;
    const { cert, key } = newest;
    const proof = { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
    this.#proven = this.#replace(this.#proven, { ...withoutCertificate(tls), ...proof });
    if (this.#newest !== undefined && this.#newest !== newest) this.#past.add(this.#newest);
    this.#newest = newest;
    this.#base = tls;
    return this.#proven;
  }

  #replace(old: Lease | undefined, tls: TlsConfig): Lease {
    const lease = new Lease(tls, this.#acquire(tls), (over) => this.#open.delete(over));
    this.#open.add(lease);
    if (old === undefined) return lease;
    old.retire();
    if (!sameProof(old.tls, tls)) old.endStreams();
    return lease;
  }
}

function sameProof(one: TlsConfig, other: TlsConfig): boolean {
  return one.cert === other.cert && one.key === other.key;
}
