/** Interceptor of a client that keeps the values of the Secrets which the client reads and writes. */

import type { RESTClient } from '@kgen/runtime';
import type { EventLoopTurn } from '@kgen/runtime/queue';
import { type APIResponse, type RESTInterceptor, type RESTRequest, wrapRESTClient } from '@kgen/runtime/rest';
import { requestTarget } from '../client/request-target.ts';
import { bodyOf } from '../client/write-request.ts';
import { member } from '../members.ts';
import { inTurns } from '../runs/turns.ts';
import { isSecret, secrets } from './rules.ts';
import type { SecretValues } from './secret-values.ts';

/** Bytes of an incomplete event of a watch: Secrets are smaller. */
const mostBytes = 4 * 1024 * 1024;

/** Returns a client that keeps the values of the Secrets which it reads and writes. */
export function observingSecrets(rest: RESTClient, values: SecretValues, turn: EventLoopTurn): RESTClient {
  return wrapRESTClient(rest, new SecretRequests(values, turn));
}

class SecretRequests implements RESTInterceptor {
  readonly #values: SecretValues;
  readonly #turn: EventLoopTurn;

  constructor(values: SecretValues, turn: EventLoopTurn) {
    this.#values = values;
    this.#turn = turn;
  }

  request: RESTInterceptor['request'] = (request, send) =>
    isForSecrets(request) ? this.#observed(request, send) : send();

  async #observed(request: RESTRequest, send: () => Promise<unknown>): Promise<unknown> {
    // Also if the request fails: its caller may quote what it has sent.
    this.#values.wrote(bodyOf(request));
    const response = await send();
    const items = member(response, 'items');
    const read: readonly unknown[] = Array.isArray(items) ? items : [response];
    await inTurns(read, (secret) => this.#values.see(secret), this.#turn);
    return response;
  }

  stream: RESTInterceptor['stream'] = async (request, send) => {
    const response = await send();
    return isForSecrets(request) ? this.#watched(response) : response;
  };

  /** Frames are decoded by the response, lines by its reader. */
  #watched(response: APIResponse): APIResponse {
    const { readFrame } = response;
    if (readFrame === undefined || !isProtobuf(response)) return { ...response, body: this.#lines(response) };
    return {
      ...response,
      readFrame: (frame) => {
        const event = readFrame(frame);
        this.#values.see(member(event, 'object'));
        return event;
      },
    };
  }

  async *#lines({ body }: APIResponse): AsyncGenerator<Uint8Array> {
    let open = '';
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const lines = (open + decoder.decode(chunk, { stream: true })).split('\n');
      open = lines.pop() ?? '';
      if (open.length > mostBytes) open = '';
      for (const line of lines) this.#line(line);
      yield chunk;
    }
  }

  /** Malformed lines are an error of the reader. */
  #line(line: string): void {
    try {
      const event: unknown = JSON.parse(line);
      this.#values.see(member(event, 'object'));
    } catch {
      // The reader reports it.
    }
  }
}

function isForSecrets({ path }: RESTRequest): boolean {
  return path.includes(secrets) && isSecret(requestTarget(path));
}

function isProtobuf({ headers }: APIResponse): boolean {
  return headers['content-type']?.startsWith('application/vnd.kubernetes.protobuf') === true;
}
