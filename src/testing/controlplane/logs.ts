/** Logs of servers in error messages, without credentials. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const shownLines = 25;
const shownColumns = 500;

/** Returns the last lines of a server's log without credentials, or a sentence if there are none. */
export async function logTail(folder: string, name: string, secrets: readonly string[]): Promise<string> {
  const text = await readFile(join(folder, `${name}.log`), 'utf8').catch((error: Error) => error.message);
  return `last lines of ${name}:\n${redact(tail(text), secrets) || '(none)'}`;
}

function tail(text: string): string {
  const lines = text.trimEnd().split('\n').slice(-shownLines);
  return lines.map((line) => line.slice(0, shownColumns)).join('\n');
}

/** Replaces the given secrets, bearer tokens and private keys. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((result, secret) => result.replaceAll(secret, '[redacted]'), text)
    .replace(/(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(-----END|$)/g, '$1[redacted]$2')
    .replace(/\b(bearer\s+)[\w.~+/=-]+/gi, '$1[redacted]');
}
