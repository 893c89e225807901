import type { Impersonation } from '../options.ts';

/** How the server is trusted and how the client proves itself in the TLS handshake. All material is PEM text. */
export interface TlsConfig {
  /** Certificates of the authorities that may sign the server's certificate. When given, system roots are not used. */
  readonly ca?: string;
  /** The client's certificate chain; needs `key`. Not presented for a call that has its own `authorization` header. */
  readonly cert?: string;
  /** The private key of `cert`. */
  readonly key?: string;
  /** File that `ca` is from: read again when it changes, for as long as it holds certificates. */
  readonly caFile?: string;
  /** Files that `cert` and `key` are from: read again when they change, for as long as they belong together. */
  readonly certFile?: string;
  readonly keyFile?: string;
  /** Name that the server's certificate must carry, and that is sent as SNI, instead of the host of `server`. */
  readonly serverName?: string;
  /** Accepts any server certificate. Excludes `ca`. */
  readonly insecureSkipTlsVerify?: boolean;
}

/**
 * A program that knows who the client is: a credential plugin of `client.authentication.k8s.io`.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
export interface ExecConfig {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  /** The program: a path, or a name that is looked up in `PATH`. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables besides those of this process, which they replace. */
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  /**
   * Whether it may ask a person: `Always` fails where standard input is no terminal.
   * Default: `IfAvailable` for v1beta1; v1 demands it.
   */
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always';
  /** Standard input belongs to somebody else: as if it were no terminal. Default false. */
  readonly stdinUnavailable?: boolean;
  /** Tells the program which cluster it is for. Default false. */
  readonly provideClusterInfo?: boolean;
  /** What the kubeconfig keeps for the program in the cluster's extension `client.authentication.k8s.io/exec`. */
  readonly clusterConfig?: unknown;
  /** How to install the program, for the error when it is not there. */
  readonly installHint?: string;
  /** Milliseconds after which the program is ended, unless it may be asking a person. Default 60,000. */
  readonly timeoutMs?: number;
}

/**
 * Tokens of an OpenID Connect issuer: the id token is sent until it expires, then the refresh token gets the next one.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#openid-connect-tokens
 */
export interface OidcConfig {
  /** `https://…`; its document `/.well-known/openid-configuration` says where tokens come from. */
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly idToken?: string;
  readonly refreshToken?: string;
  /** PEM text of the authorities that may sign the issuer's certificate. Default: those of the system. */
  readonly ca?: string;
  /** The kubeconfig and the user in it that the new tokens are written to. Default: they are kept in memory alone. */
  readonly origin?: { readonly file: string; readonly user: string };
}

/**
 * The identity of the client, by HTTP header. At most one of `token` (or `tokenFile`), `username`, `exec` and `oidc` is
 * set, and no client certificate beside it in `tls`: both set by hand is a `ConfigError`.
 *
 * A configuration that was read from a kubeconfig may hold both. Both are sent then, as kubectl does, and servers look at
 * the certificate first. Where its `auth` is replaced (`{ ...config, auth: { token } }`), the new credential is meant: the
 * certificate is not presented. `withToken`, `withImpersonation` and `anonymous` make such configurations.
 */
export interface AuthConfig {
  /** Bearer token. With `tokenFile` set too, it is only the first value. */
  readonly token?: string;
  /** File that holds the bearer token; read again about once a minute, as the kubelet rotates it. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecConfig;
  readonly oidc?: OidcConfig;
}

/**
 * How to reach one API server, and as whom: plain data, made by `loadConfig`, `parseKubeconfig` or by hand.
 * Configurations made by this package hide their credentials from `util.inspect` and `JSON.stringify`: keys, tokens,
 * passwords, all arguments, variables and cluster settings of plugins, and members that this package does not know; those
 * in `proxyUrl` only for as long as the configuration is not copied.
 */
export interface ClusterConfig {
  /** Base URL, such as `https://10.0.0.1:6443`; a path in it is kept as a prefix. */
  readonly server: string;
  readonly tls?: TlsConfig;
  readonly auth?: AuthConfig;
  /**
   * The proxy on the way to the server: `http://`, `https://` or `socks5://`, with a user and a password where it wants
   * them. Default: what `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` of the environment say.
   */
  readonly proxyUrl?: string;
  /** Acts as somebody else in every request that does not name another one itself. See `withImpersonation`. */
  readonly impersonate?: Impersonation;
  /** Never asks the server to compress its answers. Default false; answers over loopback are never compressed. */
  readonly disableCompression?: boolean;
  /** Namespace of the context: what `kubectl` would use when none is named. */
  readonly namespace?: string;
  /** Name of the kubeconfig context this came from. */
  readonly context?: string;
}
