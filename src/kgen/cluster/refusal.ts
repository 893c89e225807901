/** Failures of a cluster: those of one request, and those that end the run. */
import { quote } from '../common/problems.ts';

/** The runtime, passed as a parameter because it is loaded on demand. */
export type Runtime = typeof import('@kgen/runtime');

/** A reason to end the run. Its message is the complete sentence for the user. */
export class Refusal extends Error {}

/**
 * A server that refused one request, did not respond, or sent something else than JSON. Other requests may
 * succeed: the caller decides by the place of the request whether it concerns one group or the cluster.
 */
export class Unavailable extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Maximum number of characters of a server's message that are printed. */
const maxWords = 300;
/**
 * Maximum number of characters of a message of a plugin or an issuer, which usually ends with instructions to
 * log in.
 */
const maxAdvice = 1500;

/**
 * Converts the error of a request to an `Unavailable`, and an error of the kubeconfig or of its credentials
 * to a `Refusal`. Returns other errors unchanged.
 */
export function explained(runtime: Runtime, cause: unknown, path: string): unknown {
  if (runtime.isApiError(cause)) {
    const { code } = cause;
    if (code >= 300 && code < 400) return new Unavailable(redirected(path, code), code);
    return new Unavailable(shortened(cause.message), code);
  }
  if (isTimeout(cause)) return new Unavailable(`get ${path}: the server does not respond in time`, 0);
  if (runtime.isConfigError(cause)) return new Refusal(shortened(inOneLine(cause.message), maxAdvice));
  if (runtime.isTransportError(cause) || runtime.isDecodeError(cause)) {
    return new Unavailable(shortened(cause.message), 0);
  }
  return cause;
}

/** Returns the message of an error that concerns the whole cluster. */
export function refusalText(cause: Refusal | Unavailable): string {
  return hasStatus(cause, 401) ? expired : cause.message;
}

const expired =
  'the server does not accept the credentials (401): they may have expired; log in again, or choose another context';

/** Returns whether an error has one of the statuses. */
export function hasStatus(cause: unknown, ...statuses: readonly number[]): cause is Unavailable {
  return cause instanceof Unavailable && statuses.includes(cause.status);
}

/** Returns the error that ends a run because permissions are missing. */
export function lacksRights({ message }: Unavailable): Refusal {
  return new Refusal(`${message}: the user needs the permissions of the cluster role system:discovery`);
}

function redirected(path: string, code: number): string {
  return `get ${path}: the server redirects to another address (${code}), which is not followed: is there a login page in between?`;
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError';
}

function shortened(words: string, max = maxWords): string {
  return words.length > max ? `${words.slice(0, max)}…` : words;
}

/** Joins the lines of a plugin's message, because a problem has one line. */
function inOneLine(words: string): string {
  return words
    .trim()
    .replaceAll(/:\s*\n\s*/g, ': ')
    .replaceAll(/(?<!\s)\s*\n\s*/g, '; ');
}

/** Returns the error for a response that is not JSON. */
export function notJson(path: string, type: string, bytes: number): Unavailable {
  const media = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const isOther = media !== '' && media !== 'application/json' && media !== 'text/plain';
  const what = isOther
    ? `the response is ${quote(media)} and not JSON: is there a proxy or a login page in between? Check the server of the context`
    : `the response is incomplete or not JSON (${bytes} bytes): try again, and check the server of the context`;
  return new Unavailable(`get ${path}: ${what}`, 0);
}
