/** Bundles of authorities that API servers trust: the `caBundle` of configurations and definitions. */
import { type CertificateFacts, certificateFacts, isSignedBy, splitBundle } from '@kgen/certificates/facts';

/**
 * Returns whether a client with the bundle trusts the certificates that a server sends: its own, then others.
 */
export function isTrusted(chain: string, bundle: string): boolean {
  const authorities = readable(bundle);
  return splitBundle(chain).some((cert) => authorities.some(({ pem }) => isSignedBy(cert, pem)));
}

/** Returns the certificates of a bundle; texts that are not certificates make nothing trusted. */
export function certificatesOf(bundle: string): readonly string[] {
  return readable(bundle).map(({ pem }) => pem);
}

/** Returns whether a bundle contains a certificate. */
export function contains(bundle: string, cert: string): boolean {
  const [searched] = readable(cert);
  return readable(bundle).some(({ facts }) => facts.fingerprint === searched?.facts.fingerprint);
}

/** Authorities of a bundle, as `combine` decides them. */
export interface BundleChange {
  /** Certificates that the bundle must contain. */
  readonly trusted: readonly string[];
  /** Certificates that are removed from it. */
  readonly retired: readonly string[];
  /** Whether an authority with this subject belongs to the keeper; those that expired are removed. */
  readonly isOwn: (subject: string) => boolean;
  /** Present, less the difference that clocks may have; in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns a bundle with the changes; the same text if it needs none. Certificates of others are kept, and
 * texts without a certificate are dropped.
 */
export function combine(bundle: string, { trusted, retired, isOwn, now }: BundleChange): string {
  const entries = readable(bundle);
  const kept = entries.filter(({ pem, facts }) => {
    if (trusted.some((cert) => contains(cert, pem))) return true;
    if (retired.some((cert) => contains(cert, pem))) return false;
    return !isOwn(facts.subject) || facts.until > now;
  });
  const missing = trusted.filter((cert) => !contains(bundle, cert));
  if (kept.length === entries.length && missing.length === 0) return bundle;
  return [...kept.map(({ pem }) => pem), ...missing].join('');
}

interface Entry {
  readonly pem: string;
  readonly facts: CertificateFacts;
}

function readable(bundle: string): readonly Entry[] {
  return splitBundle(bundle).flatMap((pem) => {
    try {
      return [{ pem, facts: certificateFacts(pem) }];
    } catch {
      return [];
    }
  });
}
