/** Certificates of servers and clients for tests, including invalid ones. */

import { type CertificateAuthority, createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { vi } from 'vitest';

/** Keys and certificates of two authorities. */
export interface Certificates {
  readonly trusted: CertificateAuthority;
  readonly other: CertificateAuthority;
  readonly server: KeyPair;
  readonly oldServer: KeyPair;
  readonly jane: KeyPair;
  readonly joe: KeyPair;
  readonly oldJane: KeyPair;
}

const dayMs = 86_400_000;

/** Creates a value with a clock in the past: certificates are valid for days. */
export async function longAgo<T>(make: () => T | Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 90 * dayMs });
  try {
    return await make();
  } finally {
    vi.useRealTimers();
  }
}

export async function createCertificates(): Promise<Certificates> {
  const trusted = await createAuthority();
  const hosts = { names: ['api.test'], addresses: ['127.0.0.1'] };
  return {
    trusted,
    other: await createAuthority(),
    server: await trusted.issueServer('api', hosts),
    jane: await trusted.issueClient('jane', []),
    joe: await trusted.issueClient('joe', []),
    oldServer: await longAgo(() => trusted.issueServer('api', hosts)),
    oldJane: await longAgo(() => trusted.issueClient('jane', [])),
  };
}
