/** Conversion of a kubeconfig user to credentials. */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { ConfigError } from '../../api/errors.ts';
import type { Impersonation } from '../../api/options.ts';
import { isFields, member } from '../../common/fields.ts';
import type { AuthConfig, TlsConfig } from '../types.ts';
import { readAuthProvider } from './auth-provider.ts';
import { type Entry, textList, textMember, whereIs } from './document.ts';
import { readExec } from './exec.ts';
import { type Pem, pathIn, type Rights, readNamed, readPem } from './material.ts';

/** Parts of a configuration that a user provides. */
export interface UserConfig {
  readonly tls: TlsConfig;
  readonly auth?: AuthConfig;
  readonly impersonate?: Impersonation;
}

/**
 * Reads the parts of a configuration that a user provides. Credentials are omitted if the connection is not
 * `safe`: over plain http to another machine they could be read on the network, so kubectl does not send them
 * either.
 * @throws {ConfigError} if a credential cannot be read, or contradicts another
 */
export async function readUser(
  user: Entry | undefined,
  cluster: Entry,
  safe: boolean,
  rights: Rights,
): Promise<UserConfig> {
  if (user === undefined) return { tls: {} };
  const where = whereIs(user, 'user');
  const impersonate = readImpersonation(user, where);
  const as = impersonate === undefined ? {} : { impersonate };
  if (!safe) return { tls: {}, ...as };
  return { ...(await readCredentials(user, cluster, where, rights)), ...as };
}

/**
 * Reads all credentials of a user, which reports mistakes, and keeps those that kubectl would send: a token
 * or a password before an issuer's token, any of these and a client certificate before a program.
 */
async function readCredentials(
  user: Entry,
  cluster: Entry,
  where: string,
  rights: Rights,
): Promise<UserConfig> {
  if (['exec', 'auth-provider'].every((name) => (member(user.fields, name) ?? undefined) !== undefined)) {
    throw new ConfigError(`${where}: exec and auth-provider are both set; remove one`);
  }
  const fixed = await readFixed(user, where, rights);
  const tls = await clientTls(user, where, rights);
  const oidc = await readAuthProvider(user, where, rights);
  const exec = readExec(user, cluster, where, rights);
  if (fixed !== undefined) return { tls, auth: fixed };
  if (oidc !== undefined) return { tls, auth: { oidc } };
  return exec === undefined || tls.cert !== undefined ? { tls } : { tls, auth: { exec } };
}

async function clientTls(user: Entry, where: string, rights: Rights): Promise<TlsConfig> {
  const cert = await readPem(user, 'client-certificate', where, rights);
  const key = await readPem(user, 'client-key', where, rights);
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined) throw new ConfigError(`${where}: client-key is set without client-certificate`);
  if (key === undefined) throw new ConfigError(`${where}: client-certificate is set without client-key`);
  checkKeyPair(cert, key);
  return {
    cert: cert.text,
    key: key.text,
    ...(cert.file !== undefined && { certFile: cert.file }),
    ...(key.file !== undefined && { keyFile: key.file }),
  };
}

/** Reads fixed credentials: a token or a password. */
async function readFixed(user: Entry, where: string, rights: Rights): Promise<AuthConfig | undefined> {
  const token = await readToken(user, where, rights);
  const username = textMember(user.fields, 'username', where);
  const password = textMember(user.fields, 'password', where);
  if (token !== undefined && username !== undefined) {
    throw new ConfigError(`${where}: a token and a username are both set; remove one`);
  }
  if (username === undefined) return token;
  return { username, password: password ?? '' };
}

/** Reads a token. A token file without a token must be readable now; otherwise it provides later tokens. */
async function readToken(user: Entry, where: string, { read }: Rights): Promise<AuthConfig | undefined> {
  const path = textMember(user.fields, 'tokenFile', where);
  const tokenFile = path === undefined ? undefined : pathIn(user, path, `${where}: tokenFile`);
  const inline = textMember(user.fields, 'token', where);
  const token = inline ?? (tokenFile && (await readNamed(read, tokenFile, `${where}: tokenFile`)).trim());
  if (token === undefined) return undefined;
  return { token, ...(tokenFile !== undefined && { tokenFile }) };
}

/**
 * Parses the members `as`, `as-uid`, `as-groups` and `as-user-extra`; returns `undefined` if there are none.
 * @throws {ConfigError} if the others are set without `as`
 */
export function readImpersonation({ fields }: Entry, where: string): Impersonation | undefined {
  const as = textMember(fields, 'as', where);
  const uid = textMember(fields, 'as-uid', where);
  const groups = textList(member(fields, 'as-groups') ?? [], `${where}: as-groups`);
  const extra = member(fields, 'as-user-extra') ?? {};
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

/** @throws {ConfigError} if one of them cannot be parsed, or they do not belong together */
function checkKeyPair(cert: Pem, key: Pem): void {
  if (certificateOf(cert).checkPrivateKey(privateKeyOf(key))) return;
  const file = cert.file === undefined ? 'client-certificate-data' : cert.file;
  throw new ConfigError(
    `${key.where} is not the key of the certificate in ${file}; use the two that belong together`,
  );
}

function privateKeyOf({ text, where }: Pem): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (cause) {
    throw new ConfigError(`${where} contains no valid private key`, { cause });
  }
}

function certificateOf({ text, where }: Pem): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw new ConfigError(`${where} contains no valid certificate`, { cause });
  }
}
