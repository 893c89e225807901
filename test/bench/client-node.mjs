// @kubernetes/client-node, for comparison.
import { peerFolder } from '../support/peer.mjs';

/**
 * Returns the folder in which it is installed. Prints the reason and returns undefined if npm cannot install
 * it.
 */
export function clientNodeFolder() {
  return peerFolder('@kubernetes/client-node', '2.0.1');
}
