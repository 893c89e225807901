/** Values that handlers of webhooks receive besides the object. */

import type { Stored } from '@kgen/runtime';
import type { Logger } from '../../log.ts';

/** Operation by its effect: an apply of a new object is `CREATE`, of an existing one `UPDATE`. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** User who sent the request to the API server. */
export interface AdmissionUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Members of the context that do not depend on the operation. */
export interface AdmissionContextBase {
  /** Name of the object; empty if the server generates it later. */
  readonly name: string;
  /** Namespace of the object; empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** Subresource of the request, such as `scale`; empty for the object itself. */
  readonly subresource: string;
  readonly user: AdmissionUser;
  /** Whether nothing is stored: the handler must have no effects outside of its result. */
  readonly dryRun: boolean;
  /**
   * Adds a warning to the response, which kubectl prints. Servers cut a warning at 256 characters if all of
   * them are longer than 4,096 together; 120 are recommended.
   */
  warn(message: string): void;
  /** Adds an annotation to the audit event; the server prefixes its key with the name of the webhook. */
  audit(key: string, value: string): void;
  /** Aborts shortly before the time limit of the API server, after which nobody reads the response. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Context of a handler for the operations `O`: `old` is present exactly for UPDATE and DELETE. */
export type AdmissionContext<T, O extends Operation = Operation> = O extends 'UPDATE' | 'DELETE'
  ? ContextWithOld<T, O>
  : ContextWithoutOld<O>;

/** Context of a handler for an operation on a stored object. */
export interface ContextWithOld<T, O extends Operation> extends AdmissionContextBase {
  readonly operation: O;
  /** Object as it is stored. For `DELETE`, the object of the handler is the same one. */
  readonly old: Stored<T>;
}

/** Context of a handler for another operation. */
export interface ContextWithoutOld<O extends Operation> extends AdmissionContextBase {
  readonly operation: O;
  readonly old?: undefined;
}
