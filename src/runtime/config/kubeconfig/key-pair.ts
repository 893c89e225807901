/** Check of a certificate with its key. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { ConfigError } from '../../api/errors.ts';
import type { Pem } from './material.ts';

/** @throws {ConfigError} if one of them cannot be parsed, or they do not belong together */
export function checkKeyPair(cert: Pem, key: Pem): void {
  if (certificateOf(cert).checkPrivateKey(privateKeyOf(key))) return;
  const file = cert.file === undefined ? 'client-certificate-data' : cert.file;
  throw new ConfigError(
    `${key.where} is not the key of the certificate in ${file}; use the two that belong together`,
  );
}

function privateKeyOf({ text, where }: Pem): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (cause) {
    throw new ConfigError(`${where} contains no valid private key`, { cause });
  }
}

function certificateOf({ text, where }: Pem): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw new ConfigError(`${where} contains no valid certificate`, { cause });
  }
}
