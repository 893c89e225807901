/** From a user of a kubeconfig to credentials. */
import { ConfigError } from '../errors.ts';
import { member } from '../fields.ts';
import type { Impersonation } from '../options.ts';
import { readAuthProvider } from './auth-provider.ts';
import { type Entry, textMember, whereIs } from './document.ts';
import { readExec } from './exec.ts';
import { readImpersonation } from './impersonation.ts';
import { checkKeyPair } from './key-pair.ts';
import { pathIn, type Rights, readNamed, readPem } from './material.ts';
import type { AuthConfig, TlsConfig } from './types.ts';

/** What a user adds to the way to its server. */
export interface Identity {
  readonly tls: TlsConfig;
  readonly auth?: AuthConfig;
  readonly impersonate?: Impersonation;
}

async function clientTls(user: Entry, where: string, rights: Rights): Promise<TlsConfig> {
  const cert = await readPem(user, 'client-certificate', where, rights);
  const key = await readPem(user, 'client-key', where, rights);
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined) throw new ConfigError(`${where}: client-key has no client-certificate beside it`);
  if (key === undefined) throw new ConfigError(`${where}: client-certificate has no client-key beside it`);
  checkKeyPair(cert, key);
  return {
    cert: cert.text,
    key: key.text,
    ...(cert.file !== undefined && { certFile: cert.file }),
    ...(key.file !== undefined && { keyFile: key.file }),
  };
}

/** A token file that stands alone must be readable now; beside a token it is where the next ones come from. */
async function readToken(user: Entry, where: string, { read }: Rights): Promise<AuthConfig | undefined> {
  const path = textMember(user.fields, 'tokenFile', where);
  const tokenFile = path === undefined ? undefined : pathIn(user, path, `${where}: tokenFile`);
  const inline = textMember(user.fields, 'token', where);
  const token = inline ?? (tokenFile && (await readNamed(read, tokenFile, `${where}: tokenFile`)).trim());
  if (token === undefined) return undefined;
  return { token, ...(tokenFile !== undefined && { tokenFile }) };
}

/** What is fixed: a token or a password. */
async function readFixed(user: Entry, where: string, rights: Rights): Promise<AuthConfig | undefined> {
  const token = await readToken(user, where, rights);
  const username = textMember(user.fields, 'username', where);
  const password = textMember(user.fields, 'password', where);
  if (token !== undefined && username !== undefined) {
    throw new ConfigError(`${where}: a token and a username are both given; remove one`);
  }
  if (username === undefined) return token;
  return { username, password: password ?? '' };
}

/**
 * Reads everything that a user holds, so that a mistake is found, and keeps what kubectl would send: a token or a password
 * before an issuer's token, any of these and a client certificate before a program.
 */
async function readCredentials(
  user: Entry,
  cluster: Entry,
  where: string,
  rights: Rights,
): Promise<Identity> {
  if (['exec', 'auth-provider'].every((name) => (member(user.fields, name) ?? undefined) !== undefined)) {
    throw new ConfigError(`${where}: exec and auth-provider are both given; remove one`);
  }
  const fixed = await readFixed(user, where, rights);
  const tls = await clientTls(user, where, rights);
  const oidc = await readAuthProvider(user, where, rights);
  const exec = readExec(user, cluster, where, rights);
  if (fixed !== undefined) return { tls, auth: fixed };
  if (oidc !== undefined) return { tls, auth: { oidc } };
  return exec === undefined || tls.cert !== undefined ? { tls } : { tls, auth: { exec } };
}

/**
 * What the user adds. Credentials stay at home when the way is not `safe`: over plain http to another machine anybody
 * could read them, so kubectl does not send them either.
 * @throws {ConfigError} a credential cannot be read, or contradicts another
 */
export async function readUser(
  user: Entry | undefined,
  cluster: Entry,
  safe: boolean,
  rights: Rights,
): Promise<Identity> {
  if (user === undefined) return { tls: {} };
  const where = whereIs(user, 'user');
  const impersonate = readImpersonation(user, where);
  const as = impersonate === undefined ? {} : { impersonate };
  if (!safe) return { tls: {}, ...as };
  return { ...(await readCredentials(user, cluster, where, rights)), ...as };
}
