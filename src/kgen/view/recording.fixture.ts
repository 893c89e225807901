/** Lines of a small recording: writes that are caused by a change, and requests by `fetch`. */

const header = {
  type: 'kgen recording',
  version: 1,
  program: 'shop',
  reason: 'request',
  from: '2026-01-05T10:00:00.000Z',
  to: '2026-01-05T10:00:10.000Z',
  secrets: false,
  dropped: 3,
  omittedObjects: 0,
};
const start = Date.parse(header.from);
const metadata = { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '1' };
const map = { metadata: { ...metadata, uid: 'u2', ownerReferences: [{ uid: 'u1' }] }, data: { a: '1' } };
const path = '/api/v1/namespaces/shop/configmaps/web';
const informer = { type: 'informer', version: 'v1' };
const key = { namespace: 'shop', name: 'web' };
const cause = [{ type: 'update', informer: 'apps.example.com', object: 'shop/web' }, { type: 'retry' }];

/** Entries of the recording, without its end. */
export const recordingEntries: readonly object[] = [
  header,
  { ...informer, informer: 0, group: 'example.com', resource: 'apps', kind: 'App' },
  { ...informer, informer: 1, group: '', resource: 'secrets', kind: 'Secret' },
  { type: 'object', informer: 0, object: { metadata, spec: { size: 1 } } },
  {
    type: 'object',
    informer: 1,
    object: { metadata: { ...metadata, uid: 'u3' }, data: { password: 'aHVudGVyMg==' } },
  },
  {
    type: 'change',
    at: start + 1_000,
    informer: 0,
    change: 'update',
    object: { metadata: { ...metadata, resourceVersion: '2' }, spec: { size: 2 } },
  },
  { type: 'start', at: start + 1_100, run: 1, controller: 'apps', key, attempt: 2, cause },
  {
    ...{ type: 'request', at: start + 1_110, run: 1, request: 1, method: 'PATCH', path },
    ...{ query: [['fieldManager', 'shop']], body: { apiVersion: 'v1', ...map } },
  },
  { type: 'response', at: start + 1_120, run: 1, request: 1, result: 'response', body: map },
  {
    ...{ type: 'request', at: start + 1_130, run: 1, request: 2, method: 'POST' },
    ...{ path: '/apis/batch/v1/namespaces/shop/jobs', query: [], body: { metadata: { name: 'backup' } } },
  },
  {
    ...{ type: 'response', at: start + 1_140, run: 1, request: 2, result: 'error' },
    error: { name: 'ApiError', message: 'no', status: { code: 409 } },
  },
  {
    ...{ type: 'request', at: start + 1_145, run: 1, request: 3, method: 'DELETE' },
    ...{ path: '/api/v1/namespaces/shop', query: [] },
  },
  {
    ...{ type: 'fetch', at: start + 1_146, run: 1, request: 4, method: 'PUT' },
    ...{ url: 'https://dns.example.com/records/web?ttl=60', body: '{"address":"10.0.0.1"}' },
  },
  { type: 'fetched', at: start + 1_147, run: 1, request: 4, result: 'response', status: 503, hasBody: true },
  { type: 'fetched body', at: start + 1_148, run: 1, request: 4, encoding: 'utf8', body: 'busy' },
  { type: 'fetch', at: start + 1_149, run: 1, request: 5, method: 'GET', url: 'https://dns.example.com' },
  {
    ...{ type: 'fetched', at: start + 1_149, run: 1, request: 5, result: 'error' },
    error: { name: 'TypeError', message: 'fetch failed' },
  },
  {
    ...{
      type: 'end',
      at: start + 1_150,
      run: 1,
      outcome: { type: 'retry', afterMs: 500 },
      error: 'ApiError: no',
    },
    reads: [{ from: 'cache', resource: 'apps.example.com', ...key, resourceVersion: '2' }],
  },
  { type: 'review', at: start + 1_200, path: '/validates', status: 200 },
];

/** The entries as the option `includeSecrets` records them. */
export const entriesWithSecrets: readonly object[] = [
  { ...header, secrets: true },
  ...recordingEntries.slice(1),
];

/** Returns the text of a recording. */
export function recordingText(entries: readonly object[] = recordingEntries): string {
  const all = [...entries, { type: 'end of recording', entries: entries.length }];
  return `${all.map((entry) => JSON.stringify(entry)).join('\n')}\n`;
}
