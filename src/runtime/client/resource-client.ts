/**
 * One class with the verbs of all resources. The interfaces in `verbs/` determine which of them a resource
 * has.
 */
import type { Duplex } from 'node:stream';
import type { KubernetesList, KubernetesObject, Status } from '../api/meta.ts';
import type { RequestOptions, WriteOptions } from '../api/options.ts';
import type { Bind, CreateToken, Evict } from '../api/verbs/actions.ts';
import type {
  Attach,
  AttachOptions,
  Exec,
  ExecOptions,
  ExecSession,
  ExecText,
  ExecTextOptions,
} from '../api/verbs/exec.ts';
import type { AsBytes, AsLines, ReadLog } from '../api/verbs/log.ts';
import type {
  ConnectionOptions,
  PortForward,
  PortForwarding,
  PortForwardOptions,
  PortForwardTarget,
} from '../api/verbs/port-forward.ts';
import type { Subresources } from '../api/verbs/subresource.ts';
import { lazily } from './reading/lazily.ts';
import type { Body } from './requests/bodies.ts';
import { actionRequest } from './requests/subresource-requests.ts';
import type { PodStreams } from './streams/pod-streams.ts';
import { lazyText, NamedSubresource } from './subresource-client.ts';
import { PartsClient } from './subresources-client.ts';

/** Client with all verbs, for the objects of one namespace or of a cluster-scoped resource. */
export class ResourceClient<T extends KubernetesObject, L extends KubernetesList<unknown>>
  extends PartsClient<T, L>
  implements
    Evict<Body>,
    Bind<Body>,
    CreateToken<Body>,
    ReadLog<object>,
    Exec,
    Attach,
    PortForward,
    Subresources<Readonly<Record<string, NamedSubresource>>>
{
  async evict(name: string, eviction: Body = {}, options?: WriteOptions<'All' | undefined>): Promise<Status> {
    return this.send(
      actionRequest(this.target, name, eviction, { subresource: 'eviction', options }, 'evict'),
    );
  }

  async bind(name: string, binding: Body, options?: WriteOptions<'All' | undefined>): Promise<Status> {
    return this.send(actionRequest(this.target, name, binding, { subresource: 'binding', options }, 'bind'));
  }

  async createToken(
    name: string,
    request: Body = {},
    options?: WriteOptions<'All' | undefined>,
  ): Promise<Body> {
    return this.send(
      actionRequest(this.target, name, request, { subresource: 'token', options }, 'createToken'),
    );
  }

  async getLog(name: string, options?: RequestOptions): Promise<string> {
    return this.subresource('log').getText(name, { ...options, ...(await this.#container(name, options)) });
  }

  streamLog(name: string, options: RequestOptions & AsBytes): AsyncIterable<Uint8Array>;
  streamLog(name: string, options?: RequestOptions & AsLines): AsyncIterable<string>;
  streamLog(name: string, options?: RequestOptions & (AsBytes | AsLines)): AsyncIterable<unknown> {
    return lazily(async () => {
      const all = { ...options, ...(await this.#container(name, options)) };
      return lazyText(this.rest, this.target, { name, subresource: 'log', options: all });
    });
  }

  exec<const Options extends ExecOptions>(name: string, options: Options): Promise<ExecSession<Options>> {
    return this.#stream((streams) => streams.exec(name, options));
  }

  execText(name: string, command: string | readonly string[], options?: ExecTextOptions): Promise<ExecText> {
    return this.#stream((streams) => streams.execText(name, command, options));
  }

  attach<const Options extends AttachOptions>(
    name: string,
    options?: Options,
  ): Promise<ExecSession<Options>> {
    return this.#stream((streams) => streams.attach(name, options));
  }

  portForward(target: PortForwardTarget, options: PortForwardOptions): Promise<PortForwarding> {
    return this.#stream((streams) => streams.portForward(target, options));
  }

  portForwardStream(
    target: PortForwardTarget,
    port: number | string,
    options?: ConnectionOptions,
  ): Promise<Duplex> {
    return this.#stream((streams) => streams.portForwardStream(target, port, options));
  }

  subresource(name: string): NamedSubresource {
    return new NamedSubresource(this.rest, this.target, name);
  }

  async #container(name: string, options: RequestOptions | undefined): Promise<object> {
    const { defaultContainer } = await import('./requests/default-container.ts');
    return defaultContainer(this.rest, this.target, name, options);
  }

  async #stream<Result>(open: (streams: PodStreams) => Promise<Result>): Promise<Result> {
    return open(new (await import('./streams/pod-streams.ts')).PodStreams(this.rest, this.target));
  }
}
