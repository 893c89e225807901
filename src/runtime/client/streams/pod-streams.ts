/** Streams of pods: `exec`, `attach` and `portforward`. Loaded with the first of them. */
import type { Duplex } from 'node:stream';
import type {
  Attach,
  AttachOptions,
  Exec,
  ExecOptions,
  ExecSession,
  ExecText,
  ExecTextOptions,
} from '../../api/verbs/exec.ts';
import type {
  ConnectionOptions,
  PortForward,
  PortForwarding,
  PortForwardOptions,
  PortForwardTarget,
} from '../../api/verbs/port-forward.ts';
import type { RESTClient } from '../../rest/client.ts';
import type { RequestTarget } from '../requests/build-request.ts';
import { execText, openSession } from './exec/exec.ts';
import { Forwarder, type ForwarderScope } from './port-forward/forwarder.ts';
import { listenAll, parsePort } from './port-forward/listen.ts';

/** Streams of the pods of one namespace. */
export class PodStreams implements Exec, Attach, PortForward {
  readonly #rest: RESTClient;
  readonly #target: RequestTarget;

  constructor(rest: RESTClient, target: RequestTarget) {
    this.#rest = rest;
    this.#target = target;
  }

  exec<Options extends ExecOptions>(name: string, options: Options): Promise<ExecSession<Options>> {
    const call = { verb: 'exec', subresource: 'exec', name, command: options.command } as const;
    return openSession(this.#rest, this.#target, call, options);
  }

  execText(
    name: string,
    command: string | readonly string[],
    options: ExecTextOptions = {},
  ): Promise<ExecText> {
    return execText(
      this.#rest,
      this.#target,
      { verb: 'execText', subresource: 'exec', name, command },
      options,
    );
  }

  attach<Options extends AttachOptions>(name: string, options?: Options): Promise<ExecSession<Options>> {
    return openSession(this.#rest, this.#target, { verb: 'attach', subresource: 'attach', name }, options);
  }

  portForward(target: PortForwardTarget, options: PortForwardOptions): Promise<PortForwarding> {
    // Servers reject a query with the ports of this machine.
    const { ports: _ports, addresses: _addresses, onConnectionError: _listener, ...connection } = options;
    return listenAll(new Forwarder(this.#rest, this.#scope('portForward'), target, connection), options);
  }

  /** The session of the connection ends with it. */
  async portForwardStream(
    target: PortForwardTarget,
    port: number | string,
    options: ConnectionOptions = {},
  ): Promise<Duplex> {
    const forwarder = new Forwarder(this.#rest, this.#scope('portForwardStream'), target, options);
    try {
      const stream = await forwarder.connect(parsePort(`:${port}`).remote);
      return stream.once('close', () => forwarder.close());
    } catch (error) {
      forwarder.close();
      throw error;
    }
  }

  #scope(verb: string): ForwarderScope {
    return { verb, target: this.#target };
  }
}
