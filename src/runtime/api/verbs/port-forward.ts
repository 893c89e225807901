/** The `portforward` subresource of a pod: TCP connections to its ports. */
import type { Duplex } from 'node:stream';
import type { RequestOptions } from '../options.ts';

/**
 * Target of connections: the name of a pod, or a Service, Deployment or other object whose pods are selected.
 * Of several pods, a ready one is used until it ends or its connection is lost, and then another one.
 */
export type PortForwardTarget =
  | string
  | { readonly service: string }
  | { readonly deployment: string }
  | { readonly statefulSet: string }
  | { readonly labelSelector: string };

/** Options of connections to ports. */
export interface ConnectionOptions extends Omit<RequestOptions, 'maxResponseBytes'> {
  /** Closes all connections when it aborts. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until a connection to the pod must have begun. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
}

/** Options of local ports that are forwarded. */
export interface PortForwardOptions extends ConnectionOptions {
  /**
   * Local and remote ports as in kubectl: `8080:80`, `80` for equal ports, `:80` for any free local port. A
   * remote port of a Service is one of its ports, by number or name; of other targets it may be the name of
   * a container port.
   */
  readonly ports: readonly (string | number)[];
  /**
   * Local addresses. `localhost` is 127.0.0.1 and ::1, or the one of them that this machine has. A port that
   * is in use on any of the addresses rejects the call. Default: `['localhost']`.
   */
  readonly addresses?: readonly string[] | undefined;
  /** Called if a connection fails; the others continue. Default: a process warning. */
  readonly onConnectionError?: ((error: Error, port: ForwardedPort) => void) | undefined;
}

/** A local port and its remote port. */
export interface ForwardedPort {
  readonly local: number;
  /** Port of the pod or the Service to which the local port is forwarded. */
  readonly remote: number | string;
  /** Addresses on which the local port listens: `127.0.0.1` and `::1` for `localhost`. */
  readonly addresses: readonly string[];
}

/** Local ports that are forwarded until `close`, or until the signal aborts. */
export interface PortForwarding {
  /** The ports, in the order of the options. */
  readonly ports: readonly ForwardedPort[];
  /** Closes the local ports and all connections. */
  close(): Promise<void>;
}

/** Methods for the `portforward` subresource of a pod. */
export interface PortForward {
  /**
   * Listens on local ports, and forwards each connection to a port of a pod.
   * @throws {TypeError} if a port is neither a number from 1 to 65535 nor the name of a port, or the Service
   * does not have it
   * @throws {ApiError} `isNotFound` if the target does not exist
   * @throws {TransportError} if a local port is in use on one of the addresses (`EADDRINUSE`), if the pod has
   * no port of a name, or if no pod is ready within `timeoutMs`
   * @example
   * ```ts
   * const pods = clientset.coreV1.pods('shop');
   * const forwarding = await pods.portForward({ service: 'web' }, { ports: [':80'] });
   * console.log(`http://localhost:${forwarding.ports[0]?.local}`);
   * await forwarding.close();
   * ```
   */
  portForward(target: PortForwardTarget, options: PortForwardOptions): Promise<PortForwarding>;
  /**
   * Opens one connection to a port of a pod, for a client that accepts a stream. Destroying it closes the
   * connection.
   */
  portForwardStream(
    target: PortForwardTarget,
    port: number | string,
    options?: ConnectionOptions,
  ): Promise<Duplex>;
}
