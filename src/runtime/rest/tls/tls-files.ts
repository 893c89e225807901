/** Certificate files that are reloaded when they are renewed while the program runs. */
import { readFile, stat } from 'node:fs/promises';
import { ConfigError } from '../../api/errors.ts';
import { messageOf } from '../../common/callbacks.ts';
import type { TlsConfig } from '../../config/types.ts';
import { tlsOptions } from './tls-options.ts';

/** Milliseconds between two checks of the files. */
const freshMs = 1000;

/** Clock and files, replaceable in tests. */
export interface FileEnvironment {
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  readonly read: (path: string) => Promise<string>;
  /** Returns a string that changes with the file. */
  readonly stamp: (path: string) => Promise<string>;
  readonly warn: (message: string) => void;
}

const systemEnvironment: FileEnvironment = {
  now: () => performance.now(),
  read: (path) => readFile(path, 'utf8'),
  stamp: async (path) => {
    const { mtimeNs, size, ino } = await stat(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  },
  warn: (message) => process.emitWarning(message, { type: 'KubernetesWarning' }),
};

/** Parts of a configuration that may come from files. */
const parts = ['ca', 'cert', 'key'] as const;

interface Source {
  readonly part: (typeof parts)[number];
  readonly path: string;
}

/**
 * The TLS part of a configuration, with the current content of its files. They are checked on use, about once
 * a second, and read when they changed. Only valid content is used: a certificate with the key of another, as
 * between two writes, or a file that is empty or missing, leaves the last valid ones in use; if the next
 * check finds the same, a process warning is emitted once.
 */
export class TlsFiles {
  readonly #sources: readonly Source[];
  readonly #environment: FileEnvironment;
  #tls: TlsConfig;
  #stamps = '';
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<TlsConfig> | undefined;
  #problem: { readonly key: string; readonly warned: boolean } | undefined;

  constructor(tls: TlsConfig, environment: FileEnvironment = systemEnvironment) {
    this.#tls = tls;
    this.#sources = sourcesOf(tls);
    this.#environment = environment;
  }

  /**
   * Returns the current configuration: the same object while nothing changed, and no promise if no check is
   * due.
   * @throws {ConfigError} if a file cannot be read and its part has no value
   */
  current(): TlsConfig | Promise<TlsConfig> {
    return this.#environment.now() - this.#checkedAt < freshMs ? this.#tls : this.recheck();
  }

  /** Checks the files now. Concurrent calls share one check. */
  recheck(): Promise<TlsConfig> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<TlsConfig> {
    let stamps = '';
    try {
      stamps = await this.#readStamps();
      if (stamps !== this.#stamps) {
        await this.#take();
        this.#stamps = stamps;
      }
      this.#problem = undefined;
    } catch (error) {
      if (!isComplete(this.#tls)) throw this.#unusable(error);
      this.#note(error, stamps);
    }
    this.#checkedAt = this.#environment.now();
    return this.#tls;
  }

  async #readStamps(): Promise<string> {
    const stamps = await Promise.all(this.#sources.map(({ path }) => this.#environment.stamp(path)));
    return stamps.join('\n');
  }

  async #take(): Promise<void> {
    const texts = await Promise.all(
      this.#sources.map(async ({ part, path }) => [part, await this.#environment.read(path)] as const),
    );
    if (texts.every(([part, text]) => this.#tls[part] === text)) return;
    const tls: TlsConfig = { ...this.#tls, ...Object.fromEntries(texts) };
    tlsOptions(tls);
    this.#tls = tls;
  }

  /** The first occurrence may be between the writes of two files: it is not reported. */
  #note(error: unknown, stamps: string): void {
    const text = this.#unusable(error).message;
    const key = `${stamps}\n${text}`;
    const again = this.#problem?.key === key;
    if (again && this.#problem?.warned === false) {
      this.#environment.warn(`${text}; the last good ones stay in use`);
    }
    this.#problem = { key, warned: again };
  }

  #unusable(cause: unknown): ConfigError {
    const paths = this.#sources.map(({ path }) => path).join(', ');
    return new ConfigError(`the TLS files cannot be used (${paths}): ${messageOf(cause)}`, { cause });
  }
}

/**
 * Returns whether every part with a file has a value too: otherwise the files have to be read before the
 * first connection.
 */
function isComplete(tls: TlsConfig): boolean {
  return parts.every((part) => tls[`${part}File`] === undefined || tls[part] !== undefined);
}

function sourcesOf(tls: TlsConfig): Source[] {
  return parts.flatMap((part): Source[] => {
    const path = tls[`${part}File`];
    return path === undefined ? [] : [{ part, path }];
  });
}

/** Returns the files that a configuration names; `undefined` if it names none. */
export function tlsFilesOf(tls: TlsConfig | undefined): TlsFiles | undefined {
  return tls === undefined || sourcesOf(tls).length === 0 ? undefined : new TlsFiles(tls);
}

/** Codes of Node for server certificates that are rejected. */
const refusedByUs: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Alerts of servers that reject the client certificate. */
const refusedByServer = /^ERR_SSL_.*ALERT_(BAD_CERTIFICATE|CERTIFICATE_|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE)/;

/**
 * Returns whether a handshake failed because one side rejected the other's certificate: newer files may help.
 */
export function isCertificateError(code: string | undefined): boolean {
  return code !== undefined && (refusedByUs.has(code) || refusedByServer.test(code));
}
