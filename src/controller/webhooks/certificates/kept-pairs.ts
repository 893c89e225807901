/** Pairs that replicas share in a Secret: their issuance, and the data of the Secret. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  type AuthorityOptions,
  type CertificateAuthority,
  createAuthority,
  type Hosts,
  type KeyPair,
  restoreAuthority,
} from '@kgen/certificates/authority';
import { certificateFacts, isSignedBy, splitBundle } from '@kgen/certificates/facts';

/** Content of the Secret. */
export interface KeptPairs {
  /** Authority that issues the certificates of the server. */
  readonly authority: KeyPair;
  /**
   * Certificate of the server; after a rotation followed by one that the previous authority has issued for
   * the present one, so that API servers which trust only the previous one trust the server, too.
   */
  readonly leaf: KeyPair;
  /** Authority that issues certificates as soon as all API servers trust it. */
  readonly next?: KeyPair | undefined;
  /** Previous authority, which is trusted until the last certificate that it has issued expires. */
  readonly previous?: { readonly authority: string; readonly leaf: string } | undefined;
}

/** Validity of certificates, in milliseconds. */
export interface Validity {
  readonly authorityMs: number;
  readonly leafMs: number;
  /** Largest difference between two clocks: certificates begin to be valid earlier, and end later, by it. */
  readonly clockMs: number;
}

/** Issues the pairs of one Secret. */
export class PairIssuer {
  readonly #hosts: Hosts;
  readonly #validity: Validity;
  readonly #prefix: string;
  readonly #options: AuthorityOptions;

  /** @param prefix common name of its authorities, to which the time of their creation is appended */
  constructor(
    hosts: Hosts,
    validity: Validity,
    prefix: string,
    options: Pick<AuthorityOptions, 'now' | 'randomBytes'>,
  ) {
    this.#hosts = hosts;
    this.#validity = validity;
    this.#prefix = prefix;
    this.#options = { ...options, earlyMs: validity.clockMs };
  }

  /** Returns an authority and a certificate of its own. */
  first(): KeptPairs {
    const authority = this.authority();
    return { authority, leaf: this.#leaf(authority) };
  }

  /** Returns a new authority. */
  authority(): KeyPair {
    const name = `${this.#prefix}${this.#now.toString(36)}`;
    return createAuthority({ ...this.#options, name, validMs: this.#validity.authorityMs }).pair();
  }

  /** Returns the pairs with a new certificate of their authority. */
  renewed(kept: Omit<KeptPairs, 'leaf'> & Partial<KeptPairs>): KeptPairs {
    const [, ...others] = splitBundle(kept.leaf?.cert ?? '');
    return { ...kept, leaf: this.#leaf(kept.authority, others) };
  }

  /** Returns the pairs after `next` has become the authority. */
  promoted({ authority, leaf }: KeptPairs, next: KeyPair): KeptPairs {
    const [own = ''] = splitBundle(leaf.cert);
    const previous = { authority: authority.cert, leaf: own };
    return { authority: next, leaf: this.#leaf(next, [this.#restored(authority).crossSign(next)]), previous };
  }

  /** Whether an authority with this subject was created by an issuer with the same prefix. */
  isOwn(subject: string): boolean {
    return subject.startsWith(`CN=${this.#prefix}`);
  }

  /** Whether the certificate is valid for all names. */
  hasNames(leaf: string): boolean {
    const { names, addresses } = certificateFacts(leaf);
    const isIn = (values: readonly string[], all: readonly string[]): boolean =>
      values.every((value) => all.includes(value));
    return isIn(this.#hosts.names, names) && isIn(this.#hosts.addresses, addresses);
  }

  #leaf(pair: KeyPair, others: readonly string[] = []): KeyPair {
    const leftMs = certificateFacts(pair.cert).until - this.#now;
    const validMs = Math.min(this.#validity.leafMs, leftMs);
    const { cert, key } = this.#restored(pair).issueServer('kgen-webhooks', this.#hosts, validMs);
    return { cert: cert + others.join(''), key };
  }

  #restored(pair: KeyPair): CertificateAuthority {
    return restoreAuthority(pair, this.#options);
  }

  get #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** Returns the data of the Secret. `ca.crt` are all authorities, for programs that verify the server. */
export function dataOf({ authority, leaf, next, previous }: KeptPairs): Readonly<Record<string, string>> {
  const texts = {
    'tls.crt': leaf.cert,
    'tls.key': leaf.key,
    'ca.crt': [authority.cert, next?.cert, previous?.authority].join(''),
    'authority.crt': authority.cert,
    'authority.key': authority.key,
    ...(next && { 'next.crt': next.cert, 'next.key': next.key }),
    ...(previous && { 'previous.crt': previous.authority, 'previous-leaf.crt': previous.leaf }),
  };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  );
}

/** Returns the valid pairs of the data of a Secret; without `leaf`, or anything, if it was damaged. */
export function pairsOf(data: Readonly<Record<string, unknown>>): Partial<KeptPairs> {
  const text = (name: string): string => {
    const value = data[name];
    return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
  };
  const pair = (name: string): KeyPair => ({ cert: text(`${name}.crt`), key: text(`${name}.key`) });
  const [authority, leaf, next] = [pair('authority'), pair('tls'), pair('next')];
  if (!isAuthority(authority)) return {};
  return {
    authority,
    ...(isLeaf(leaf, authority.cert) && { leaf }),
    ...(isAuthority(next) && { next }),
    ...previousOf(text('previous.crt'), text('previous-leaf.crt')),
  };
}

function isAuthority(pair: KeyPair): boolean {
  try {
    restoreAuthority(pair);
    return true;
  } catch {
    return false;
  }
}

function isLeaf({ cert, key }: KeyPair, authority: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) && isSignedBy(cert, authority);
  } catch {
    return false;
  }
}

function previousOf(authority: string, leaf: string): Pick<KeptPairs, 'previous'> {
  try {
    return isSignedBy(leaf, authority) ? { previous: { authority, leaf } } : {};
  } catch {
    return {};
  }
}
