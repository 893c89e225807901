import { type Entry, plural, type WireObject } from './objects.ts';

/** Members of a request that the server reads. */
export interface HttpRequest {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Objects that a client requests. */
export interface View {
  readonly namespace: string | undefined;
  readonly tier: string | undefined;
}

export interface ListRequest {
  readonly view: View;
  /** Identifies watches of the same objects: path and selectors. */
  readonly source: string;
  readonly verb: 'list' | 'watch' | 'stream';
  readonly version: string | undefined;
  readonly match: string | undefined;
  readonly limit: number | undefined;
  readonly token: string | undefined;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number;
}

const paths = new RegExp(`^/apis/example\\.com/v1/(?:namespaces/([^/]+)/)?${plural}$`);

/** Parses a request. Throws for requests that no client of this resource should send. */
export function readRequest({ path, query }: HttpRequest): ListRequest {
  const found = paths.exec(path);
  if (found === null) throw new Error(`unknown path ${path}`);
  const values = new Map(query);
  if (values.size !== query.length) throw new Error('a parameter is repeated');
  const selector = values.get('labelSelector');
  const tier = selector === undefined ? undefined : /^tier=(\w+)$/.exec(selector)?.[1];
  if (selector !== undefined && tier === undefined) throw new Error(`labelSelector: ${selector}`);
  const watch = values.get('watch') === 'true';
  const state = values.get('sendInitialEvents') === 'true';
  const limit = values.get('limit');
  return {
    view: { namespace: found[1], tier },
    source: sourceOf({ namespace: found[1], tier }),
    verb: watch ? (state ? 'stream' : 'watch') : 'list',
    version: values.get('resourceVersion') || undefined,
    match: values.get('resourceVersionMatch'),
    limit: limit === undefined ? undefined : Number(limit),
    token: values.get('continue'),
    bookmarks: values.get('allowWatchBookmarks') === 'true',
    timeoutSeconds: Number(values.get('timeoutSeconds') ?? 1800),
  };
}

/** Returns the name of the source with a view. */
export function sourceOf({ namespace = '*', tier }: View): string {
  return tier === undefined ? namespace : `${namespace} tier=${tier}`;
}

/** Returns true if the view contains an object. */
export function sees({ namespace, tier }: View, { metadata }: WireObject): boolean {
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  return tier === undefined || metadata.labels['tier'] === tier;
}

/**
 * Returns the event of a change in a view; undefined if the view is not affected. An object that leaves the
 * view is deleted.
 */
export function seen(
  view: View,
  entry: Pick<Entry, 'type' | 'object' | 'before'>,
): Pick<Entry, 'type' | 'object'> | undefined {
  const { type, object, before } = entry;
  const is = type !== 'DELETED' && sees(view, object);
  const was = before !== undefined && sees(view, before);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object };
  if (!was) return undefined;
  const { resourceVersion } = object.metadata;
  return { type: 'DELETED', object: { ...before, metadata: { ...before.metadata, resourceVersion } } };
}
