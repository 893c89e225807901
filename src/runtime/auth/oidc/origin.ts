/** Store of tokens in the kubeconfig that they are from, which other programs read and write too. */
import { messageOf } from '../../common/callbacks.ts';
import { isFields, member } from '../../common/fields.ts';
import { updateAuthProvider } from '../../config/editing/update-auth-provider.ts';
import { openKubeconfigFile } from '../../config/kubeconfig/files.ts';
import type { OidcConfig } from '../../config/types.ts';
import type { Tokens } from './issuer.ts';

/** Store of the tokens of one user. */
export interface TokenStore {
  /** Returns the stored tokens; `undefined` if they cannot be read, or belong to another issuer or client. */
  read(): Promise<Tokens | undefined>;
  /** Stores tokens; if that fails, they are lost when this process ends. */
  write(changes: Partial<Tokens>): Promise<void>;
}

/** Store that keeps no tokens: they stay in memory. */
export const memoryOnly: TokenStore = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
};

/**
 * Returns the store of the tokens in the file of `config.origin`. A failure to write becomes one process
 * warning.
 */
export function tokenStore(config: OidcConfig): TokenStore {
  const { origin } = config;
  if (origin === undefined) return memoryOnly;
  const { file, user } = origin;
  let warned = false;
  const warn = (why: string): void => {
    if (warned) return;
    warned = true;
    const what = `new tokens of user ${JSON.stringify(user)} are used, but could not be stored in ${file}`;
    process.emitWarning(`${what}: ${why}`, { type: 'KubernetesWarning' });
  };
  return {
    read: () => readTokens(config),
    async write({ idToken, refreshToken }) {
      if ((await readTokens(config)) === undefined) {
        warn('it has no such user with tokens of this issuer any more');
        return;
      }
      await updateAuthProvider(file, user, {
        ...(idToken !== undefined && { 'id-token': idToken }),
        ...(refreshToken !== undefined && { 'refresh-token': refreshToken }),
      }).catch((error: unknown) => warn(messageOf(error)));
    },
  };
}

async function readTokens({ origin, issuerUrl, clientId }: OidcConfig): Promise<Tokens | undefined> {
  if (origin === undefined) return undefined;
  const settings = await openKubeconfigFile(origin.file).then(
    ({ document }) => settingsOf(document.read(), origin.user),
    // The tokens in memory stay in use.
    () => undefined,
  );
  if (settings === undefined) return undefined;
  const same = textOf(settings, 'idp-issuer-url') === issuerUrl && textOf(settings, 'client-id') === clientId;
  return same
    ? { idToken: textOf(settings, 'id-token'), refreshToken: textOf(settings, 'refresh-token') }
    : undefined;
}

function textOf(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = member(fields, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the auth provider settings of a user in a parsed kubeconfig. */
function settingsOf(kubeconfig: unknown, user: string): Readonly<Record<string, unknown>> | undefined {
  const users = isFields(kubeconfig) ? member(kubeconfig, 'users') : undefined;
  const entries = Array.isArray(users) ? users.filter(isFields) : [];
  let at: unknown = entries.find((entry) => member(entry, 'name') === user);
  for (const name of ['user', 'auth-provider', 'config']) at = isFields(at) ? member(at, name) : undefined;
  return isFields(at) ? at : undefined;
}
