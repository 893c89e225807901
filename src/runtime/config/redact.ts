/** Keeps credentials out of logs: `util.inspect` and `JSON.stringify` see placeholders, code sees the values. */
import { shownProxyUrl } from './proxy.ts';
import { hiddenArgs } from './redact-args.ts';
import type { AuthConfig, ClusterConfig, ExecConfig, OidcConfig, TlsConfig } from './types.ts';

/** What is printed instead of a secret. */
export const hidden: string = '[hidden]';
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * Adds to `target` what printing it looks for. The additions are not enumerable: spreading, comparing and iterating see
 * only the data, and a configuration that is spread keeps its `auth` and `tls` objects as they are.
 */
export function printedAs<T extends object>(target: T, shown: () => object): T {
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

/** A copy that prints with placeholders for what is secret. */
export function hide<T extends object>(target: T, secrets: readonly (keyof T & string)[]): T {
  const copy = { ...target };
  return printedAs(copy, () => masked(copy, secrets));
}

type Variable = NonNullable<ExecConfig['env']>[number];

/**
 * A variable by itself is hidden from `util.inspect` alone. As JSON it is what it says: JSON is what tells programs apart
 * of which each gives somebody else's credential.
 */
function hideVariable(variable: Variable): Variable {
  return Object.defineProperty({ ...variable }, inspectCustom, {
    value: () => ({ ...variable, value: hidden }),
  });
}

function hideExec(exec: ExecConfig): ExecConfig {
  const { args, env } = exec;
  const copy: ExecConfig = { ...exec, ...(env !== undefined && { env: env.map(hideVariable) }) };
  return printedAs(copy, () => ({
    ...copy,
    ...(args !== undefined && { args: hiddenArgs(args, hidden) }),
    ...(env !== undefined && { env: env.map(({ name }) => ({ name, value: hidden })) }),
  }));
}

function hideOidc(oidc: OidcConfig): OidcConfig {
  return hide(oidc, ['clientSecret', 'idToken', 'refreshToken']);
}

/** A copy of `auth` that prints without its secrets. */
export function hideAuth(auth: AuthConfig): AuthConfig {
  const { exec, oidc } = auth;
  const parts = {
    ...auth,
    ...(exec !== undefined && { exec: hideExec(exec) }),
    ...(oidc !== undefined && { oidc: hideOidc(oidc) }),
  };
  return hide<AuthConfig>(parts, ['token', 'password']);
}

/** A copy of `tls` that prints without its private key. */
export function hideTls(tls: TlsConfig): TlsConfig {
  return hide(tls, ['key']);
}

/** A copy of the configuration that prints without the password of its proxy. It is seen again where this is spread. */
export function hideProxy(config: ClusterConfig): ClusterConfig {
  const { proxyUrl } = config;
  if (proxyUrl === undefined) return config;
  const copy = { ...config };
  return printedAs(copy, () => ({ ...copy, proxyUrl: shownProxyUrl(proxyUrl) }));
}
