/** Certificates of servers: in files that are read again after a change, or self-signed. */
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@kgen/runtime/informers';
import { childLogger, type Logger } from '../log.ts';

/** Interval of the reads, in milliseconds: that of controller-runtime's certificate watcher. */
const readMs = 10_000;
/** Interval of new self-signed certificates in milliseconds: a third of their validity. */
const renewMs = 10 * 24 * 3_600_000;

/** Files in PEM, such as those of a mounted Secret. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Files of a certificate, or `self-signed` for one that the process issues and renews in memory. */
export type ServerCertificate = CertificateFiles | 'self-signed';

/** A certificate, with those of intermediate authorities, and its key, in PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** A value that changes while a server uses it. */
export interface Watched<T> {
  /**
   * Resolves with the first value.
   * @throws if there is none; the message contains the action that resolves it
   */
  start(): Promise<T>;
  /** Sets the function that receives each later value. It must not throw. */
  onChange(use: (value: T) => void): void;
  /** Ends the watch, also one that has not started. Never rejects. */
  close(): Promise<void> | void;
}

/** Source of the certificate of a server. */
export type CertificateSource = Watched<CertificatePair>;

/**
 * Reads a certificate and its key.
 * @throws the error of a file that cannot be read, or of a key that does not belong to the certificate
 */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<CertificatePair> {
  // One after the other: the error of a folder without both names the same file each time.
  const cert = await readFile(certFile, 'utf8');
  const key = await readFile(keyFile, 'utf8');
  createSecureContext({ cert, key });
  return { cert, key };
}

/**
 * Reads the certificates of authorities.
 * @throws the error of a file that cannot be read, or that contains no certificates
 */
export async function readAuthorities(file: string): Promise<string> {
  const ca = await readFile(file, 'utf8');
  if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${file} contains no certificate in PEM`);
  createSecureContext({ ca });
  return ca;
}

/** Parts of `WatchedFiles`. */
export interface WatchedFilesParts<T> {
  /** Members of log entries that name the files. */
  readonly files: object;
  /** Reads the files. */
  readonly read: () => Promise<T>;
  /** Called after each read, with whether it has failed. Must not throw. */
  readonly wasRead?: ((isFailed: boolean) => void) | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Reads files every 10 seconds after `start`. Invalid contents are logged once, and the present ones stay in
 * use.
 */
export class WatchedFiles<T> implements Watched<T> {
  readonly #parts: WatchedFilesParts<T>;
  #use: (value: T) => void = () => undefined;
  #inUse: T | undefined;
  #problem: string | undefined;
  #isClosed = false;
  #cancel = (): void => undefined;

  constructor(parts: WatchedFilesParts<T>) {
    this.#parts = parts;
  }

  async start(): Promise<T> {
    const value = await this.#read();
    this.#inUse = value;
    this.#schedule();
    return value;
  }

  onChange(use: (value: T) => void): void {
    this.#use = use;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #schedule(): void {
    if (!this.#isClosed) this.#cancel = this.#parts.clock.timer(readMs, () => void this.#readAgain());
  }

  async #readAgain(): Promise<void> {
    try {
      const value = await this.#read();
      if (!this.#isClosed && !isDeepStrictEqual(value, this.#inUse)) this.#use(value);
      this.#inUse = value;
      this.#problem = undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const { log, files } = this.#parts;
      if (message !== this.#problem)
        childLogger(log, {}).error(
          { ...files, error },
          'certificate was not read; the previous one stays in use',
        );
      this.#problem = message;
    }
    this.#schedule();
  }

  async #read(): Promise<T> {
    const { read, wasRead } = this.#parts;
    try {
      const value = await read();
      wasRead?.(false);
      return value;
    } catch (error) {
      wasRead?.(true);
      throw error;
    }
  }
}

/** Parts of a source of certificates. */
export type CertificateParts = Omit<WatchedFilesParts<CertificatePair>, 'files' | 'read'>;

/** Returns the source of a certificate. */
export function certificatesOf(tls: ServerCertificate, parts: CertificateParts): CertificateSource {
  if (tls === 'self-signed') return new SelfSignedCertificates(parts.clock);
  return new WatchedFiles({ ...parts, files: tls, read: () => readCertificate(tls) });
}

/** Certificates for callers that do not verify them. The keys are in memory only. */
class SelfSignedCertificates implements CertificateSource {
  readonly #clock: Clock;
  #use: (pair: CertificatePair) => void = () => undefined;
  #isClosed = false;
  #cancel = (): void => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async start(): Promise<CertificatePair> {
    const { createAuthority } = await import('@kgen/certificates/authority');
    const hosts = { names: ['localhost'], addresses: ['127.0.0.1'] };
    const issue = (): CertificatePair =>
      createAuthority({ name: 'self-signed' }).issueServer('localhost', hosts);
    const schedule = (): void => {
      if (!this.#isClosed) this.#cancel = this.#clock.timer(renewMs, renew);
    };
    const renew = (): void => {
      this.#use(issue());
      schedule();
    };
    schedule();
    return issue();
  }

  onChange(use: (pair: CertificatePair) => void): void {
    this.#use = use;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }
}
