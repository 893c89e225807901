import type { Database } from './database.ts';
import { brokenForm, group, keyOf, kind, type WireObject } from './objects.ts';
import { expired, type Failure, tooLarge } from './responses.ts';
import { type ListRequest, sees } from './view.ts';

/** Properties of a server. */
export interface Traits {
  /** Lists at a version come from memory, without pages, and at `0` possibly stale. Bookmarks are sent. */
  readonly cache: boolean;
  /**
   * Behaviour for `sendInitialEvents`: streams the state; rejects with 400 or 422; or ignores the parameter,
   * as old servers do, and follows from any version.
   */
  readonly state: 'streamed' | 400 | 422 | 'unknown parameter';
  /** Objects per page, for any limit. */
  readonly pageSize: number;
  /** Streams consist of frames, each with the JSON of an event. Default: false, lines. */
  readonly frames?: boolean | undefined;
  /** Responds at once. Default: false, some responses are delayed. */
  readonly prompt?: boolean | undefined;
}

/** A page of a list. */
export interface Page {
  readonly version: number;
  readonly text: string;
  readonly isLast: boolean;
}

interface Place {
  readonly version: number;
  /** The key of the last object of the previous page. */
  readonly after: string | undefined;
  readonly limit: number | undefined;
}

/** Returns a list from the database, or from a cache at the version `cached`. */
export function listPage(
  database: Database,
  traits: Traits,
  requested: ListRequest,
  cached: number,
): Page | { readonly failure: Failure } {
  const place = placeOf(database, traits, requested, cached);
  if ('failure' in place) return place;
  const all = database.at(place.version).filter((object) => sees(requested.view, object));
  const { after } = place;
  const rest = after === undefined ? all : all.filter((object) => keyOf(object) > after);
  const size = place.limit === undefined ? rest.length : Math.min(place.limit, traits.pageSize);
  const items = rest.slice(0, size);
  const last = items.at(-1);
  const isLast = size >= rest.length || last === undefined;
  const token = isLast ? '' : Buffer.from(`${place.version} ${keyOf(last)}`).toString('base64url');
  const metadata = { resourceVersion: String(place.version), continue: token };
  const text = JSON.stringify({
    kind: `${kind}List`,
    apiVersion: `${group}/v1`,
    metadata,
    items: items.map((item) => sentForm(database, item)),
  });
  return { version: place.version, text, isLast };
}

function sentForm(database: Database, object: WireObject): unknown {
  return database.isBroken(object) ? brokenForm(object) : object;
}

/** Returns the requested state and its start. */
function placeOf(
  database: Database,
  { cache }: Traits,
  { version, token, limit, match }: ListRequest,
  cached: number,
): Place | { readonly failure: Failure } {
  if (token !== undefined) {
    const [at = '', after = ''] = Buffer.from(token, 'base64url').toString().split(' ');
    const gone = Number(at) < database.compacted;
    return gone ? { failure: expired } : { version: Number(at), after, limit };
  }
  const newest = { version: database.version, after: undefined, limit };
  if (version === undefined) return newest;
  if (version === '0') return cache ? { ...newest, version: cached, limit: undefined } : newest;
  const least = Number(version);
  const exact = match === 'Exact' || (match === undefined && limit !== undefined);
  if (exact && least < database.compacted) return { failure: expired };
  // Only the database supports a limit.
  const known = cache && limit === undefined ? cached : database.version;
  if (least > known) return { failure: tooLarge(least, known, least % 2 === 0) };
  return { ...newest, version: exact ? least : known };
}
