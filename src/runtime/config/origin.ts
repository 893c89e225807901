/**
 * Where the parts of a configuration come from. A kubeconfig may hold a client certificate and a token, and kubectl sends
 * both. In a configuration whose `auth` was replaced, the new credential is meant, and the certificate must stay away.
 */
import type { ClusterConfig } from './types.ts';

/** The same symbol in every copy of this package. Not enumerable, so that a part that is copied has no origin. */
export const origin: unique symbol = Symbol.for('@kgen/runtime/origin');

/** Whether a configuration has a client certificate that no kubeconfig gave it. */
export function hasOwnCertificate({ tls }: ClusterConfig): boolean {
  return Boolean((tls?.cert ?? tls?.certFile) && !(origin in tls));
}
