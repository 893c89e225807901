/** What really goes over the wire, seen from below every client: the events of the HTTP library itself. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import { protobuf } from './raw.ts';

/** A request and the head of its answer. */
export interface Exchange {
  /** `GET /api/v1/pods`, without the query. */
  readonly request: string;
  readonly watch: boolean;
  /** What the answer may be. */
  readonly accept: string;
  /** Media type of the body; `''` where there is none. */
  readonly sent: string;
  readonly status: number;
  /** Media type of the answer, without parameters. */
  readonly received: string;
}

/** Follows the requests of a client, by its user agent, until the test is over. */
export function traffic(userAgent: string): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  const note = (message: unknown): void => {
    // Documented by undici: https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
    const { request, response } = message as Message;
    const sent = pairs(request.headers);
    if (sent.get('user-agent') !== userAgent) return;
    const { pathname, searchParams } = new URL(request.path, 'https://server');
    exchanges.push({
      request: `${request.method} ${pathname}`,
      watch: searchParams.has('watch'),
      accept: sent.get('accept') ?? '',
      sent: sent.get('content-type') ?? '',
      status: response.statusCode,
      received: pairs(response.headers).get('content-type')?.split(';')[0] ?? '',
    });
  };
  subscribe('undici:request:headers', note);
  onTestFinished(() => void unsubscribe('undici:request:headers', note));
  return exchanges;
}

/** Those of the exchanges whose answers were not protobuf. */
export function otherThanProtobuf(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ received }) => received !== protobuf);
}

interface Message {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly (string | Buffer)[];
  };
  readonly response: { readonly statusCode: number; readonly headers: readonly (string | Buffer)[] };
}

/** Names and values in turn. */
function pairs(headers: readonly (string | Buffer)[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (let at = 0; at + 1 < headers.length; at += 2) {
    map.set(String(headers[at]).toLowerCase(), String(headers[at + 1]));
  }
  return map;
}
