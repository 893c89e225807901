/** `Warning` headers as they are written; loaded with the first one. */
import { callSafely } from '../callbacks.ts';
import { describeOperation } from '../errors.ts';
import type { Operation } from './types.ts';
import type { Warning, WarningHandler } from './warnings.ts';

/** `code agent "text"` and an optional date, at a place in a header. */
const item = /\s*(\d{3})\s+([^\s",]+)\s+"((?:[^"\\]|\\.)*)"(?:\s+"[^"]*")?\s*(?:,|$)/y;

// Also what turns the direction of text around, or breaks lines.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal.
const control = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** A warning about the body of a request: it means nothing without the request. */
const aboutBody = /^(?:unknown|duplicate) field /;

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

/**
 * Servers write UTF-8, and Node reads headers byte by byte: the characters of a header are its bytes. What is not UTF-8,
 * or not bytes, stays as it is.
 */
function asUtf8(header: string): string {
  if (!/[\x80-\xff]/.test(header) || /[^\0-\xff]/.test(header)) return header;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/**
 * Hands a warning over. The response is there, and what was asked for is done: a handler that fails must not turn it into
 * a failure.
 */
export function handOver(handle: WarningHandler, warning: Warning, operation: Operation): void {
  callSafely(() => handle(warning, operation), 'a handler of warnings', 'KubernetesWarning');
}

/** Hands over all warnings of a header. */
export function tellAll(header: string, handle: WarningHandler, operation: Operation): void {
  for (const parsed of parseWarnings(asUtf8(header))) {
    const { text } = parsed;
    const message = `${describeOperation(operation)}: ${text}`;
    handOver(handle, aboutBody.test(text) ? { ...parsed, message } : parsed, operation);
  }
}
