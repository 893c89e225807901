/** Kinds of credentials that a configuration may have, each in a member of `AuthConfig`. */
import type { AuthConfig } from './types.ts';

/** Names of the kinds for messages; `null` for a member that only completes another one. */
const kinds: Readonly<Record<keyof AuthConfig, string | null>> = {
  token: 'a token',
  tokenFile: 'a token',
  username: 'a user name',
  password: null,
  exec: 'an exec plugin',
  oidc: 'tokens of an OIDC issuer',
};

/** Returns the kinds of credentials that are set, for messages. An empty token counts as absent. */
export function credentialKinds(auth: AuthConfig): readonly string[] {
  // seam: Object.keys is not generic
  const names = Object.keys(kinds) as (keyof AuthConfig)[];
  const isSet = (name: keyof AuthConfig): boolean =>
    auth[name] !== undefined && !(name === 'token' && auth.token === '');
  return [...new Set(names.filter(isSet).flatMap((name) => kinds[name] ?? []))];
}
