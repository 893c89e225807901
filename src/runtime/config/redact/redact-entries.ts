/** Redaction of secrets in kubeconfig entries. */
import { type Fields, isFields, member } from '../../common/fields.ts';
import type { KubeconfigCluster, KubeconfigContext, KubeconfigUser } from '../kubeconfig/kubeconfig.ts';
import { shownProxyUrl } from '../kubeconfig/proxy.ts';
import { hidden, hide, printedAs, type Rules } from './redact.ts';

const userRules: Rules<KubeconfigUser> = {
  'client-certificate': 'shown',
  'client-certificate-data': 'shown',
  'client-key': 'shown',
  'client-key-data': 'hidden',
  token: 'hidden',
  tokenFile: 'shown',
  username: 'shown',
  password: 'hidden',
  as: 'shown',
};
/** Members of a user that its type does not declare, and that may be shown. */
const moreOfUser = {
  'as-uid': 'shown',
  'as-groups': 'shown',
  'as-user-extra': 'shown',
  exec: mapping,
  'auth-provider': mapping,
} as const;

/** Shown if it is a mapping, whose secrets are hidden by its own rules. */
function mapping(value: unknown): unknown {
  return isFields(value) ? value : hidden;
}

const clusterRules: Rules<KubeconfigCluster> = {
  server: 'shown',
  'certificate-authority': 'shown',
  'certificate-authority-data': 'shown',
  'tls-server-name': 'shown',
  'insecure-skip-tls-verify': 'shown',
  'proxy-url': (url: unknown) => (typeof url === 'string' ? shownProxyUrl(url) : hidden),
  'disable-compression': 'shown',
};

const contextRules: Rules<KubeconfigContext> = { cluster: 'shown', user: 'shown', namespace: 'shown' };

const providerRules = { name: 'shown', config: mapping } as const;
/** Settings of an auth provider that may be shown; any other may be a token. */
const providerConfigRules = {
  'idp-issuer-url': 'shown',
  'client-id': 'shown',
  'idp-certificate-authority': 'shown',
  'extra-scopes': 'shown',
} as const;

const execRules = {
  apiVersion: 'shown',
  command: 'shown',
  env: (env: unknown) => (Array.isArray(env) ? env.map(mapping) : hidden),
  interactiveMode: 'shown',
  provideClusterInfo: 'shown',
  installHint: 'shown',
} as const;
const variableRules = { name: 'shown' } as const;

/** Returns a copy of a user's members that prints without its secrets. */
export function hideUser(fields: Fields): Fields {
  const exec = member(fields, 'exec');
  const provider = member(fields, 'auth-provider');
  const parts = {
    ...fields,
    ...(isFields(exec) && { exec: hideExec(exec) }),
    ...(isFields(provider) && { 'auth-provider': hideProvider(provider) }),
  };
  return hide<Fields>(parts, { ...userRules, ...moreOfUser });
}

function hideExec(exec: Fields): Fields {
  const env: unknown = member(exec, 'env');
  const args: unknown = member(exec, 'args');
  const parts = {
    ...exec,
    ...(Array.isArray(env) && {
      env: env.map((each: unknown) => (isFields(each) ? hide(each, variableRules) : each)),
    }),
    ...(Array.isArray(args) && { args: printedAs([...args], () => hidden) }),
  };
  return hide(parts, execRules);
}

function hideProvider(provider: Fields): Fields {
  const config = member(provider, 'config');
  const parts = { ...provider, ...(isFields(config) && { config: hide(config, providerConfigRules) }) };
  return hide(parts, providerRules);
}

/**
 * Returns a copy of a cluster's members that prints without the password of its proxy and without its
 * extensions.
 */
export function hideCluster(fields: Fields): Fields {
  return hide(fields, clusterRules);
}

/** Returns a copy of a context's members that prints without its extensions. */
export function hideContext(fields: Fields): Fields {
  return hide(fields, contextRules);
}
