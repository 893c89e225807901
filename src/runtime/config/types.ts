import type { Impersonation } from '../options.ts';

/** How the server is trusted and how the client proves itself in the TLS handshake. All material is PEM text. */
export interface TlsConfig {
  /** Certificates of the authorities that may sign the server's certificate. When given, system roots are not used. */
  readonly ca?: string;
  /** The client's certificate chain; needs `key`. */
  readonly cert?: string;
  /** The private key of `cert`. */
  readonly key?: string;
  /** Name that the server's certificate must carry, and that is sent as SNI, instead of the host of `server`. */
  readonly serverName?: string;
  /** Accepts any server certificate. Excludes `ca`. */
  readonly insecureSkipTlsVerify?: boolean;
}

/**
 * Who the client is, by HTTP header. At most one of `token` (or `tokenFile`) and `username` is set. A client certificate in
 * `tls` comes before it: leave that out to be seen as the owner of a token.
 */
export interface AuthConfig {
  /** Bearer token. With `tokenFile` set too, it is only the first value. */
  readonly token?: string;
  /** File that holds the bearer token; read again about once a minute, as the kubelet rotates it. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
}

/**
 * How to reach one API server, and as whom: plain data, made by `loadConfig`, `parseKubeconfig` or by hand.
 * Configurations made by this package hide their credentials from `util.inspect` and `JSON.stringify`.
 */
export interface ClusterConfig {
  /** Base URL, such as `https://10.0.0.1:6443`; a path in it is kept as a prefix. */
  readonly server: string;
  readonly tls?: TlsConfig;
  readonly auth?: AuthConfig;
  /** Acts as somebody else in every request that does not name another one itself. */
  readonly impersonate?: Impersonation;
  /** Never asks the server to compress its answers. Default false; answers over loopback are never compressed. */
  readonly disableCompression?: boolean;
  /** Namespace of the context: what `kubectl` would use when none is named. */
  readonly namespace?: string;
  /** Name of the kubeconfig context this came from. */
  readonly context?: string;
}
