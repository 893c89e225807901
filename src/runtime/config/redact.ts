/** Keeps credentials out of logs: `util.inspect` and `JSON.stringify` see placeholders, code sees the values. */
import type { AuthConfig, TlsConfig } from './types.ts';

const hidden = '[hidden]';
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * Adds to `target` what printing it looks for. The additions are not enumerable: spreading, comparing and iterating see
 * only the data, and a configuration that is spread keeps its `auth` and `tls` objects as they are.
 */
function printedAs<T extends object>(target: T, shown: () => object): T {
  return Object.defineProperties(target, {
    toJSON: { value: shown, enumerable: false },
    [inspectCustom]: { value: shown, enumerable: false },
  });
}

function masked<T extends object>(target: T, secrets: readonly (keyof T & string)[]): object {
  const names: readonly string[] = secrets;
  return Object.fromEntries(
    Object.entries(target).map(([name, value]) => [name, names.includes(name) ? hidden : value]),
  );
}

/** A copy of `auth` that prints without its secrets. */
export function hideAuth(auth: AuthConfig): AuthConfig {
  const copy = { ...auth };
  return printedAs(copy, () => masked(copy, ['token', 'password']));
}

/** A copy of `tls` that prints without its private key. */
export function hideTls(tls: TlsConfig): TlsConfig {
  const copy = { ...tls };
  return printedAs(copy, () => masked(copy, ['key']));
}
