/** `Warning` headers: messages of the server about deprecated or ignored parts of a request. */

import type { RequestOperation } from '../../api/operation.ts';
import type { Transport } from '../../api/transport.ts';
import { onDemand } from '../../common/on-demand.ts';

const warningHeader = onDemand(() => import('./warning-header.ts'));

/** One warning of the server, or of this package about the server: its `agent` then is `@kgen/runtime`. */
export interface ServerWarning {
  /** Text of the warning, such as `my.domain/v1alpha1 MyApp is deprecated`. */
  readonly text: string;
  /**
   * Text with the request, for a warning about its body:
   * `update deployments shop/web: unknown field "spec.replica"`.
   */
  readonly message?: string;
  /** Agent that has sent the warning, as in the header; `-` if it is unknown, which is usual. */
  readonly agent: string;
}

/**
 * Called with a warning and the first request whose response contained it. An error that it throws, or with
 * which its promise rejects, becomes a process warning, and the call continues.
 */
export type WarningHandler = (warning: ServerWarning, operation: RequestOperation) => void;

/** Maximum number of remembered warnings, which are not repeated; the oldest are forgotten. */
const maxRemembered = 1000;

/**
 * Returns a handler that passes each warning on once; one about the body of a request once per verb and
 * resource. It returns the promise of `handle`, so that a rejection is noticed.
 */
export function once(handle: WarningHandler): WarningHandler {
  const seen = new Set<string>();
  return (warning, operation) => {
    const { message, text } = warning;
    const key = message ? operation.verb + operation.resource + text : text;
    if (seen.has(key)) return undefined;
    const [oldest] = seen;
    if (seen.size >= maxRemembered && oldest !== undefined) seen.delete(oldest);
    seen.add(key);
    return handle(warning, operation);
  };
}

/**
 * Emits a process warning: printed to standard error, unless `--no-warnings` or a `warning` listener changes
 * that.
 */
export const printWarning: WarningHandler = once(({ text, message = text }) => {
  process.emitWarning(message, { type: 'KubernetesWarning' });
});

/** Returns a transport that passes the warnings of each response to `handle`. */
export function observingWarnings(send: Transport, handle: WarningHandler): Transport {
  return async (request) => {
    const response = await send(request);
    const header = response.headers['warning'];
    if (header !== undefined) {
      const { notifyAll } = await warningHeader();
      notifyAll(header, handle, request.operation);
    }
    return response;
  };
}
