/** Every combination of the options of lists and watches. */
const group = '/apis/lists.example.com/v1';
/** The collection of the objects. */
export const things = `${group}/namespaces/lists/things`;
const selectors = ['', 'labelSelector=x=1', 'fieldSelector=spec.colour=red'];

const [zero, half, full] = ['0x0000000000000000', '0x8000000000000000', '0x10000000000000000'] as const;
const whole = [zero, full] as const;

function range(start: string, end: string, field = 'object.metadata.uid'): string {
  return `shardRange(${field}, '${start}', '${end}')`;
}

/**
 * Returns the query strings of all lists. `{c}` is the version of the create of c; `{rv:c:b}` a continue
 * token at that version, after b.
 */
export function listQueries(): readonly string[] {
  const versions = ['', '0', '1', '{c}', '{last}', '{future}', 'x', '-1'];
  const matches = ['', 'Exact', 'NotOlderThan', 'Bogus'];
  const limits = ['', '2', '0', '-1', '100'];
  const tokens = ['', '{rv:c:b}', '{rv:-1:b}'];
  const crossed = versions.flatMap((version) =>
    matches.flatMap((match) =>
      limits.flatMap((limit) =>
        tokens
          // The response differs between etcd and the cache of the server.
          .filter((token) => !(version === '0' && token.includes('-1')))
          .map((token) =>
            query({ resourceVersion: version, resourceVersionMatch: match, limit, continue: token }),
          ),
      ),
    ),
  );
  const selected = selectors
    .slice(1)
    .flatMap((selector) =>
      ['', 'limit=1', 'limit=2', 'limit=2&continue={rv:c:b}', 'limit=3', 'resourceVersion={c}&limit=1'].map(
        (rest) => join(selector, rest),
      ),
    );
  return [...crossed, ...selected, ...otherLists];
}

const otherLists: readonly string[] = [
  'limit=x',
  'limit=1.5',
  'timeoutSeconds=x',
  'watch=false',
  'watch=0',
  'allowWatchBookmarks=x',
  'sendInitialEvents=true',
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
  'continue=garbage',
  'continue=e30',
  'continue={rv:0:b}',
  'continue={rv:c:}',
  'continue={rv:c:../b}',
  'continue={rv:future:b}',
  'continue={rv:1:b}',
  'limit=1&continue={rv:-1:zzz}',
  'fieldSelector=metadata.name=b',
  'fieldSelector=metadata.name=zzz',
  'fieldSelector=metadata.name=b&limit=1',
  'fieldSelector=metadata.name=b&labelSelector=x=1',
  'fieldSelector=metadata.name=b&resourceVersion={c}&resourceVersionMatch=Exact',
  'fieldSelector=metadata.name!=b',
  'fieldSelector=metadata.name=b,metadata.namespace=lists',
  'fieldSelector=metadata.namespace=other',
  'fieldSelector=metadata.uid=x',
  'fieldSelector=spec.size=1',
  'fieldSelector=x',
  'fieldSelector==x',
  'fieldSelector=,',
  'fieldSelector=spec.colour=red,',
  'fieldSelector=spec.colour',
  'fieldSelector=spec.colour!=red',
  'fieldSelector=spec.colour==red',
  'fieldSelector=spec.colour=',
  'fieldSelector=spec.colour=a\\,b',
  'fieldSelector=spec.colour=a\\=b',
  'fieldSelector=spec.colour=a\\b',
  'fieldSelector=spec.colour=a=b',
  'fieldSelector=spec.colour=a\\',
  'fieldSelector=spec.colour in (red)',
  'fieldSelector= spec.colour=red',
  'labelSelector=x in (1,2)&fieldSelector=spec.colour=red',
  'labelSelector=x=1&labelSelector=x=2',
  'limit=1&limit=2',
  'unknown=1',
  ...shardSelectors().map((selector) => `shardSelector=${selector}`),
  `limit=1&shardSelector=${range(...whole)}`,
  `labelSelector=x=1&shardSelector=${range(...whole)}`,
];

/** Shard selectors that select everything, or nothing, or are invalid. */
function shardSelectors(): readonly string[] {
  return [
    '',
    ' ',
    range(...whole),
    `${range(zero, half)} || ${range(half, full)}`,
    `(${range(zero, half)})||${range(half, full)}`,
    ` ${range(...whole)} `,
    range(zero, full, 'object.metadata.namespace'),
    range(zero, full, 'object.metadata.name'),
    range(zero, full, 'metadata.uid'),
    range(zero, full, "'x'"),
    `shardRange(object.metadata.uid,'${zero}',"${full}")`,
    `${range(zero, half)} || ${range(zero, half, 'object.metadata.namespace')}`,
    `${range(zero, half)} + ${range(half, full)}`,
    `!${range(zero, half)}`,
    range(half, half),
    range(half, zero),
    range('0x0', full),
    range('0', full),
    range('0x', full),
    range('0x000000000000000g', full),
    range('0xF000000000000000', full),
    range(zero, '0x20000000000000000'),
    range(zero, '0x100000000000000000'),
    `shardRange(object.metadata.uid, '${zero}')`,
    `shardRange(object.metadata.uid, 0, 1)`,
    `shardRange(object.metadata.uid, size, '${full}')`,
    `other(object.metadata.uid)`,
    'uid',
    'true',
    `${range(zero, half)} ||`,
    'shardRange(',
  ];
}

/** Returns the query strings of all watches. */
export function watchQueries(): readonly string[] {
  const versions = ['', '0', '1', '{c}', '{last}', '{future}', 'x', '-1'];
  const matches = ['', 'NotOlderThan', 'Exact'];
  const initials = ['', 'true', 'false'];
  const bookmarks = ['', 'true'];
  const crossed = versions.flatMap((version) =>
    matches.flatMap((match) =>
      initials.flatMap((sendInitialEvents) =>
        bookmarks.map((allowWatchBookmarks) =>
          query({
            resourceVersion: version,
            resourceVersionMatch: match,
            sendInitialEvents,
            allowWatchBookmarks,
          }),
        ),
      ),
    ),
  );
  const selected = [
    ...selectors.slice(1),
    'fieldSelector=metadata.name=b',
    'fieldSelector=metadata.name!=b',
  ].flatMap((selector) =>
    ['', 'resourceVersion={a}', `resourceVersion={c}`].map((rest) => join(selector, rest)),
  );
  return [...crossed, ...selected, ...otherWatches];
}

const otherWatches: readonly string[] = [
  'continue={rv:c:b}',
  'resourceVersion={c}&continue={rv:c:b}',
  'limit=1',
  'fieldSelector=spec.size=1',
  'timeoutSeconds=x',
  'resourceVersion={last}&fieldSelector=metadata.name=b',
  'labelSelector=x=1&allowWatchBookmarks=true',
  'fieldSelector=metadata.name=zzz&allowWatchBookmarks=true',
  `shardSelector=${range(...whole)}`,
  `shardSelector=${range(...whole)}&resourceVersion={c}`,
  `shardSelector=${range(half, zero)}`,
];

/** Paths of the deprecated form of watches, and of watches of one object. */
export const watchPaths: readonly string[] = [
  `${group}/watch/namespaces/lists/things?resourceVersion={c}`,
  `${group}/watch/namespaces/lists/things/b?resourceVersion={a}`,
  `${group}/watch/namespaces/lists/things/b?resourceVersion={a}&fieldSelector=metadata.name=b`,
  `${group}/watch/namespaces/lists/things/b?resourceVersion={a}&fieldSelector=metadata.name=c`,
  `${group}/watch/namespaces/lists/things/b?resourceVersion={a}&fieldSelector=spec.colour=red`,
  `${group}/watch/namespaces/lists/things/b?watch=false&resourceVersion={a}`,
  `${group}/watch/things?resourceVersion={c}`,
  `${group}/namespaces/lists/things/b?watch=true&resourceVersion={a}`,
  `${group}/namespaces/lists/things/b?watch=true&resourceVersion={a}&fieldSelector=metadata.name=c`,
  `${group}/watch/namespaces/lists/things`,
  `${group}/watch/namespaces/lists/things?resourceVersion=0&allowWatchBookmarks=true`,
  `${group}/watch/namespaces/lists/things?resourceVersion={c}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  `${group}/watch/namespaces/lists/things?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
  `${group}/watch/namespaces/lists/things?resourceVersion={c}&resourceVersionMatch=Exact`,
  `${group}/watch/namespaces/lists/things?continue={rv:c:b}`,
  `${group}/watch/namespaces/lists/nothings`,
  `${group}/watch/namespaces/none/things`,
  `${group}/watch`,
  '/api/v1/watch',
  '/api/v1/watch/namespaces/lists',
  '/api/v1/watch/namespaces?fieldSelector=metadata.name=lists',
  '/api/v1/namespaces/lists?watch=true',
];

function query(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Joins the parts of a query that are not empty. */
export function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('&');
}
