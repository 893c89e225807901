/** Breaks the store of a control plane on purpose, through etcd's HTTP gateway. */

/**
 * Forgets the history up to a revision, by default up to now: who watches or pages from an earlier one is told that it
 * is too old. What was changed in that revision itself is still told, but not from what.
 */
export async function compact(etcd: string, revision?: string): Promise<void> {
  await call(etcd, 'compaction', { revision: revision ?? (await present(etcd)), physical: true });
}

/** Any read tells the revision. */
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
  // The gateway's answer to a call that succeeded.
  return (await response.json()) as Reply;
}
