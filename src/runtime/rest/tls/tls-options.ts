/** Conversion of the TLS part of a configuration to Node's options. */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { ConfigError } from '../../api/errors.ts';
import type { TlsConfig } from '../../config/types.ts';
import { errorCode } from '../abort/error-codes.ts';

/** Options of TLS connections. */
export interface TlsOptions {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
}

/** Parsed once, not per connection. OpenSSL's messages do not repeat the material. */
function secureContext({ ca, cert, key }: TlsConfig): SecureContext {
  try {
    return createSecureContext({
      minVersion: 'TLSv1.2',
      // As in Go, each certificate in `ca` is a trust anchor: an intermediate, or that of the server itself.
      // Without `ca`, the option would replace the certificates of NODE_EXTRA_CA_CERTS.
      ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    });
  } catch (cause) {
    const mismatch = errorCode(cause) === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH';
    const what = mismatch
      ? 'the private key does not belong to the client certificate'
      : 'the CA, certificate or key is malformed';
    throw new ConfigError(`the TLS configuration cannot be used: ${what}`, { cause });
  }
}

/**
 * Parses the certificates and the key of a configuration.
 * @throws {ConfigError} if one of them cannot be parsed, the key does not belong to the certificate, or two
 * parts exclude each other
 */
export function tlsOptions(tls: TlsConfig): TlsOptions {
  const insecure = tls.insecureSkipTlsVerify === true;
  if (insecure && tls.ca !== undefined) {
    throw new ConfigError('the TLS configuration has both ca and insecureSkipTlsVerify; remove one of them');
  }
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    const [given, missing] = tls.cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
    throw new ConfigError(`the TLS configuration has \`${given}\` and no \`${missing}\`; set both or none`);
  }
  if (tls.ca !== undefined) checkCa(tls.ca);
  return {
    secureContext: secureContext(tls),
    rejectUnauthorized: !insecure,
  };
}

/** Validates a CA: Node ignores one that it cannot parse, and then trusts no certificate. */
function checkCa(ca: string): void {
  try {
    new X509Certificate(ca);
  } catch (cause) {
    throw new ConfigError(
      'the TLS configuration cannot be used: `ca` (in a kubeconfig: certificate-authority) contains no certificate; ' +
        'set PEM with a "-----BEGIN CERTIFICATE-----" line',
      { cause },
    );
  }
}
