/** From the entries of a kubeconfig to a configuration. */
import { ConfigError } from '../errors.ts';
import type { Impersonation } from '../options.ts';
import { type Entry, flagMember, isFields, member, textMember } from './document.ts';
import { pathIn, type ReadText, readNamed, readPem } from './material.ts';
import { hideAuth, hideTls } from './redact.ts';
import type { Selected } from './select.ts';
import { parseServer, type ServerAddress } from './server.ts';
import type { AuthConfig, ClusterConfig, TlsConfig } from './types.ts';

const otherUser =
  'give the user a token or a client certificate, or choose another context, with another user';
const otherCluster =
  'remove it where the server can be reached without, or choose another context, with another cluster';

/** What a member of an entry asks for that this version cannot do. Ignoring it would connect in another way than meant. */
function refuse(entry: Entry, names: readonly string[], where: string, instead: string): void {
  const found = names.find((name) => (member(entry.fields, name) ?? '') !== '');
  if (found === undefined) return;
  throw new ConfigError(`${where}: ${found} is not supported by this version; ${instead}`);
}

async function serverTls(cluster: Entry, where: string, read: ReadText): Promise<TlsConfig> {
  const ca = await readPem(cluster, 'certificate-authority', where, read);
  const insecureSkipTlsVerify = flagMember(cluster.fields, 'insecure-skip-tls-verify', where);
  const serverName = textMember(cluster.fields, 'tls-server-name', where);
  if (insecureSkipTlsVerify && ca !== undefined) {
    throw new ConfigError(
      `${where}: certificate-authority and insecure-skip-tls-verify exclude each other; remove one`,
    );
  }
  return {
    ...(ca !== undefined && { ca }),
    ...(serverName !== undefined && { serverName }),
    ...(insecureSkipTlsVerify && { insecureSkipTlsVerify }),
  };
}

async function clientTls(user: Entry, where: string, read: ReadText): Promise<TlsConfig> {
  const cert = await readPem(user, 'client-certificate', where, read);
  const key = await readPem(user, 'client-key', where, read);
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined) throw new ConfigError(`${where}: client-key has no client-certificate beside it`);
  if (key === undefined) throw new ConfigError(`${where}: client-certificate has no client-key beside it`);
  return { cert, key };
}

/** A token file that stands alone must be readable now; beside a token it is where the next ones come from. */
async function readAuth(user: Entry, where: string, read: ReadText): Promise<AuthConfig | undefined> {
  const path = textMember(user.fields, 'tokenFile', where);
  const tokenFile = path === undefined ? undefined : pathIn(user, path, `${where}: tokenFile`);
  const inline = textMember(user.fields, 'token', where);
  const token = inline ?? (tokenFile && (await readNamed(read, tokenFile, `${where}: tokenFile`)).trim());
  const username = textMember(user.fields, 'username', where);
  const password = textMember(user.fields, 'password', where);
  if (token !== undefined && username !== undefined) {
    throw new ConfigError(`${where}: a token and a username are both given; remove one`);
  }
  if (token === undefined && username === undefined) return undefined;
  return {
    ...(token !== undefined && { token }),
    ...(tokenFile !== undefined && { tokenFile }),
    ...(username !== undefined && { username, password: password ?? '' }),
  };
}

function textList(value: unknown, where: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new ConfigError(`${where} is not a list of texts`);
  }
  return value;
}

function readImpersonation(user: Entry, where: string): Impersonation | undefined {
  const as = textMember(user.fields, 'as', where);
  const uid = textMember(user.fields, 'as-uid', where);
  const groups = textList(member(user.fields, 'as-groups') ?? [], `${where}: as-groups`);
  const extra = member(user.fields, 'as-user-extra') ?? {};
  if (!isFields(extra)) throw new ConfigError(`${where}: as-user-extra is not a mapping`);
  const extras = Object.entries(extra).map(([key, value]): [string, readonly string[]] => [
    key,
    textList(value, `${where}: as-user-extra.${key}`),
  ]);
  if (as === undefined) {
    if (uid === undefined && groups.length === 0 && extras.length === 0) return undefined;
    throw new ConfigError(`${where}: as-uid, as-groups and as-user-extra need a user to act as; set as`);
  }
  return {
    user: as,
    ...(uid !== undefined && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extras.length > 0 && { extra: Object.fromEntries(extras) }),
  };
}

/**
 * What the user adds. Credentials stay at home when the way is not `safe`: over plain http to another machine anybody
 * could read them, so kubectl does not send them either.
 */
async function readUser(
  user: Entry | undefined,
  safe: boolean,
  read: ReadText,
): Promise<{ readonly tls: TlsConfig; readonly auth?: AuthConfig; readonly impersonate?: Impersonation }> {
  if (user === undefined) return { tls: {} };
  const where = `${sourceOf(user)}user ${JSON.stringify(user.name)}`;
  refuse(user, ['exec', 'auth-provider'], where, otherUser);
  const impersonate = readImpersonation(user, where);
  const as = impersonate === undefined ? {} : { impersonate };
  if (!safe) return { tls: {}, ...as };
  const auth = await readAuth(user, where, read);
  return {
    tls: await clientTls(user, where, read),
    ...(auth !== undefined && { auth: hideAuth(auth) }),
    ...as,
  };
}

function sourceOf(entry: Entry): string {
  return entry.file === undefined ? '' : `${entry.file}: `;
}

function readServer(cluster: Entry, tls: TlsConfig, where: string): ServerAddress {
  const server = textMember(cluster.fields, 'server', where);
  if (server === undefined) throw new ConfigError(`${where} has no server`);
  try {
    return parseServer(server, tls);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`${where}: ${error.message}`) : error;
  }
}

/**
 * Makes the configuration, reading the files that it names.
 * @throws {ConfigError} something is missing, contradicts itself or cannot be read, or is not supported
 */
export async function resolveSelected(selected: Selected, read: ReadText): Promise<ClusterConfig> {
  const { cluster, user, context, namespace } = selected;
  const where = `${sourceOf(cluster)}cluster ${JSON.stringify(cluster.name)}`;
  refuse(cluster, ['proxy-url'], where, otherCluster);
  const trust = await serverTls(cluster, where, read);
  const { origin, prefix, secure, loopback } = readServer(cluster, trust, where);
  const { tls: identity, auth, impersonate } = await readUser(user, secure || loopback, read);
  const tls = { ...trust, ...identity };
  return {
    server: `${origin}${prefix}`,
    ...(secure && Object.keys(tls).length > 0 && { tls: hideTls(tls) }),
    ...(auth !== undefined && { auth }),
    ...(impersonate !== undefined && { impersonate }),
    ...(flagMember(cluster.fields, 'disable-compression', where) && { disableCompression: true }),
    namespace,
    context,
  };
}
