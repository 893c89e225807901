/** What sources of credentials need of the system. */
import { readFile } from 'node:fs/promises';

/** A request to an issuer of tokens. */
export interface IssuerRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** PEM text of the authorities that may sign its certificate. Default: those of the system. */
  readonly ca: string | undefined;
}

/**
 * Asks an issuer: over `https`, through the proxy that the environment names, following no redirect, within 30 s and
 * 1 MiB. It is given by the layer that has connections.
 */
export type IssuerFetch = (url: URL, request: IssuerRequest) => Promise<Response>;

/** Clock, files, variables and terminal, so that tests need none of them. */
export interface AuthEnvironment {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Reads a file as text. */
  readonly read: (path: string) => Promise<string>;
  /** The environment variables of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Whether a file descriptor of this process is a terminal. */
  readonly isTerminal: (fd: number) => boolean;
  /** Shows the user what a program writes to its standard error. */
  readonly show: (chunk: Uint8Array) => void;
  readonly fetch: IssuerFetch;
}

/** What is needed for every request: clock and files. The rest is added where it is used, see `completed`. */
export const clockAndFiles: Pick<AuthEnvironment, 'now' | 'read'> = {
  now: Date.now,
  read: (path) => readFile(path, 'utf8'),
};
