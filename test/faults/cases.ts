/** Faults of connections and the expected errors of calls. */
import { isApiError, isDecodeError, isTimeoutError, isTransportError } from '@kgen/runtime';
import { response, type Script } from './server.ts';

/** Expected error of a call. */
export interface Failure {
  readonly is: (error: unknown) => boolean;
  /** Pattern of its message after the operation. */
  readonly message: RegExp;
}

/**
 * A fault, with the expected errors of a call that reads one JSON value and of a call that streams a string.
 */
export interface Fault {
  readonly script: Script;
  readonly want: Failure;
  /**
   * A string response has no length and no format: `undefined` if the fault looks like a valid response.
   * Default: `want`.
   */
  readonly text?: Failure | undefined;
  /** Calls for which the fault looks like a valid response. Default: none. */
  readonly acceptedBy?: readonly string[] | undefined;
}

const json = 'content-type: application/json';
const half = `HTTP/1.1 200 OK\r\n${json}\r\ncontent-length: 500\r\n\r\n{"kind":"Pod",`;
const page =
  '<html><head><title>x</title><style>p{}</style></head><body><h1>502 Bad\nGateway</h1>nginx</body></html>';
const late: Failure = { is: isTimeoutError, message: /^timed out after \d+ ms/ };

function broken(message: RegExp): Failure {
  return { is: isTransportError, message };
}

function refused(message: RegExp): Failure {
  return { is: isApiError, message };
}

function unreadable(message: RegExp): Failure {
  return { is: isDecodeError, message };
}

function responses(...sent: readonly string[]): Script {
  return ['request', ...sent.map((send) => ({ send }))];
}

const cut = broken(
  /^the (connection was reset|server closed the connection), in the middle of the response \(http/,
);

/** Faults of established connections. */
export const faults: Readonly<Record<string, Fault>> = {
  'a reset before the headers': {
    script: ['request', 'reset'],
    want: broken(
      /^the (connection was reset|server closed the connection) \(http:\/\/127\.0\.0\.1:\d+, \w+\)/,
    ),
  },
  'an end before the headers': {
    script: ['request', 'end'],
    want: broken(/^the server closed the connection \(http:\/\/127\.0\.0\.1:\d+, UND_ERR_SOCKET\)/),
  },
  'a reset in the headers': {
    script: [...responses('HTTP/1.1 200 OK\r\ncontent-'), 'reset'],
    want: broken(/^the (connection was reset|server closed the connection)/),
  },
  'an end in the headers': {
    script: [...responses('HTTP/1.1 200 OK\r\ncontent-'), 'end'],
    want: broken(/^the server (closed the connection|does not speak HTTP at that address)/),
  },
  'a reset in the body': { script: [...responses(half), 'reset'], want: cut },
  'half a body': { script: [...responses(half), 'end'], want: cut },
  'half a chunk': {
    script: [
      ...responses(`HTTP/1.1 200 OK\r\n${json}\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"kind"`),
      'end',
    ],
    want: broken(/^the server (closed the connection|sent invalid HTTP), in the middle of the response/),
  },
  'a stall before the headers': { script: ['request', 'stall'], want: late },
  'a stall in the headers': { script: [...responses('HTTP/1.1 200 OK\r\ncontent-'), 'stall'], want: late },
  'a stall in the body': { script: [...responses(half), 'stall'], want: late },
  'early hints without end': {
    script: [...responses('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(2000)), 'stall'],
    want: late,
  },
  'a redirect': {
    script: responses(response('302 Found\r\nlocation: https://user:sesame@login.test/x?token=sesame', page)),
    want: refused(/^302 Unknown: the server redirects to https:\/\/login\.test, which is not followed/),
  },
  'a redirect to nowhere': {
    script: responses(response('307 Temporary Redirect')),
    want: refused(/^307 Unknown: the server redirects to another address, which is not followed$/),
  },
  'garbage instead of HTTP': {
    script: [{ send: 'SSH-2.0-OpenSSH_9.6\r\n' }, 'stall'],
    want: broken(/^(the server does not speak HTTP at that address|the server closed the connection)/),
  },
  'garbage in the chunks': {
    script: [...responses(`HTTP/1.1 200 OK\r\n${json}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`), 'stall'],
    want: broken(/^the server sent invalid HTTP, in the middle of the response \(http/),
  },
  'headers that are too large': {
    script: [...responses(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(200_000)}\r\n\r\n`), 'stall'],
    want: broken(/^the headers of the response are too large/),
  },
  "a proxy's page": {
    script: responses(response('502 Bad Gateway\r\ncontent-type: text/html', page)),
    want: refused(/^502 InternalError: internal server error: x 502 Bad Gateway nginx$/),
  },
  "a proxy's page that is a success": {
    script: responses(response('200 OK\r\ncontent-type: text/html', page)),
    want: unreadable(/^the response is text\/html, not JSON; is there a proxy or a login page in between\?/),
    text: undefined,
  },
  'an empty success': {
    script: responses(response(`200 OK\r\n${json}`)),
    want: unreadable(/^the response is empty/),
    text: undefined,
    acceptedBy: ['delete'],
  },
  'an empty failure': {
    script: responses(response('500 Internal Server Error')),
    want: refused(/^500 InternalError: internal server error$/),
  },
  'a body that is shorter than itself': {
    script: responses(response(`200 OK\r\n${json}\r\ncontent-length: 5`, '{"kind":"Pod"}')),
    want: unreadable(/^the response is incomplete or not JSON/),
    text: undefined,
  },
  'a failure with Retry-After in a year': {
    script: responses(response('503 Service Unavailable\r\nretry-after: 31536000')),
    want: refused(
      /^503 ServiceUnavailable: the server is not available at the moment; not retried: the server requests a delay of 31536000 s, which exceeds the limit of 300 s$/,
    ),
  },
  'a failure with Retry-After after the time-out': {
    script: responses(response('429 Too Many Requests\r\nretry-after: 200')),
    want: refused(
      /^429 TooManyRequests: the server received too many requests; try again later(; not retried: the server requests a delay of 200 s, which exceeds the time-out of the call)?$/,
    ),
  },
  'a permanent failure': {
    script: [
      ...responses('HTTP/1.1 500 Internal Server Error\r\ntransfer-encoding: chunked\r\n\r\n4\r\nwait\r\n'),
      'stall',
    ],
    want: late,
  },
};
