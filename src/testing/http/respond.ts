import type { ServerResponse } from 'node:http';
import type { Answer } from '../api/request.ts';
import { type Problem, statusOf } from '../api/status.ts';
import { writeJson } from '../values/wire.ts';

/** Writes a complete response. */
export function respond(response: ServerResponse, answer: Exclude<Answer, { readonly kind: 'watch' }>): void {
  if (answer.kind === 'text') {
    send(response, answer.code, 'text/plain; charset=utf-8', answer.text, {});
    return;
  }
  if (answer.kind === 'failure') {
    respondFailure(response, answer.problem, answer.warnings);
    return;
  }
  const type = answer.contentType ?? 'application/json';
  send(response, answer.code, type, `${writeJson(answer.body)}\n`, warningHeaders(answer.warnings));
}

/** Writes the Status of a failure, with Retry-After if it has one. */
export function respondFailure(
  response: ServerResponse,
  problem: Problem,
  warnings: readonly string[] = [],
): void {
  const seconds = problem.details?.retryAfterSeconds;
  const retry = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
  const headers = { ...warningHeaders(warnings), ...retry };
  send(response, problem.code, 'application/json', `${JSON.stringify(statusOf(problem))}\n`, headers);
}

function send(
  response: ServerResponse,
  code: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.writeHead(code, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-cache, private',
  });
  response.end(body);
}

/** Returns warnings as `299 - "text"` headers, one each. */
export function warningHeaders(warnings: readonly string[]): Readonly<Record<string, readonly string[]>> {
  if (warnings.length === 0) return {};
  return { Warning: warnings.map((text) => `299 - "${quote(text)}"`) };
}

/**
 * Returns a quoted string for a header: without control characters, with escaped quotes and backslashes.
 * Servers write UTF-8; Node writes a header with one byte per character.
 */
function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no header can hold.
  const quoted = text.replace(/[\u0000-\u001f\u007f]/g, '?').replace(/["\\]/g, '\\$&');
  return Buffer.from(quoted, 'utf8').toString('latin1');
}
