/** Who the client is, request by request. */

/** What proves it: a header, a client certificate for the connection, or both. */
export interface Credential {
  /** Value of the `Authorization` header. */
  readonly authorization?: string;
  /** PEM text of a client certificate chain, with `key`: the request needs a connection that was made with it. */
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Where credentials come from. However many calls ask at a time, a file is read once, a program runs once and a token
 * is refreshed once.
 */
export interface CredentialSource {
  /** What is asked, for messages: `the exec plugin "aws"`. */
  readonly label?: string | undefined;
  /**
   * The present one; the same object for as long as nothing changed. Not a promise where nothing has to be waited for.
   * @param signal ends the waiting of this caller alone: what it waited for goes on for the others
   * @throws {ConfigError} there is none to be had: says which file, program or issuer failed, and what to do
   */
  current(signal?: AbortSignal): Credential | Promise<Credential>;
  /**
   * The one to try once more with after the server refused `refused` with 401; `undefined` when there is no other.
   * @throws {ConfigError} the program or the issuer that should give another one failed
   */
  renew(refused: Credential, signal?: AbortSignal): Promise<Credential | undefined>;
}
