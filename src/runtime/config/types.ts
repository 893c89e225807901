/** Configuration of the connection to one cluster, in the form to which kubeconfigs are converted. */
import type { Impersonation } from '../api/options.ts';

/** TLS settings: trusted authorities of the server, and the client certificate. All material is PEM. */
export interface TlsConfig {
  /**
   * Certificates of the authorities that may sign the server's certificate. If set, system roots are not
   * used.
   */
  readonly ca?: string | undefined;
  /**
   * Client certificate chain; needs `key`. Not presented for a call that has its own `authorization` header.
   */
  readonly cert?: string | undefined;
  /** Private key of `cert`, in PEM. */
  readonly key?: string | undefined;
  /** File of `ca`: read again when it changes, and used if it contains certificates. */
  readonly caFile?: string | undefined;
  /** Files of `cert` and `key`: read again when they change, and used if they belong together. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /**
   * Expected name in the server's certificate, which is also sent as SNI, in place of the host of `server`.
   */
  readonly serverName?: string | undefined;
  /** Accepts any certificate of the server. Mutually exclusive with `ca`. Default: false. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
}

/**
 * Credential plugin of `client.authentication.k8s.io`: a program that prints credentials.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
export interface ExecConfig {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  /** The program: a path, or a name that is looked up in `PATH`. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Environment variables, in addition to those of this process, which they override. */
  readonly env?: readonly { readonly name: string; readonly value: string }[] | undefined;
  /**
   * Access to standard input for prompts: `Always` fails if standard input is not a terminal. Default:
   * `IfAvailable` for v1beta1; required for v1.
   */
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always' | undefined;
  /**
   * Treats standard input as if it were not a terminal, because the program uses it otherwise. Default:
   * false.
   */
  readonly stdinUnavailable?: boolean | undefined;
  /** Passes the cluster to the program. Default: false. */
  readonly provideClusterInfo?: boolean | undefined;
  /** Settings for the program from the cluster's extension `client.authentication.k8s.io/exec`. */
  readonly clusterConfig?: unknown;
  /** Installation instructions, for the error if the program is not found. */
  readonly installHint?: string | undefined;
  /** Time-out of the program in milliseconds, unless it has access to standard input. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Tokens of an OpenID Connect issuer: the id token is sent until it expires, then the refresh token is
 * exchanged for the next one.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#openid-connect-tokens
 */
export interface OidcConfig {
  /** `https://…`; its document `/.well-known/openid-configuration` names the token endpoint. */
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly idToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  /** Authorities that may sign the issuer's certificate, in PEM. Default: those of the system. */
  readonly ca?: string | undefined;
  /** Kubeconfig, and user in it, to which new tokens are written. Default: they are kept in memory only. */
  readonly origin?: { readonly file: string; readonly user: string } | undefined;
}

/**
 * Credentials of the client in HTTP headers. At most one of `token` (or `tokenFile`), `username`, `exec` and
 * `oidc` is set, and no client certificate in `tls` then: setting both by hand is a `ConfigError`.
 *
 * A configuration that was read from a kubeconfig may have both. Both are sent then, as by kubectl, and
 * servers check the certificate first. If its `auth` is replaced (`{ ...config, auth: { token } }`), the new
 * credential applies: the certificate is not presented. `withToken`, `withImpersonation` and `anonymous`
 * create such configurations.
 */
export interface AuthConfig {
  /** Bearer token. If `tokenFile` is set too, it is only the initial value. */
  readonly token?: string | undefined;
  /** File with the bearer token; read again about once a minute, as the kubelet rotates it. */
  readonly tokenFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly exec?: ExecConfig | undefined;
  readonly oidc?: OidcConfig | undefined;
}

/**
 * Configuration of one API server and its credentials: plain data, created by `loadConfig`, `parseKubeconfig`
 * or by hand. Configurations from this package hide their credentials from `util.inspect` and
 * `JSON.stringify`: keys, tokens, passwords, all arguments, variables and cluster settings of plugins, and
 * members that this package does not know; those in `proxyUrl` only as long as the configuration is not
 * copied.
 */
export interface ClusterConfig {
  /**
   * Base URL, such as `https://10.0.0.1:6443`; a path in it is kept as a prefix. A host and port without a
   * scheme are `https` if `tls` has an authority, a client certificate or `insecureSkipTlsVerify`, otherwise
   * `http`, as in kubectl.
   */
  readonly server: string;
  readonly tls?: TlsConfig | undefined;
  readonly auth?: AuthConfig | undefined;
  /**
   * Proxy for the server: `http://`, `https://` or `socks5://`, with user and password if it requires them.
   * Default: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` of the environment.
   */
  readonly proxyUrl?: string | undefined;
  /**
   * Impersonates a user in every request that does not set its own impersonation. See `withImpersonation`.
   */
  readonly impersonate?: Impersonation | undefined;
  /** Disables compression of responses. Default: false; responses over loopback are never compressed. */
  readonly disableCompression?: boolean | undefined;
  /** Namespace of the context: the default of `kubectl`. */
  readonly namespace?: string | undefined;
  /** Name of the kubeconfig context of this configuration. */
  readonly context?: string | undefined;
}
