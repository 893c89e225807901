/** Parser of `Warning` headers; loaded with the first one. */

import type { RequestOperation } from '../../api/operation.ts';
import { describeOperation } from '../../api/operation.ts';
import { callSafely } from '../../common/callbacks.ts';
import { isPrintable } from '../../common/printable.ts';
import type { ServerWarning, WarningHandler } from './warnings.ts';

/** Matches `code agent "text"` and an optional date, at a position in a header. */
const item = /\s*(\d{3})\s+([^\s",]+)\s+"((?:[^"\\]|\\.)*)"(?:\s+"[^"]*")?\s*(?:,|$)/y;

/** A warning about the body of a request: it is meaningless without the request. */
const aboutBody = /^(?:unknown|duplicate) field /;

/**
 * Maximum number of parsed parts of a header: far more than servers send, and few enough for a malicious
 * header.
 */
const maxPieces = 100;

/**
 * Parses the warnings in a header: those with code 299 and a text without control characters. Malformed parts
 * are skipped up to the next comma, as several headers are joined by commas.
 */
export function parseWarnings(header: string): ServerWarning[] {
  const warnings: ServerWarning[] = [];
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
    if (code === '299' && text !== '' && isPrintable(text)) warnings.push({ text, agent });
    at = item.lastIndex;
  }
  return warnings;
}

/** Calls the handler with a warning. The request succeeded: a handler that throws must not fail it. */
export function handOver(handle: WarningHandler, warning: ServerWarning, operation: RequestOperation): void {
  callSafely(() => handle(warning, operation), 'a handler of warnings', 'KubernetesWarning');
}

/** Calls the handler with all warnings of a header. */
export function notifyAll(header: string, handle: WarningHandler, operation: RequestOperation): void {
  for (const parsed of parseWarnings(asUtf8(header))) {
    const { text } = parsed;
    const message = `${describeOperation(operation)}: ${text}`;
    handOver(handle, aboutBody.test(text) ? { ...parsed, message } : parsed, operation);
  }
}

/**
 * Decodes a header as UTF-8: servers send UTF-8, and Node decodes headers as Latin-1. Headers that are not
 * UTF-8 are returned unchanged.
 */
function asUtf8(header: string): string {
  if (!/[\x80-\xff]/.test(header) || /[^\0-\xff]/.test(header)) return header;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
