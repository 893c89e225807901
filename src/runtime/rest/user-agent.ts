import { basename } from 'node:path';
import { arch, argv, platform } from 'node:process';

/** Version of this package, as User-Agents give it. A test compares it with package.json. */
export const version = '0.1.0';

/** Only visible ASCII may go into a header. */
function headerSafe(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '_');
}

/** `<program>/<version> (<os>/<arch>) kgen`, in the order that clients written in Go use. */
export function defaultUserAgent(): string {
  const program = headerSafe(basename(argv[1] ?? 'node')) || 'node';
  return `${program}/v${version} (${platform}/${arch}) kgen`;
}
