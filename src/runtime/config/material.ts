/** Certificates, keys and tokens that entries of a kubeconfig hold or name. */
import { dirname, resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import { type Entry, textMember } from './document.ts';

/** Reads a file as text. */
export type ReadText = (path: string) => Promise<string>;

/**
 * The absolute path of a file that an entry names.
 * @throws {ConfigError} the entry is from a text, which has no folder and must not make us read files
 */
export function pathIn(entry: Entry, path: string, where: string): string {
  if (entry.file === undefined) {
    throw new ConfigError(
      `${where} names a file; a kubeconfig that is given as text must hold its data inline`,
    );
  }
  return resolve(dirname(entry.file), path);
}

/**
 * Reads a file that an entry names.
 * @throws {ConfigError} it cannot be read, or is empty
 */
export async function readNamed(read: ReadText, path: string, where: string): Promise<string> {
  let content: string;
  try {
    content = await read(path);
  } catch (cause) {
    throw new ConfigError(`${where}: cannot read ${path}`, { cause });
  }
  if (content.trim() === '') throw new ConfigError(`${where}: ${path} is empty`);
  return content;
}

function decodeBase64(data: string, where: string): string {
  const compact = data.replaceAll(/\s+/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    throw new ConfigError(`${where} is not base64`);
  }
  return Buffer.from(compact, 'base64').toString('utf8');
}

function checkedPem(text: string, where: string): string {
  if (!text.includes('-----BEGIN '))
    throw new ConfigError(`${where} is not PEM: it has no "-----BEGIN" line`);
  if (/-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    throw new ConfigError(
      `${where} is an encrypted key, for which there is no way to give a password; decrypt it`,
    );
  }
  return text;
}

/**
 * PEM text from `<name>-data`, or from the file that `<name>` names; `undefined` where neither is given.
 * @throws {ConfigError} both are given, or what they give is no PEM or an encrypted key
 */
export async function readPem(
  entry: Entry,
  name: string,
  where: string,
  read: ReadText,
): Promise<string | undefined> {
  const data = textMember(entry.fields, `${name}-data`, where);
  const path = textMember(entry.fields, name, where);
  if (data !== undefined && path !== undefined) {
    throw new ConfigError(`${where}: ${name} and ${name}-data are both given; remove one`);
  }
  if (data !== undefined)
    return checkedPem(decodeBase64(data, `${where}: ${name}-data`), `${where}: ${name}-data`);
  if (path === undefined) return undefined;
  const file = pathIn(entry, path, `${where}: ${name}`);
  return checkedPem(await readNamed(read, file, `${where}: ${name}`), `${where}: ${name}: ${file}`);
}
