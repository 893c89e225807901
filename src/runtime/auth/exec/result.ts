/** Parser of the untrusted output of plugins. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { ConfigError } from '../../api/errors.ts';
import { type Fields, isFields, member } from '../../common/fields.ts';
import type { ExecConfig } from '../../config/types.ts';
import { bearer } from '../bearer.ts';
import type { Credential } from '../types.ts';
import { pluginName } from './check.ts';

/** A credential and its expiry. */
export interface ExecResult {
  readonly credential: Credential;
  /** Expiry in milliseconds since 1970; infinite if the plugin specifies none. */
  readonly expiresAt: number;
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
/** Zero value of Go's times. */
const noTime = Date.parse('0001-01-01T00:00:00Z');

/** Reader of the output of one plugin. */
class Reader {
  readonly #exec: ExecConfig;

  constructor(exec: ExecConfig) {
    this.#exec = exec;
  }

  read(output: unknown): ExecResult {
    const status = this.#status(output);
    const token = this.#text(status, 'token');
    const certificate = this.#certificate(status);
    if (token === '' && certificate === undefined)
      throw this.#error('returned neither a token nor a certificate with its key');
    return {
      credential: {
        ...(token !== '' && bearer(token, `the token of ${pluginName(this.#exec)}`)),
        ...certificate,
      },
      expiresAt: this.#expiry(member(status, 'expirationTimestamp')),
    };
  }

  #error(what: string): ConfigError {
    return new ConfigError(`${pluginName(this.#exec)} ${what}`);
  }

  #status(output: unknown): Fields {
    const { apiVersion } = this.#exec;
    if (!isFields(output))
      throw this.#error(
        'did not write an ExecCredential to standard output: it is not an object in JSON or YAML',
      );
    if (member(output, 'kind') !== 'ExecCredential') {
      throw this.#error('wrote an object to standard output whose kind is not ExecCredential');
    }
    const version = member(output, 'apiVersion');
    if (version !== apiVersion) {
      const known =
        typeof version === 'string' && /^client\.authentication\.k8s\.io\/v\w{1,20}$/.test(version);
      throw this.#error(
        `returned ${known ? version : 'another API version'}, but is configured for ${apiVersion}; change apiVersion, or update the plugin`,
      );
    }
    const status = member(output, 'status');
    if (!isFields(status)) throw this.#error('wrote an ExecCredential without a status');
    return status;
  }

  #text(status: Fields, name: string): string {
    const value = member(status, name) ?? '';
    if (typeof value !== 'string') throw this.#error(`returned a status.${name} that is not a string`);
    return value;
  }

  #certificate(status: Fields): Pick<Credential, 'cert' | 'key'> | undefined {
    const cert = this.#text(status, 'clientCertificateData');
    const key = this.#text(status, 'clientKeyData');
    if (cert === '' && key === '') return undefined;
    if (cert === '' || key === '') {
      throw this.#error(
        `returned a ${key === '' ? 'certificate without its key' : 'key without its certificate'}`,
      );
    }
    this.#checkPair(cert, key);
    return { cert, key };
  }

  /** OpenSSL's messages about the material are not repeated. */
  #checkPair(cert: string, key: string): void {
    if (/-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(key)) {
      throw this.#error('returned an encrypted key, which is not supported');
    }
    let fits: boolean;
    try {
      fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
    } catch {
      throw this.#error('returned a certificate or a key that cannot be parsed; both must be PEM');
    }
    if (!fits) throw this.#error('returned a key that does not belong to its certificate');
  }

  #expiry(value: unknown): number {
    if (value === undefined || value === null) return Number.POSITIVE_INFINITY;
    const time = typeof value === 'string' && timestamp.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(time))
      throw this.#error('returned a status.expirationTimestamp that is not an RFC 3339 time');
    return time === noTime ? Number.POSITIVE_INFINITY : time;
  }
}

/**
 * Parses the standard output of a plugin.
 * @throws {ConfigError} if it is not a valid credential; the message does not repeat it
 */
export async function readExecCredential(stdout: Uint8Array, exec: ExecConfig): Promise<ExecResult> {
  const output = await parseOutput(Buffer.from(stdout).toString('utf8'));
  return new Reader(exec).read(output);
}

/**
 * Parses JSON or YAML, of which the first document counts, as in client-go. Does not throw: the error of a
 * parser would repeat the input.
 */
async function parseOutput(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { yamlDocuments } = await import('../../yaml/documents.ts');
    // The caller reports that it is neither.
    return firstValue(() => yamlDocuments(text, 'output'));
  }
}

function firstValue(parse: () => readonly { readonly value?: unknown }[]): unknown {
  try {
    return parse()[0]?.value;
  } catch {
    return undefined;
  }
}
