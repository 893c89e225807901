/** Keeping what an auth provider was given, so that the next program finds it. */
import { setAuthProviderConfig } from './change.ts';
import { writeChanges } from './write-changes.ts';

/**
 * Writes members of `auth-provider.config` of a user into the kubeconfig that the user is from, and leaves everything
 * else in it as it is. What other programs wrote meanwhile stays.
 * @param file absolute path of the kubeconfig
 * @throws {ConfigError} the file or the user in it is gone, somebody else holds its lock, or it cannot be written
 */
export async function updateAuthProvider(
  file: string,
  user: string,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  await writeChanges([file], [setAuthProviderConfig(user, changes)]);
}
