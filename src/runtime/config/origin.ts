/**
 * Origin of the parts of a configuration. A kubeconfig may contain a client certificate and a token, and
 * kubectl sends both. In a configuration whose `auth` was replaced, the new credential applies, and the
 * certificate must not be sent.
 */
import type { ClusterConfig } from './types.ts';

/**
 * Symbol that all copies of this package share. The property is not enumerable, so that a copied part has no
 * origin.
 */
export const origin: unique symbol = Symbol.for('@kgen/runtime/origin');

/** Returns whether a configuration has a client certificate that is not from a kubeconfig. */
export function hasOwnCertificate({ tls }: ClusterConfig): boolean {
  return Boolean((tls?.cert ?? tls?.certFile) && !(origin in tls));
}
