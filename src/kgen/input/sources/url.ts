/** Downloads of input over https, without secrets in messages. */
import { type Checked, error } from '../../common/problems.ts';

/** Maximum size of a response: 32 MiB. */
export const maxUrlBytes: number = 32 * 1024 * 1024;

/** The part of `fetch` that kgen calls. Pass another implementation for tests or proxies. */
export type FetchFunction = (
  url: URL,
  init: { readonly redirect: 'manual'; readonly signal: AbortSignal },
) => Promise<Response>;

/** Limits of a download. */
export interface UrlLimits {
  /** Default: 32 MiB. */
  readonly maxBytes: number;
  /** Limit for the whole download, redirects included. Default: 30 seconds. */
  readonly timeoutMs: number;
  /** Default: 5. */
  readonly maxRedirects: number;
}

const defaults: UrlLimits = { maxBytes: maxUrlBytes, timeoutMs: 30_000, maxRedirects: 5 };

/** A source as bytes, with the name under which it is reported. */
export interface SourceBytes {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Set for a file of an archive, where files of any content may be. */
  readonly isMember?: true;
}

/** Returns whether an argument is an address of any protocol, and not a path. */
export function isUrl(argument: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(argument);
}

/** Returns whether an argument names a part of a repository on GitHub, and not a path. */
export function isGitHub(argument: string): boolean {
  return argument.startsWith('github:');
}

/**
 * Reads an https address. Any other protocol, also in a redirect, is an error. Messages show the address
 * without user, password, query and fragment, because these may contain secrets.
 */
export async function readUrl(
  address: string,
  fetch: FetchFunction = globalThis.fetch,
  limits: Partial<UrlLimits> = {},
): Promise<Checked<SourceBytes | undefined>> {
  const file = showUrl(address);
  try {
    const bytes = await downloadUrl(address, fetch, limits);
    return isPage(bytes)
      ? { value: undefined, problems: [error(pageText, { file })] }
      : { value: { file, bytes }, problems: [] };
  } catch (cause) {
    return { value: undefined, problems: [error(downloadError(cause).message, { file })] };
  }
}

const pageText =
  'the address has a page (HTML) that shows a file: give the address of the file, such as that of its raw text';

function isPage(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype html|html)\b/i.test(Buffer.from(bytes.subarray(0, 100)).toString());
}

/**
 * Downloads an https address, as `readUrl`.
 * @throws {DownloadError} for every failure
 */
export async function downloadUrl(
  address: string,
  fetch: FetchFunction = globalThis.fetch,
  limits: Partial<UrlLimits> = {},
): Promise<Uint8Array> {
  try {
    return await download(checkedUrl(address), fetch, { ...defaults, ...limits });
  } catch (cause) {
    throw downloadError(cause);
  }
}

/** Returns an address for messages. */
export function showUrl(address: string): string {
  if (!URL.canParse(address)) return address.replace(/^([^/]*:\/\/)[^/]*@/, '$1').replace(/[?#].*/s, '');
  const url = new URL(address);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** A failed download. The message is complete. */
export class DownloadError extends Error {
  /** Status of the response, if it is the reason. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

async function download(start: URL, fetch: FetchFunction, limits: UrlLimits): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let url = start;
  for (let redirects = 0; redirects <= limits.maxRedirects; redirects += 1) {
    const response = await fetch(url, { redirect: 'manual', signal });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      url = redirected(location, url);
    } else if (response.ok) {
      return readBody(response, limits.maxBytes);
    } else {
      await response.body?.cancel();
      const { status } = response;
      throw new DownloadError(`the server responds with status ${status}: check the address`, status);
    }
  }
  throw new DownloadError(`more than ${limits.maxRedirects} redirects: give the final address`);
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of response.body ?? []) {
    total += part.length;
    if (total > maxBytes)
      throw new DownloadError(`the response has more than ${maxBytes} bytes: download and split it`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function redirected(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href))
    throw new DownloadError('the server redirects to an invalid address: give the final one');
  const url = new URL(location, from);
  if (url.protocol === 'https:') return withoutUser(url);
  throw new DownloadError(
    `the server redirects to ${url.protocol}//, and only https is read: give another address`,
  );
}

function checkedUrl(address: string): URL {
  if (!URL.canParse(address)) throw new DownloadError('this is not a valid address: correct it');
  const url = new URL(address);
  if (url.protocol === 'file:') throw new DownloadError('give a file by its path, without file://');
  if (url.protocol !== 'https:')
    throw new DownloadError('only https addresses are read: use https, or download the file');
  return withoutUser(url);
}

function withoutUser(url: URL): URL {
  if (url.username === '' && url.password === '') return url;
  throw new DownloadError(
    'addresses with user or password are not read: download the file and give its path',
  );
}

/** Returns the reason of a failed connection, which `fetch` hides in causes and lists of attempts. */
function downloadError(cause: unknown): DownloadError {
  if (cause instanceof DownloadError) return cause;
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return new DownloadError('the server takes too long: try again later');
  return new DownloadError(
    `the server cannot be reached (${innermost(cause)}): check the address and the network`,
  );
}

function innermost(cause: unknown): string {
  if (cause instanceof AggregateError) return innermost(cause.errors[0]);
  if (!(cause instanceof Error)) return 'unknown reason';
  if (cause.cause instanceof Error) return innermost(cause.cause);
  const { code } = cause as NodeJS.ErrnoException; // seam: errors of the operating system have a code
  return code ?? cause.message;
}
