/** The kubeconfig that the tokens are from, which other programs read and write too. */
import { messageOf } from '../../callbacks.ts';
import { openKubeconfigFile } from '../../config/files.ts';
import type { OidcConfig } from '../../config/types.ts';
import { updateAuthProvider } from '../../config/update-auth-provider.ts';
import { isFields, member } from '../../fields.ts';
import type { Tokens } from './issuer.ts';

/** Where the tokens of one user are kept. */
export interface TokenStore {
  /** The tokens that are there now; `undefined` where nothing can be read, or it is for another issuer or client. */
  read(): Promise<Tokens | undefined>;
  /** Keeps tokens; where that cannot be done, they are lost with this process. */
  write(changes: Partial<Tokens>): Promise<void>;
}

/** Tokens that are kept in memory alone. */
export const memoryOnly: TokenStore = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
};

function textOf(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = member(fields, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The settings of the auth provider of a user, in the value of a kubeconfig. */
function settingsOf(kubeconfig: unknown, user: string): Readonly<Record<string, unknown>> | undefined {
  const users = isFields(kubeconfig) ? member(kubeconfig, 'users') : undefined;
  const entries = Array.isArray(users) ? users.filter(isFields) : [];
  let at: unknown = entries.find((entry) => member(entry, 'name') === user);
  for (const name of ['user', 'auth-provider', 'config']) at = isFields(at) ? member(at, name) : undefined;
  return isFields(at) ? at : undefined;
}

async function readTokens({ origin, issuerUrl, clientId }: OidcConfig): Promise<Tokens | undefined> {
  if (origin === undefined) return undefined;
  const settings = await openKubeconfigFile(origin.file).then(
    ({ document }) => settingsOf(document.read(), origin.user),
    // The tokens that are held already are what there is then.
    () => undefined,
  );
  if (settings === undefined) return undefined;
  const same = textOf(settings, 'idp-issuer-url') === issuerUrl && textOf(settings, 'client-id') === clientId;
  return same
    ? { idToken: textOf(settings, 'id-token'), refreshToken: textOf(settings, 'refresh-token') }
    : undefined;
}

/** The tokens in the file of `config.origin`. What keeps it from being written becomes one warning of the process. */
export function tokenStore(config: OidcConfig): TokenStore {
  const { origin } = config;
  if (origin === undefined) return memoryOnly;
  const { file, user } = origin;
  let warned = false;
  const warn = (why: string): void => {
    if (warned) return;
    warned = true;
    const what = `new tokens of user ${JSON.stringify(user)} are used, but could not be kept in ${file}`;
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
