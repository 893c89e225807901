/** `Warning` headers: how a server says that something works and should not be used. */
import { callSafely } from '../callbacks.ts';
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

/** `code agent "text"` and an optional date, at a place in a header. */
const item = /\s*(\d{3})\s+([^\s",]+)\s+"((?:[^"\\]|\\.)*)"(?:\s+"[^"]*")?\s*(?:,|$)/y;

// Also what turns the direction of text around, or breaks lines.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal.
const control = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** Pieces of a header that are looked at: far more than there are, and few enough for a header that is made to hurt. */
const maxPieces = 100;

/**
 * Reads the warnings in a header: those with code 299 and a text without control characters. Nonsense is passed over up
 * to the next comma, as several headers come joined by one.
 */
export function parseWarnings(header: string): Warning[] {
  const warnings: Warning[] = [];
  for (let at = 0, pieces = 0; at < header.length && pieces < maxPieces; pieces += 1) {
    item.lastIndex = at;
    const match = item.exec(header);
    if (match === null) {
      const comma = header.indexOf(',', at);
      if (comma < 0) break;
      at = comma + 1;
      continue;
    }
    const [, code, agent = '-', quoted = ''] = match;
    const text = quoted.replaceAll(/\\(.)/g, '$1');
    if (code === '299' && text !== '' && !control.test(text)) warnings.push({ text, agent });
    at = item.lastIndex;
  }
  return warnings;
}

/** Warnings that are remembered in order not to repeat them; the oldest are forgotten. */
const maxRemembered = 1000;

/** Passes each text on once. */
export function once(handle: WarningHandler): WarningHandler {
  const seen = new Set<string>();
  return (warning, operation) => {
    if (seen.has(warning.text)) return;
    const [oldest] = seen;
    if (seen.size >= maxRemembered && oldest !== undefined) seen.delete(oldest);
    seen.add(warning.text);
    handle(warning, operation);
  };
}

/** Gives warnings to the process: printed to standard error, unless `--no-warnings` or a `warning` listener says otherwise. */
export const printWarning: WarningHandler = once((warning) => {
  process.emitWarning(warning.text, { type: 'KubernetesWarning' });
});

/** The answer is there, and what it answers is done: a handler that fails must not turn it into a failure. */
function tell(handle: WarningHandler, warning: Warning, operation: Operation): void {
  callSafely(() => handle(warning, operation), 'a handler of warnings', 'KubernetesWarning');
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
