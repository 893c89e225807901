import { TransportError } from '@kgen/runtime';
import type { APIRequest, Transport } from '@kgen/runtime/rest';

/** Connections to a test server whose watches deliver nothing while they are held. */
export class HeldTransport {
  /** Selects requests whose response is lost after the server has executed them. */
  loses: (request: APIRequest) => boolean = () => false;
  #held: Promise<void> | undefined;
  #release: () => void = () => undefined;
  /** URL of the server, which is known after the client was created. */
  url = '';

  /** Events of watches wait from now on. */
  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.#held = undefined;
    this.#release();
  }

  readonly transport: Transport = async (request) => {
    const { method, path, query, headers, body } = request;
    const end = new AbortController();
    const signal = AbortSignal.any([end.signal, ...(request.signal ? [request.signal] : [])]);
    const parameters = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
    const response = await fetch(`${this.url}${path}?${parameters}`, {
      method,
      headers,
      signal,
      ...(body && { body: String(body) }),
    });
    if (this.loses(request)) {
      await response.arrayBuffer();
      throw new TransportError('the response was lost', request.operation, { code: 'ECONNRESET' });
    }
    const isWatch = query.some(([name]) => name === 'watch');
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: this.#bytes(response, isWatch),
      cancel: () => end.abort(),
    };
  };

  async *#bytes(response: Response, isWatch: boolean): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response.body ?? []) {
        if (isWatch) await this.#held;
        yield chunk;
      }
    } catch (error) {
      // The end of a canceled body.
      if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    }
  }
}
