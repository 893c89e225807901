/** The TLS part of a configuration, as Node wants it. */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { TlsConfig } from '../config/types.ts';
import { ConfigError } from '../errors.ts';
import { errorCode } from './codes.ts';

/** What connections are made with. */
export interface TlsOptions {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
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
function secureContext({ ca, cert, key }: TlsConfig): SecureContext {
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

/**
 * Reads the material of a configuration.
 * @throws {ConfigError} it cannot be read, the key is not that of the certificate, or two parts exclude each other
 */
export function tlsOptions(tls: TlsConfig): TlsOptions {
  const insecure = tls.insecureSkipTlsVerify === true;
  if (insecure && tls.ca !== undefined) {
    throw new ConfigError(
      'the TLS configuration has both ca and insecureSkipTlsVerify; leave one of them out',
    );
  }
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    const [given, missing] = tls.cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
    throw new ConfigError(`the TLS configuration has \`${given}\` and no \`${missing}\`; give both or none`);
  }
  if (tls.ca !== undefined) checkCa(tls.ca);
  return {
    secureContext: secureContext(tls),
    rejectUnauthorized: !insecure,
  };
}
