/** Compaction of the store of a control plane, through etcd's HTTP gateway. */

/**
 * Compacts the history up to a revision, by default the current one: watches and pages from an earlier
 * revision fail as expired. The change of that revision itself is still delivered, without its previous
 * value.
 */
export async function compact(etcd: string, revision?: string): Promise<void> {
  await call(etcd, 'compaction', { revision: revision ?? (await present(etcd)), physical: true });
}

/** Returns the current revision, which is part of every response. */
async function present(etcd: string): Promise<string> {
  const { header } = await call(etcd, 'range', { key: Buffer.from('kgen').toString('base64') });
  return header.revision;
}

interface Reply {
  readonly header: { readonly revision: string };
}

async function call(etcd: string, method: string, body: object): Promise<Reply> {
  const response = await fetch(`${etcd}/v3/kv/${method}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd ${method}: ${response.status} ${await response.text()}`);
  // Response of the gateway to a successful call.
  return (await response.json()) as Reply;
}
