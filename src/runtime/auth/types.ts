/** Credentials of requests, and their sources. */

/** Credentials of a request: a header, a client certificate for the connection, or both. */
export interface Credential {
  /** Value of the `Authorization` header. */
  readonly authorization?: string;
  /** Client certificate chain in PEM, with `key`: the request needs a connection that uses it. */
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Source of credentials. Concurrent calls share one read of a file, one run of a program and one refresh of a
 * token.
 */
export interface CredentialSource {
  /** Name of the source for messages: `the exec plugin "aws"`. */
  readonly label?: string | undefined;
  /**
   * Returns the current credential; the same object while it is unchanged. Returns a promise only if it is
   * not available at once.
   * @param signal aborts the wait of this caller only
   * @throws {ConfigError} if no credential is available: names the file, program or issuer that failed, and
   * the remedy
   */
  current(signal?: AbortSignal): Credential | Promise<Credential>;
  /**
   * Returns the credential for a retry after the server refused `refused` with 401; `undefined` if none
   * differs.
   * @throws {ConfigError} if the program or the issuer that should provide another one failed
   */
  renew(refused: Credential, signal?: AbortSignal): Promise<Credential | undefined>;
}
