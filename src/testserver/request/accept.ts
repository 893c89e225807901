/** Negotiation of the media type and the representation of responses. */
import { notAcceptable } from '../errors/failures.ts';

/** Media type of a request or a response. */
export type MediaType = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf';

/** Media types in the order of preference. */
export const mediaTypes: readonly MediaType[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];

/** Kind to which objects are converted for the response. */
export interface Conversion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Representation of a response. */
export interface Representation {
  readonly mediaType: MediaType;
  readonly convert?: Conversion;
}

/** Representations of an endpoint. */
export interface Offer {
  /** Media types of objects that are not converted. */
  readonly plain: readonly MediaType[];
  readonly allows: (convert: Conversion, mediaType: MediaType) => boolean;
}

/**
 * Returns the representation that an Accept header prefers.
 * @throws {Failure} 406 if none is supported
 */
export function negotiate(accept: string, offer: Offer): Representation {
  const found = find(accept, offer);
  if (found === undefined) throw notAcceptable(mediaTypes);
  return found;
}

/**
 * Returns the representation of a watch. YAML has no streams.
 * @throws {Failure} 406 if none is supported
 */
export function negotiateWatch(accept: string, offer: Offer): Representation {
  const found = find(accept, offer);
  if (found === undefined) throw notAcceptable(mediaTypes);
  if (found.mediaType !== 'application/yaml') return found;
  const streams = mediaTypes.filter((type) => type !== 'application/yaml');
  throw notAcceptable(streams.map((type) => `${type};stream=watch`));
}

/** Returns the media type of a failure, which is not converted: JSON if the header accepts nothing else. */
export function failureType(accept: string): MediaType {
  const found = find(accept, { plain: mediaTypes, allows: () => false });
  return found?.mediaType ?? 'application/json';
}

/** Clients of people: their JSON is indented. */
const humanAgents = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** Returns whether JSON is indented: if the request demands it, and for browsers and tools like curl. */
export function isPretty({ accept, query, userAgent }: Pretty): boolean {
  if (accept.includes('pretty=1')) return true;
  const pretty = query.get('pretty') ?? '';
  return pretty === '' ? humanAgents.test(userAgent) : /^(?:1|t|T|TRUE|true|True)$/.test(pretty);
}

/** Members of a request that determine the indentation. */
interface Pretty {
  readonly accept: string;
  readonly query: URLSearchParams;
  readonly userAgent: string;
}

/** Returns the one of these media types that an Accept header prefers. Without a header, it is the first. */
export function preferredType<T extends string>(accept: string, types: readonly T[]): T | undefined {
  for (const { type, subtype } of parseAccept(accept === '' ? '*/*' : accept)) {
    const found = types.find((each) => {
      const [main, sub] = each.split('/');
      return (type === '*' || type === main) && (subtype === '*' || subtype === sub);
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Offer of objects as themselves, as metadata, and as tables if there are any. */
export function objectOffer(plain: readonly MediaType[], hasTables = true): Offer {
  return {
    plain,
    allows: ({ group, version, kind }, mediaType) => {
      if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return false;
      if (kind === 'Table') return hasTables && mediaType !== 'application/vnd.kubernetes.protobuf';
      return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList';
    },
  };
}

function find(accept: string, offer: Offer): Representation | undefined {
  if (accept === '') return { mediaType: 'application/json' };
  for (const clause of parseAccept(accept)) {
    for (const mediaType of mediaTypes) {
      const found = matches(clause, mediaType) ? represent(clause, mediaType, offer) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function matches({ type, subtype }: Clause, mediaType: MediaType): boolean {
  if (type === '*') return subtype === '*';
  return type === 'application' && (subtype === '*' || mediaType === `application/${subtype}`);
}

function represent({ parameters }: Clause, mediaType: MediaType, offer: Offer): Representation | undefined {
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || mediaType === 'application/yaml')) return undefined;
  const serverVersion = parameters.get('sv') ?? '';
  if (serverVersion !== '' && serverVersion !== 'v1') return undefined;
  if (!['as', 'g', 'v'].some((name) => parameters.has(name))) {
    return offer.plain.includes(mediaType) ? { mediaType } : undefined;
  }
  const convert = {
    group: parameters.get('g') ?? '',
    version: parameters.get('v') ?? '',
    kind: parameters.get('as') ?? '',
  };
  return offer.allows(convert, mediaType) ? { mediaType, convert } : undefined;
}

/** One part of an Accept header. */
interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Returns the clauses of a header, the preferred ones first. Invalid clauses are ignored. */
function parseAccept(header: string): readonly Clause[] {
  const clauses = header.split(',').flatMap((part) => parseClause(part.trim()) ?? []);
  return sortClauses(clauses);
}

function parseClause(part: string): Clause | undefined {
  const [range = '', ...rest] = part.split(';');
  const [type = '', subtype, ...more] = range.split('/').map((piece) => piece.trim());
  if (more.length > 0) return undefined;
  if (subtype === undefined && type !== '*') return undefined;
  const parameters = new Map(
    rest
      .map((parameter) => parameter.split('='))
      .filter((pair) => pair.length === 2 && pair[1] !== '')
      .map(([name = '', value = '']): [string, string] => [name.trim(), value.trim()]),
  );
  const quality = parameters.get('q');
  parameters.delete('q');
  return {
    type,
    subtype: subtype ?? '*',
    quality: quality === undefined ? 1 : Number(quality) || 0,
    parameters,
  };
}

/** An insertion sort, because the order of the server is not transitive. */
function sortClauses(clauses: readonly Clause[]): readonly Clause[] {
  const sorted: Clause[] = [];
  for (const clause of clauses) {
    let index = sorted.length;
    for (; index > 0; index -= 1) {
      const before = sorted[index - 1];
      if (before === undefined || !isPreferred(clause, before)) break;
    }
    sorted.splice(index, 0, clause);
  }
  return sorted;
}

function isPreferred(left: Clause, right: Clause): boolean {
  return (
    left.quality > right.quality ||
    (left.type !== '*' && right.type === '*') ||
    (left.subtype !== '*' && right.subtype === '*')
  );
}
