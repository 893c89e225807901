import type { APIRequest, APIResponse } from '../api/transport.ts';
import { RESTClient } from '../rest/client.ts';
import { encodeQuery } from '../rest/request/query.ts';

/** A recorded request: method and URL, and headers and body if present. */
export interface Recorded {
  readonly line: string;
  readonly accept: string | undefined;
  readonly type: string | undefined;
  readonly body: unknown;
}

function recorded({ method, path, query, headers, body }: APIRequest): Recorded {
  return {
    line: `${method} ${path}${query.length === 0 ? '' : `?${encodeQuery(query)}`}`,
    accept: headers['accept'],
    type: headers['content-type'],
    body: body === undefined ? undefined : JSON.parse(String(body)),
  };
}

/** A response. Values are JSON bodies; a list of strings is a stream of lines that stays open. */
export interface RecordedResponse {
  readonly status?: number;
  readonly value?: unknown;
  readonly lines?: readonly unknown[];
  /** An unmodified body. */
  readonly text?: string;
}

async function* bytes(
  { value, lines, text = JSON.stringify(value) }: RecordedResponse,
  over: Promise<void>,
): AsyncGenerator<Uint8Array> {
  if (lines === undefined) yield Buffer.from(text);
  else {
    for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
    await over;
  }
}

function responseOf(response: RecordedResponse): APIResponse {
  let cancel = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  const headers = { 'content-type': 'application/json' };
  return { status: response.status ?? 200, headers, body: bytes(response, over), cancel };
}

/**
 * Returns a REST client that records its requests. The responses are used in order, the last one repeatedly.
 */
export function recorder(...responses: readonly RecordedResponse[]): {
  readonly rest: RESTClient;
  readonly requests: Recorded[];
} {
  const requests: Recorded[] = [];
  const rest = new RESTClient(
    { server: 'http://unused', namespace: 'home' },
    {
      transport: async (request) => {
        const response = responses[Math.min(requests.length, responses.length - 1)] ?? { value: {} };
        requests.push(recorded(request));
        return responseOf(response);
      },
    },
  );
  return { rest, requests };
}
