// Clients of others, for comparison.
import { peerFolder } from '../support/peer.mjs';

/**
 * Returns the folder in which it is installed. Prints the reason and returns undefined if npm cannot install
 * it.
 */
export function clientNodeFolder() {
  return peerFolder('@kubernetes/client-node', '2.0.1');
}

/** Release of kubernetes-fluent-client that Pepr 1.1.4 depends on. */
export const fluentVersion = '3.11.6';

/** Returns the folder of kubernetes-fluent-client, as `clientNodeFolder` does. */
export function fluentFolder() {
  return peerFolder('kubernetes-fluent-client', fluentVersion);
}
