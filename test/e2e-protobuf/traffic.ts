/** Exchanges on the wire, recorded below every client by the diagnostics channels of undici. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import { protobuf } from './raw-client.ts';

/** A request and the head of its response. */
export interface Exchange {
  /** `GET /api/v1/pods`, without the query. */
  readonly request: string;
  readonly watch: boolean;
  /** Accepted media types of the response. */
  readonly accept: string;
  /** Media type of the body; `''` without a body. */
  readonly sent: string;
  readonly status: number;
  /** Media type of the response, without parameters. */
  readonly received: string;
}

/** Records the requests of a client, by its user agent, until the end of the test. */
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

/** Returns the exchanges whose responses were not protobuf. */
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

/** Returns headers by name from a list of alternating names and values. */
function pairs(headers: readonly (string | Buffer)[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (let at = 0; at + 1 < headers.length; at += 2) {
    map.set(String(headers[at]).toLowerCase(), String(headers[at + 1]));
  }
  return map;
}
