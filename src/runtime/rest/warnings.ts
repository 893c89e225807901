/** `Warning` headers: how a server says that something works and should not be used. */
import type { Operation, Transport } from './types.ts';

/** One warning of the server; or of this package about the server: its `agent` then is `@kgen/runtime`. */
export interface Warning {
  /** What is wrong, such as `my.domain/v1alpha1 MyApp is deprecated`. */
  readonly text: string;
  /** The text with the request, where it is about its body: `update deployments shop/web: unknown field "spec.replica"`. */
  readonly message?: string;
  /** Who says so; mostly `-`. */
  readonly agent: string;
}

/**
 * Called with a warning and the first request that it was a response to. What it throws, or what its promise rejects with,
 * becomes a process warning, and the call continues.
 */
export type WarningHandler = (warning: Warning, operation: Operation) => void;

/** Warnings that are remembered in order not to repeat them; the oldest are forgotten. */
const maxRemembered = 1000;

/**
 * Passes each text on once; one about the body of a request once for each verb and resource. Returns the promise of a
 * handler, so that its failure is seen.
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

/** Gives warnings to the process: printed to standard error, unless `--no-warnings` or a `warning` listener says otherwise. */
export const printWarning: WarningHandler = once(({ text, message = text }) => {
  process.emitWarning(message, { type: 'KubernetesWarning' });
});

/** A transport that hands the warnings of each answer to `handle`. */
export function observingWarnings(send: Transport, handle: WarningHandler): Transport {
  return async (request) => {
    const response = await send(request);
    const header = response.headers['warning'];
    if (header !== undefined) {
      const { tellAll } = await import('./warning-header.ts');
      tellAll(header, handle, request.operation);
    }
    return response;
  };
}
