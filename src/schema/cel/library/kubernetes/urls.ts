/** URL library of Kubernetes: URLs as Go's net/url parses them. */
import { bool, listOf, mapOf, string, structOf } from '../../check/types.ts';
import { type Functions, member, type Overload, overload } from '../../environment.ts';
import { CelMap, EvaluationError, noSuchOverload, Opaque, type Value } from '../../values/value.ts';
import { text, texts } from '../strings.ts';

/** Parts of a URL. */
interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

class Url extends Opaque {
  readonly typeName = 'kubernetes.URL';
  readonly source: string;
  readonly parts: UrlParts;

  constructor(source: string, parts: UrlParts) {
    super();
    this.source = source;
    this.parts = parts;
  }

  equals(other: Opaque): boolean {
    return other instanceof Url && other.source === this.source;
  }
}

/** Parses an absolute URL or path, as ParseRequestURI of Go. Returns the error for others. */
export function parseRequestUri(source: string): UrlParts | Error {
  const quoted = JSON.stringify(source);
  const failed = (message: string): Error => new Error(`parse ${quoted}: ${message}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses exactly these.
  if (/[\u0000-\u001f\u007f]/.test(source)) return failed('net/url: invalid control character in URL');
  if (source === '') return failed('empty url');
  if (source === '*') return { scheme: '', host: '', path: '*', query: '' };
  if (source.startsWith(':')) return failed('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(source)?.[1] ?? '';
  if (scheme === '' && !source.startsWith('/')) return failed('invalid URI for request');
  const rest = scheme === '' ? source : source.slice(scheme.length + 1);
  if (!rest.startsWith('/')) return failed('invalid URI for request');
  return partsOf(scheme.toLowerCase(), rest, failed);
}

function partsOf(scheme: string, source: string, failed: (message: string) => Error): UrlParts | Error {
  const [beforeFragment = ''] = source.split('#');
  const [hierarchy = '', ...queries] = beforeFragment.split('?');
  const hasAuthority = hierarchy.startsWith('//') && (scheme !== '' || !hierarchy.startsWith('///'));
  const authority = hasAuthority ? (hierarchy.slice(2).split('/')[0] ?? '') : '';
  const path = hasAuthority ? hierarchy.slice(2 + authority.length) : hierarchy;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const problem = hostProblem(host) ?? escapeProblem(path);
  if (problem !== undefined) return failed(problem);
  return { scheme, host, path, query: queries.join('?') };
}

function hostProblem(host: string): string | undefined {
  if (host.startsWith('[')) {
    if (!host.includes(']')) return "missing ']' in host";
    const port = host.slice(host.lastIndexOf(']') + 1);
    return /^(?::\d*)?$/.test(port) ? undefined : `invalid port ${JSON.stringify(port)} after host`;
  }
  const colon = host.lastIndexOf(':');
  const port = colon < 0 ? '' : host.slice(colon);
  if (!/^(?::\d*)?$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const invalid = /[ "<>\\^`{|}]/.exec(host)?.[0];
  return invalid === undefined
    ? escapeProblem(host)
    : `invalid character ${JSON.stringify(invalid)} in host name`;
}

function escapeProblem(part: string): string | undefined {
  const wrong = /%(?![0-9a-fA-F]{2})[\s\S]{0,2}/.exec(part)?.[0];
  return wrong === undefined ? undefined : `invalid URL escape ${JSON.stringify(wrong)}`;
}

function port(host: string): string {
  return /:(\d*)$/.exec(host.replace(/^\[.*\]/, ''))?.[1] ?? '';
}

const urlType = structOf('kubernetes.URL');

/** Functions of URLs. */
export const urls: Functions = new Map<string, readonly Overload[]>([
  ['url', [overload('string_to_url', [string], urlType, ([a]) => parse(text(a)))]],
  [
    'isURL',
    [overload('is_url_string', [string], bool, ([a]) => !(parseRequestUri(text(a)) instanceof Error))],
  ],
  ['getScheme', accessor('url_get_scheme', ({ scheme }) => scheme)],
  ['getHost', accessor('url_get_host', ({ host }) => decode(host))],
  ['getHostname', accessor('url_get_hostname', ({ host }) => decode(hostname(host)))],
  ['getPort', accessor('url_get_port', ({ host }) => port(host))],
  ['getEscapedPath', accessor('url_get_escaped_path', ({ path }) => escaped(path))],
  [
    'getQuery',
    [
      member('url_get_query', [urlType], mapOf(string, listOf(string)), ([url]) =>
        queryOf(partsIn(url).query),
      ),
    ],
  ],
]);

function parse(source: string): Url {
  const parts = parseRequestUri(source);
  if (parts instanceof Error)
    throw new EvaluationError(`URL parse error during conversion from string: ${parts.message}`);
  return new Url(source, parts);
}

function hostname(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.lastIndexOf(']'));
  return host.replace(/:\d*$/, '');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns a path with the escapes that Go adds. */
function escaped(path: string): string {
  if (/^(?:[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]]|%[0-9a-fA-F]{2})*$/.test(path)) return path;
  return [...new TextEncoder().encode(decode(path))]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(char)
        ? char
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function queryOf(query: string): CelMap {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const [key = '', ...value] = pair.split('=').map((part) => part.replaceAll('+', ' '));
    if (escapeProblem(key) !== undefined || value.some((part) => escapeProblem(part) !== undefined)) continue;
    const values = found.get(decode(key)) ?? [];
    found.set(decode(key), [...values, decode(value.join('='))]);
  }
  return new CelMap([...found].map(([key, values]) => [key, texts(values)]));
}

function partsIn(value: Value | undefined): UrlParts {
  if (!(value instanceof Url)) throw noSuchOverload();
  return value.parts;
}

function accessor(id: string, read: (parts: UrlParts) => string): readonly Overload[] {
  return [member(id, [urlType], string, ([url]) => read(partsIn(url)))];
}
