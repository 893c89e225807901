/** Why a server may not know who asks, where that can be seen from here. Loaded with the first refusal. */
import { readFile } from 'node:fs/promises';
import type { ClusterConfig } from '../config/types.ts';
import { certificateOutOfTime } from './tls-failures.ts';

async function ownCertificate({ tls }: ClusterConfig): Promise<string | undefined> {
  if (tls?.cert !== undefined || tls?.certFile === undefined) return tls?.cert;
  try {
    return await readFile(tls.certFile, 'utf8');
  } catch {
    // It was there when the connection was made; the refusal itself is the news.
    return undefined;
  }
}

/** A server that is shown an old certificate answers 401 without a word about it. */
export async function whyUnauthorized(config: ClusterConfig): Promise<string | undefined> {
  const pem = await ownCertificate(config);
  return pem === undefined ? undefined : certificateOutOfTime(pem);
}
