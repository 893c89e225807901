import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  RequestOptions,
  WriteOptions,
} from '../api/options.ts';
import type { APIRequest } from '../api/transport.ts';
import type { AsBytes, AsLines, SubresourceText } from '../api/verbs/log.ts';
import type { SubresourceClient } from '../api/verbs/subresource.ts';
import type { RESTClient } from '../rest/client.ts';
import { decodeObject } from './reading/decode.ts';
import { lazily } from './reading/lazily.ts';
import type { TextCall } from './reading/text-streams.ts';
import type { Body } from './requests/bodies.ts';
import type { RequestTarget } from './requests/build-request.ts';
import * as requests from './requests/subresource-requests.ts';
import { getRequest, type PatchRequestOptions } from './requests/verb-requests.ts';

/** Streams a string response. Its decoder is loaded with the first item. */
export function lazyText(
  rest: RESTClient,
  target: RequestTarget,
  call: TextCall<RequestOptions & (AsBytes | AsLines)>,
): AsyncIterable<string | Uint8Array> {
  return lazily(async () => {
    const { streamText } = await import('./reading/text-streams.ts');
    return streamText(rest, target, call);
  });
}

/** Client of any subresource by its name. Its type determines which of the methods are available. */
export class NamedSubresource<B extends Body = Body>
  implements SubresourceClient<Body, B>, SubresourceText<object>
{
  readonly #rest: RESTClient;
  readonly #target: RequestTarget;
  readonly #subresource: string;

  constructor(rest: RESTClient, target: RequestTarget, subresource: string) {
    this.#rest = rest;
    this.#target = target;
    this.#subresource = subresource;
  }

  async get(name: string, options?: GetOptions): Promise<B> {
    return this.#send(getRequest(this.#target, name, options, this.#subresource));
  }

  async create(name: string, body: Body, options?: WriteOptions<'All' | undefined>): Promise<B> {
    return this.#send(requests.actionRequest(this.#target, name, body, this.#call(options)));
  }

  async update(name: string, body: Body, options?: WriteOptions<'All' | undefined>): Promise<B> {
    return this.#send(requests.replaceRequest(this.#target, name, body, this.#call(options)));
  }

  async patch(name: string, body: unknown, options?: PatchRequestOptions): Promise<B> {
    return this.#send(requests.changeRequest(this.#target, name, body, this.#call(options)));
  }

  async apply(name: string, intent: Body, options?: ApplyOptions<'All' | undefined>): Promise<B> {
    return this.#send(requests.claimRequest(this.#target, name, intent, this.#call(options)));
  }

  async delete(name: string, options?: DeleteOptions): Promise<unknown> {
    return this.#send(requests.removeRequest(this.#target, name, this.#call(options)));
  }

  async getText(name: string, options?: RequestOptions): Promise<string> {
    const { readText } = await import('./reading/text-streams.ts');
    return readText(this.#rest, this.#target, { name, ...this.#call(options) });
  }

  streamText(name: string, options: RequestOptions & AsBytes): AsyncIterable<Uint8Array>;
  streamText(name: string, options?: RequestOptions & AsLines): AsyncIterable<string>;
  streamText(name: string, options?: RequestOptions & (AsBytes | AsLines)): AsyncIterable<unknown> {
    return lazyText(this.#rest, this.#target, { name, ...this.#call(options) });
  }

  #call<Options>(options: Options): requests.Call<NonNullable<Options>> {
    return { subresource: this.#subresource, options: options ?? undefined };
  }

  async #send(request: APIRequest): Promise<B> {
    return decodeObject<B>(await this.#rest.request(request), request.operation);
  }
}
