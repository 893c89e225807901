/**
 * Redaction of credentials: `util.inspect` and `JSON.stringify` show placeholders, while code reads the
 * values.
 */
import { shownProxyUrl } from '../kubeconfig/proxy.ts';
import type { AuthConfig, ClusterConfig, ExecConfig, OidcConfig, TlsConfig } from '../types.ts';

/** Placeholder of a secret. */
export const hidden: string = '[hidden]';
const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** Output of a member: its value, a placeholder, or the result of the function. */
type Rule<Value> = 'shown' | 'hidden' | ((value: Value) => unknown);

/** Members that are declared by name, without those of an index signature. */
type Declared<T> = keyof { [Name in keyof T as string extends Name ? never : Name]: T[Name] } & keyof T;

/**
 * Redaction rules of a type. Every declared member needs a rule, so that a new member without one does not
 * compile; other members are hidden.
 */
export type Rules<T> = { readonly [Name in Declared<T>]-?: Rule<NonNullable<T[Name]>> };

/** Rules by name, for values of unknown types. */
export type AnyRules = Readonly<Record<string, Rule<never>>>;

/**
 * Sets the printed form of `target`. The additions are not enumerable: spreading, comparing and iterating see
 * only the data, and a copy of a configuration by spreading keeps its `auth` and `tls` objects.
 */
export function printedAs<T extends object>(target: T, shown: () => unknown): T {
  return Object.defineProperties(target, {
    toJSON: { value: shown, enumerable: false },
    [inspectCustom]: { value: shown, enumerable: false },
  });
}

/** Returns a copy that prints by rules; members without a rule are hidden. */
export function hide<T extends object>(target: T, rules: AnyRules): T {
  const copy = { ...target };
  return printedAs(copy, () => printed(copy, rules));
}

/** Returns the members of an object in their printed form. */
function printed(target: object, rules: AnyRules): object {
  return Object.fromEntries(
    Object.entries(target).map(([name, value]) => [
      name,
      printedMember(Object.hasOwn(rules, name) ? rules[name] : undefined, value),
    ]),
  );
}

function printedMember(rule: Rule<never> | undefined, value: unknown): unknown {
  if (value === undefined || rule === 'shown') return value;
  // The rules of a type are for the values of its members.
  return typeof rule === 'function' ? (rule as (value: unknown) => unknown)(value) : hidden;
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

/** Variables and arguments stay hidden if they are printed separately, or in a copy of their container. */
function hideExec(exec: ExecConfig): ExecConfig {
  const { args, env } = exec;
  const parts: ExecConfig = {
    ...exec,
    ...(args !== undefined && { args: printedAs([...args], () => hidden) }),
    ...(env !== undefined && { env: hideVariables(env) }),
  };
  return hide(parts, execRules);
}

/** Returns a copy of `auth` that prints without its secrets. */
export function hideAuth(auth: AuthConfig): AuthConfig {
  const { exec, oidc } = auth;
  const parts: AuthConfig = {
    ...auth,
    ...(exec !== undefined && { exec: hideExec(exec) }),
    ...(oidc !== undefined && { oidc: hideOidc(oidc) }),
  };
  return hide(parts, authRules);
}

/** Returns a copy of `tls` that prints without its private key. */
export function hideTls(tls: TlsConfig): TlsConfig {
  return hide(tls, tlsRules);
}

/**
 * Returns a copy of the configuration that prints without its secrets. A further copy of it prints the
 * password of the proxy again.
 */
export function hideConfig(config: ClusterConfig): ClusterConfig {
  return hide(config, configRules);
}
