/** `Warning` headers: how a server says that something works and should not be used. */
import type { Operation, Transport } from './types.ts';

/** One warning of the server. */
export interface Warning {
  /** What is wrong, such as `my.domain/v1alpha1 MyApp is deprecated`. */
  readonly text: string;
  /** Who says so; mostly `-`. */
  readonly agent: string;
}

/** Told of every warning, also of repeated ones. */
export type WarningHandler = (warning: Warning, operation: Operation) => void;

/** `code agent "text"` and an optional date, at the start of what is left of a header. */
const item = /^\s*(\d{3})\s+([^\s",]+)\s+"((?:[^"\\]|\\.)*)"(?:\s+"[^"]*")?\s*(?:,|$)/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal.
const control = /[\u0000-\u001f\u007f-\u009f]/;

/** Reads the warnings in a header: those with code 299 and a text without control characters. Stops at nonsense. */
export function parseWarnings(header: string): Warning[] {
  const warnings: Warning[] = [];
  for (let rest = header, match = item.exec(rest); match !== null; match = item.exec(rest)) {
    const [whole, code, agent = '-', quoted = ''] = match;
    const text = quoted.replaceAll(/\\(.)/g, '$1');
    if (code === '299' && text !== '' && !control.test(text)) warnings.push({ text, agent });
    rest = rest.slice(whole.length);
  }
  return warnings;
}

/** Warnings that are remembered in order not to repeat them. */
const maxRemembered = 1000;

/** Passes each text on once. */
export function once(handle: WarningHandler): WarningHandler {
  const seen = new Set<string>();
  return (warning, operation) => {
    if (seen.has(warning.text)) return;
    if (seen.size < maxRemembered) seen.add(warning.text);
    handle(warning, operation);
  };
}

/** Gives warnings to the process: printed to standard error, unless `--no-warnings` or a `warning` listener says otherwise. */
export const printWarning: WarningHandler = once((warning) => {
  process.emitWarning(warning.text, { type: 'KubernetesWarning' });
});

/** The answer is there, and what it answers is done: a handler that fails must not turn it into a failure. */
function tell(handle: WarningHandler, warning: Warning, operation: Operation): void {
  try {
    handle(warning, operation);
  } catch (error) {
    process.emitWarning(`a handler of warnings failed: ${String(error)}`, { type: 'KubernetesWarning' });
  }
}

/** A transport that hands the warnings of each answer to `handle`. */
export function observingWarnings(send: Transport, handle: WarningHandler): Transport {
  return async (request) => {
    const response = await send(request);
    const header = response.headers['warning'];
    if (header !== undefined) {
      for (const warning of parseWarnings(header)) tell(handle, warning, request.operation);
    }
    return response;
  };
}
