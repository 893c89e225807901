// @kubernetes/client-node, the client that people use today.
import { peerFolder } from './peer.mjs';

/** Folder that has it; undefined, after a line that says why, where npm cannot install it. */
export function clientNodeFolder() {
  return peerFolder('@kubernetes/client-node', '2.0.1');
}
