/** Credentials in requests and responses of `fetch`. Pure. */

import { redactedText as hidden } from './rules.ts';

/** A text without credentials, and those of them by which other texts may be masked. */
export interface PublicText {
  readonly text: string;
  readonly credentials: readonly string[];
}

/** Ends of the names of credentials, without signs and in lower case. */
const credentialNames = [
  ...['accesskey', 'apikey', 'privatekey', 'secretkey', 'secret', 'token', 'jwt', 'assertion', 'signature'],
  ...['password', 'passwd', 'passphrase', 'pwd', 'credential', 'credentials', 'authorization', 'cookie'],
  ...['sessionid'],
];

/** Further names of parameters, which are common in other places. */
const parameterNames: ReadonlySet<string> = new Set(['auth', 'code', 'key', 'pass', 'sas', 'sig']);

/** Headers of responses that programs use. Those that begin with `x-` are recorded, too. */
const headerNames: ReadonlySet<string> = new Set([
  ...['accept-ranges', 'age', 'allow', 'cache-control', 'content-language', 'content-range', 'content-type'],
  ...['date', 'deprecation', 'etag', 'expires', 'last-modified', 'link', 'location', 'ratelimit'],
  ...['ratelimit-limit', 'ratelimit-policy', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'],
  ...['sunset', 'vary', 'www-authenticate'],
]);

/** Returns an address without user information, fragment and tokens, which are replaced by `(redacted)`. */
export function publicUrl(url: URL): PublicText {
  const { username, password, protocol, host, pathname, search } = url;
  const { text, credentials } = publicTarget(`${pathname}${search}`);
  const user = [username, password].map(decoded).filter((part) => part !== '');
  return { text: `${protocol}//${host}${text}`, credentials: [...user, ...credentials] };
}

/** Returns the credentials in the headers of a request. */
export function credentialsOf(headers: Headers): readonly string[] {
  return [...headers].flatMap(([name, value]) => {
    if (name === 'authorization' || name === 'proxy-authorization') return schemeCredentials(value);
    if (name === 'cookie') return value.split(/; */).map((pair) => pair.slice(pair.indexOf('=') + 1));
    return isCredentialName(name) ? [value] : [];
  });
}

/** Returns the headers of a response that programs use, without credentials. */
export function publicHeaders(headers: Headers): Readonly<Record<string, string>> {
  const shown = [...headers].flatMap(([name, value]) => {
    if (name === 'location') return [[name, publicTarget(value).text] as const];
    if (name === 'link') return [[name, publicLinks(value)] as const];
    if (headerNames.has(name)) return [[name, value] as const];
    if (!name.startsWith('x-')) return [];
    return [[name, isCredentialName(name) || isToken(value) ? hidden : value] as const];
  });
  return Object.fromEntries(shown);
}

/**
 * Returns a body without the values of members, parameters and elements that are named as credentials, and
 * without JSON web tokens. It is read as text, so that everything else remains as it is.
 */
export function publicBody(body: string): PublicText {
  const credentials: string[] = [];
  const hide = (match: string, before: string, name: string, value: string): string => {
    if (value === '' || !isCredentialName(name)) return match;
    // A short one may be the name of an object, which recordings must contain.
    if (isToken(value)) credentials.push(value);
    return `${before}${hidden}${match.slice(before.length + value.length)}`;
  };
  const text = pairs.reduce((shown, pattern) => shown.replace(pattern, hide), body);
  const withoutTokens = text.replace(webToken, (token) => {
    credentials.push(token);
    return hidden;
  });
  return { text: withoutTokens, credentials };
}

/** Pairs of JSON, XML and forms: the text before the value, with the name, and the value. Linear. */
const pairs = [
  /("([^"\\]{1,100})"\s{0,20}:\s{0,20}")([^"\\]*(?:\\.[^"\\]*)*)/gs,
  /(<([\w:-]{1,100})>)([^<]*)/g,
  /((?:^|&)([\w.%-]{1,100})=)([^&\s"<]*)/g,
];
const webToken = /(?<![\w-])eyJ[\w-]{10,}\.[\w.-]*/g;

/** Returns a path and a query without tokens. Also for an address as text, whose user is removed. */
function publicTarget(target: string): PublicText {
  const [path = '', ...queries] = (target.split('#')[0] ?? '').split('?');
  const credentials: string[] = [];
  const segments = path.split('/').map((segment, index, all) => {
    const isHost = index === 2 && all[1] === '';
    const shown = isHost ? segment.slice(segment.lastIndexOf('@') + 1) : segment;
    if (!isToken(shown)) return shown;
    if (!isHex(shown)) credentials.push(shown, decoded(shown));
    return hidden;
  });
  const pairsOf = (query: string): string =>
    query
      .split('&')
      .map((pair) => publicPair(pair, credentials))
      .join('&');
  return { text: [segments.join('/'), ...queries.map(pairsOf)].join('?'), credentials };
}

function publicPair(pair: string, credentials: string[]): string {
  const at = pair.indexOf('=');
  const [name, value] = at < 0 ? ['', pair] : [pair.slice(0, at), pair.slice(at + 1)];
  const isNamed = isCredentialName(decoded(name));
  if (value === '' || !(isNamed || isToken(value) || parameterNames.has(name.toLowerCase()))) return pair;
  if (isNamed || (isToken(value) && !isHex(value))) credentials.push(value, decoded(value));
  return `${pair.slice(0, at + 1)}${hidden}`;
}

function publicLinks(links: string): string {
  return links.replace(/<([^<>]*)>/g, (_, target: string) => `<${publicTarget(target).text}>`);
}

function isCredentialName(name: string): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  return credentialNames.some((end) => letters.endsWith(end));
}

/** Returns whether a text looks like a token. Names of Kubernetes have no capitals; uids have signs. */
function isToken(text: string): boolean {
  if (text.length < 20 || !/^[\w.~+/=:%-]+$/.test(text)) return false;
  return isHex(text) || [/[a-z]/, /[A-Z]/, /\d/].every((pattern) => pattern.test(text));
}

/** Returns whether a text is a long hexadecimal number: a token, or a digest, which recordings need. */
function isHex(text: string): boolean {
  return /^(sha256(:|%3a))?[\da-f]{32,}$/i.test(text);
}

function schemeCredentials(value: string): readonly string[] {
  const [scheme = '', ...rest] = value.split(' ');
  const text = rest.join(' ');
  if (rest.length === 0) return [scheme];
  if (scheme.toLowerCase() !== 'basic') return [text];
  const pair = Buffer.from(text, 'base64').toString();
  return [text, pair.slice(pair.indexOf(':') + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
