/** Connections to the ports of a target, over a pod that is replaced when it goes. */
import type { Duplex } from 'node:stream';
import { isApiError, isTransportError, TimeoutError, TransportError } from '../../../api/errors.ts';
import type { RequestOperation } from '../../../api/operation.ts';
import type { ConnectionOptions, PortForwardTarget } from '../../../api/verbs/port-forward.ts';
import { withinLimits } from '../../../rest/abort/deadline.ts';
import { onAbort } from '../../../rest/abort/on-abort.ts';
import type { RESTClient } from '../../../rest/client.ts';
import { operationOf, type RequestTarget } from '../../requests/build-request.ts';
import { connectionRequest } from '../exec/exec.ts';
import { openLink, type PodLink } from './links.ts';
import { type ChosenPod, choosePod } from './targets.ts';

/** Default of `timeoutMs`. */
const beginMs = 30_000;

interface OpenedLink {
  readonly link: PodLink;
  readonly pod: ChosenPod;
}

/** Namespace of the pods, and the method of the client, for messages. */
export interface ForwarderScope {
  readonly verb: string;
  readonly target: RequestTarget;
}

/** Opens connections to one target. */
export class Forwarder {
  readonly operation: RequestOperation;
  readonly #rest: RESTClient;
  readonly #scope: ForwarderScope;
  readonly #target: PortForwardTarget;
  readonly #options: ConnectionOptions;
  readonly #links: Set<OpenedLink> = new Set();
  #opening: Promise<OpenedLink> | undefined;
  #lost: string | undefined;
  readonly #forget: (() => void) | undefined;
  #closed = false;

  constructor(
    rest: RESTClient,
    scope: ForwarderScope,
    target: PortForwardTarget,
    options: ConnectionOptions,
  ) {
    this.#rest = rest;
    this.#scope = scope;
    this.#target = target;
    this.#options = options;
    const name = typeof target === 'string' ? target : Object.values(target).join();
    const { signal } = options;
    this.#forget = signal && onAbort(signal, (reason) => this.close(asError(reason)));
    this.operation = operationOf(scope.target, { verb: scope.verb, subresource: 'portforward', name });
  }

  /**
   * Opens the first connection to a pod, so that a missing pod or permission is noticed.
   * @throws {TypeError | TransportError} if the target does not have one of the ports by its name
   */
  async begin(ports: readonly (number | string)[]): Promise<void> {
    const { pod } = await this.#link();
    for (const port of ports) await pod.portOf(port);
  }

  /** Opens a connection. If the pod of a Service or Deployment is gone, another one is chosen once. */
  async connect(port: number | string): Promise<Duplex> {
    try {
      return await this.#connect(port);
    } catch (error) {
      if (typeof this.#target === 'string' || this.#closed || !isLost(error)) throw error;
      return this.#connect(port);
    }
  }

  /** Closes all connections. */
  close(error: Error = new TransportError('the port-forward was closed', this.operation)): void {
    this.#closed = true;
    this.#forget?.();
    for (const { link } of this.#links) link.close(error);
    this.#links.clear();
  }

  async #connect(port: number | string): Promise<Duplex> {
    const opened = await this.#link();
    try {
      return await opened.link.connect(await opened.pod.portOf(port));
    } catch (error) {
      this.#lose(opened);
      throw error;
    }
  }

  #lose(opened: OpenedLink): void {
    if (opened.link.usable) return;
    this.#links.delete(opened);
    this.#lost = opened.pod.name;
  }

  /** A link on which a slow reader stops the others is left to them; new connections use another one. */
  async #link(): Promise<OpenedLink> {
    const usable = [...this.#links].find(({ link }) => link.usable);
    if (usable !== undefined) return usable;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<OpenedLink> {
    if (this.#closed) throw new TransportError('the port-forward is closed', this.operation);
    const { timeoutMs = beginMs, signal, ...options } = this.#options;
    const expired = (): TimeoutError =>
      new TimeoutError(`timed out after ${timeoutMs} ms: no connection to a ready pod`, this.operation);
    const opened = await withinLimits({ timeoutMs, signal, expired }, this.operation, async (within) => {
      const scope = {
        rest: this.#rest,
        namespace: this.#scope.target.namespace ?? '',
        options: { ...options, signal: within },
      };
      const pod = await choosePod(scope, this.#target, this.#lost);
      const link = await openLink(this.#rest, (ports) => {
        const query = { ...options, signal: within, ...(ports !== undefined && { ports }) };
        const { target, verb } = this.#scope;
        return connectionRequest(target, { verb, subresource: 'portforward', name: pod.name }, query);
      });
      return { link, pod };
    });
    this.#links.add(opened);
    return opened;
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}

/** Returns whether another pod may serve a connection that failed. */
function isLost(error: unknown): boolean {
  return isTransportError(error) || (isApiError(error) && error.code === 404);
}
