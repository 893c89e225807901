/** Keeps the secrets of a kubeconfig's entries out of logs. */
import { type Fields, isFields, member } from '../fields.ts';
import { shownProxyUrl } from './proxy.ts';
import { hidden, hide, printedAs } from './redact.ts';
import { hiddenArgs } from './redact-args.ts';

/** Members of a user that may be shown; one that nobody knows may be a secret. */
const shownOfUser: ReadonlySet<string> = new Set([
  'client-certificate',
  'client-certificate-data',
  'client-key',
  'tokenFile',
  'username',
  'as',
  'as-uid',
  'as-groups',
  'as-user-extra',
  'exec',
  'auth-provider',
  'extensions',
]);
/** Those of them that are shown in part, and so have to be what they should be. */
const mappings: readonly string[] = ['exec', 'auth-provider'];
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
  const args: unknown = member(exec, 'args');
  const copy = {
    ...exec,
    ...(Array.isArray(env) && {
      env: env.map((each: unknown) => (isFields(each) ? hide(each, ['value']) : each)),
    }),
  };
  if (!Array.isArray(args)) return copy;
  return printedAs(copy, () => ({ ...copy, args: hiddenArgs(args.map(String), hidden) }));
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
  const isShown = (name: string): boolean =>
    shownOfUser.has(name) && (!mappings.includes(name) || isFields(member(fields, name)));
  return hide<Fields>(
    parts,
    Object.keys(parts).filter((name) => !isShown(name)),
  );
}

/** A copy of a cluster's members that prints without the password of its proxy. */
export function hideCluster(fields: Fields): Fields {
  const proxyUrl = member(fields, 'proxy-url');
  const copy = { ...fields };
  if (typeof proxyUrl !== 'string') return copy;
  return printedAs(copy, () => ({ ...copy, 'proxy-url': shownProxyUrl(proxyUrl) }));
}
