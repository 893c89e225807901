/** Breaks the store of a control plane on purpose, through etcd's HTTP gateway. */

/** Forgets the history up to now: who watches or pages from an earlier revision is told that it is too old. */
export async function compact(etcd: string): Promise<void> {
  // Any read tells the revision.
  const { header } = await call(etcd, 'range', { key: Buffer.from('kgen').toString('base64') });
  await call(etcd, 'compaction', { revision: header.revision, physical: true });
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
