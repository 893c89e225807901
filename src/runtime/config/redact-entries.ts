/** Keeps the secrets of a kubeconfig's entries out of logs. */
import { type Fields, isFields, member } from './document.ts';
import { shownProxyUrl } from './proxy.ts';
import { hide, printedAs } from './redact.ts';

const secrets: readonly string[] = ['token', 'password', 'client-key-data'];
/** What an auth provider's configuration may show; everything else in it may be a token. */
const shownOfProvider: ReadonlySet<string> = new Set([
  'idp-issuer-url',
  'client-id',
  'idp-certificate-authority',
  'extra-scopes',
]);

function hideProvider(provider: Fields): Fields {
  const config = member(provider, 'config');
  if (!isFields(config)) return provider;
  return {
    ...provider,
    config: hide(
      config,
      Object.keys(config).filter((name) => !shownOfProvider.has(name)),
    ),
  };
}

function hideExec(exec: Fields): Fields {
  const env = member(exec, 'env');
  if (!Array.isArray(env)) return exec;
  return {
    ...exec,
    env: env.map((each: unknown) => (isFields(each) ? hide(each, ['value']) : each)),
  };
}

/** A copy of a user's members that prints without its secrets. */
export function hideUser(fields: Fields): Fields {
  const exec = member(fields, 'exec');
  const provider = member(fields, 'auth-provider');
  const parts = {
    ...fields,
    ...(isFields(exec) && { exec: hideExec(exec) }),
    ...(isFields(provider) && { 'auth-provider': hideProvider(provider) }),
  };
  return hide<Fields>(parts, secrets);
}

/** A copy of a cluster's members that prints without the password of its proxy. */
export function hideCluster(fields: Fields): Fields {
  const proxyUrl = member(fields, 'proxy-url');
  const copy = { ...fields };
  if (typeof proxyUrl !== 'string') return copy;
  return printedAs(copy, () => ({ ...copy, 'proxy-url': shownProxyUrl(proxyUrl) }));
}
