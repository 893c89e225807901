/** Storage of auth provider settings for later programs. */
import { setAuthProviderConfig } from './change.ts';
import { writeChanges } from './write-changes.ts';

/**
 * Writes members of `auth-provider.config` of a user to the user's kubeconfig, and keeps everything else in
 * it, including changes of other programs.
 * @param file absolute path of the kubeconfig
 * @throws {ConfigError} if the file or the user in it does not exist, another program holds its lock, or it
 * cannot be written
 */
export async function updateAuthProvider(
  file: string,
  user: string,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  await writeChanges([file], [setAuthProviderConfig(user, changes)]);
}
