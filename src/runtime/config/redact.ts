/** Keeps credentials out of logs: `util.inspect` and `JSON.stringify` see placeholders, code sees the values. */
import { shownProxyUrl } from './proxy.ts';
import type { AuthConfig, ClusterConfig, ExecConfig, OidcConfig, TlsConfig } from './types.ts';

/** Printed in place of a secret. */
export const hidden: string = '[hidden]';
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** How the value of a member is printed: as it is, as a placeholder, or as the function returns it. */
type Rule<Value> = 'shown' | 'hidden' | ((value: Value) => unknown);

/** Members that are declared by name; those behind an index signature are not. */
type Declared<T> = keyof { [Name in keyof T as string extends Name ? never : Name]: T[Name] } & keyof T;

/**
 * How a type is printed. Every member that it declares needs a rule, so that a new one does not compile without;
 * members without a rule are hidden.
 */
export type Rules<T> = { readonly [Name in Declared<T>]-?: Rule<NonNullable<T[Name]>> };

/** Rules by name, for values of which only the names are known. */
export type AnyRules = Readonly<Record<string, Rule<never>>>;

/**
 * Adds to `target` how it is printed. The additions are not enumerable: spreading, comparing and iterating see only the
 * data, and a configuration that is spread keeps its `auth` and `tls` objects as they are.
 */
export function printedAs<T extends object>(target: T, shown: () => unknown): T {
  return Object.defineProperties(target, {
    toJSON: { value: shown, enumerable: false },
    [inspectCustom]: { value: shown, enumerable: false },
  });
}

function printedMember(rule: Rule<never> | undefined, value: unknown): unknown {
  if (value === undefined || rule === 'shown') return value;
  // The rules of a type are for the values of its members.
  return typeof rule === 'function' ? (rule as (value: unknown) => unknown)(value) : hidden;
}

/** The members of an object as they are printed. */
function printed(target: object, rules: AnyRules): object {
  return Object.fromEntries(
    Object.entries(target).map(([name, value]) => [
      name,
      printedMember(Object.hasOwn(rules, name) ? rules[name] : undefined, value),
    ]),
  );
}

/** A copy that prints by rules; members without a rule are hidden. */
export function hide<T extends object>(target: T, rules: AnyRules): T {
  const copy = { ...target };
  return printedAs(copy, () => printed(copy, rules));
}

type Variable = NonNullable<ExecConfig['env']>[number];

const variableRules: Rules<Variable> = { name: 'shown', value: 'hidden' };

const execRules: Rules<ExecConfig> = {
  apiVersion: 'shown',
  command: 'shown',
  args: 'hidden',
  env: hideVariables,
  interactiveMode: 'shown',
  stdinUnavailable: 'shown',
  provideClusterInfo: 'shown',
  clusterConfig: 'hidden',
  installHint: 'shown',
  timeoutMs: 'shown',
};

const oidcRules: Rules<OidcConfig> = {
  issuerUrl: 'shown',
  clientId: 'shown',
  clientSecret: 'hidden',
  idToken: 'hidden',
  refreshToken: 'hidden',
  ca: 'shown',
  origin: 'shown',
};

const authRules: Rules<AuthConfig> = {
  token: 'hidden',
  tokenFile: 'shown',
  username: 'shown',
  password: 'hidden',
  exec: hideExec,
  oidc: hideOidc,
};

const tlsRules: Rules<TlsConfig> = {
  ca: 'shown',
  cert: 'shown',
  key: 'hidden',
  caFile: 'shown',
  certFile: 'shown',
  keyFile: 'shown',
  serverName: 'shown',
  insecureSkipTlsVerify: 'shown',
};

const configRules: Rules<ClusterConfig> = {
  server: 'shown',
  tls: hideTls,
  auth: hideAuth,
  proxyUrl: shownProxyUrl,
  impersonate: 'shown',
  disableCompression: 'shown',
  namespace: 'shown',
  context: 'shown',
};

function hideVariables(env: readonly Variable[]): readonly Variable[] {
  return env.map((variable) => hide(variable, variableRules));
}

function hideOidc(oidc: OidcConfig): OidcConfig {
  return hide(oidc, oidcRules);
}

/** Variables and arguments stay hidden where they are printed by themselves, or in a copy of what holds them. */
function hideExec(exec: ExecConfig): ExecConfig {
  const { args, env } = exec;
  const parts: ExecConfig = {
    ...exec,
    ...(args !== undefined && { args: printedAs([...args], () => hidden) }),
    ...(env !== undefined && { env: hideVariables(env) }),
  };
  return hide(parts, execRules);
}

/** A copy of `auth` that prints without its secrets. */
export function hideAuth(auth: AuthConfig): AuthConfig {
  const { exec, oidc } = auth;
  const parts: AuthConfig = {
    ...auth,
    ...(exec !== undefined && { exec: hideExec(exec) }),
    ...(oidc !== undefined && { oidc: hideOidc(oidc) }),
  };
  return hide(parts, authRules);
}

/** A copy of `tls` that prints without its private key. */
export function hideTls(tls: TlsConfig): TlsConfig {
  return hide(tls, tlsRules);
}

/**
 * A copy of the configuration that prints without its secrets. In a copy of it, the password of the proxy is printed
 * again.
 */
export function hideConfig(config: ClusterConfig): ClusterConfig {
  return hide(config, configRules);
}
