/** System functions that credential sources use. */
import { readFile } from 'node:fs/promises';

/** A request to a token issuer. */
export interface IssuerRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Authorities that may sign the issuer's certificate, in PEM. Default: those of the system. */
  readonly ca: string | undefined;
}

/**
 * Sends a request to an issuer: over `https`, through the proxy of the environment, without following
 * redirects, within 30 s and 1 MiB. The REST layer provides it.
 */
export type IssuerFetch = (url: URL, request: IssuerRequest) => Promise<Response>;

/** Clock, files, variables and terminal, replaceable in tests. */
export interface AuthEnvironment {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Reads a file as a string. */
  readonly read: (path: string) => Promise<string>;
  /** The environment variables of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Returns whether a file descriptor of this process is a terminal. */
  readonly isTerminal: (fd: number) => boolean;
  /** Shows the user output that a program writes to its standard error. */
  readonly show: (chunk: Uint8Array) => void;
  readonly fetch: IssuerFetch;
}

/** Functions that every request may need: clock and files. The others are added on use, see `completed`. */
export const clockAndFiles: Pick<AuthEnvironment, 'now' | 'read'> = {
  now: Date.now,
  read: (path) => readFile(path, 'utf8'),
};
