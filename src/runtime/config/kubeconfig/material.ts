/** Certificates, keys and tokens that entries of a kubeconfig contain or name. */
import { dirname, isAbsolute, resolve } from 'node:path';
import { ConfigError } from '../../api/errors.ts';
import { codeIn } from '../../common/error-code.ts';
import type { Fields } from '../../common/fields.ts';
import { type Entry, textMember } from './document.ts';

/** Permissions for reading an entry. */
export interface Rights {
  /** Reads a file as a string. */
  readonly read: (path: string) => Promise<string>;
  /** Whether an entry of an untrusted string may name a program to run. */
  readonly allowExec: boolean;
}

/**
 * Returns the absolute path of a file that an entry names.
 * @throws {ConfigError} if the entry is from a string, which has no folder and must not make this process
 * read files
 */
export function pathIn(entry: Entry, path: string, where: string): string {
  if (entry.file === undefined) {
    throw new ConfigError(`${where} names a file; a kubeconfig string must contain its data inline`);
  }
  return isAbsolute(path) ? path : resolve(dirname(entry.file), path);
}

/**
 * Reads a file that an entry names.
 * @throws {ConfigError} if it cannot be read, or is empty
 */
export async function readNamed(read: Rights['read'], path: string, where: string): Promise<string> {
  let content: string;
  try {
    content = await read(path);
  } catch (cause) {
    throw new ConfigError(`${where}: cannot read ${path}${codeIn(cause)}`, { cause });
  }
  if (content.trim() === '') throw new ConfigError(`${where}: ${path} is empty`);
  return content;
}

/** PEM data and its source. */
export interface Pem {
  readonly text: string;
  /** Absolute path; `undefined` for data of the kubeconfig itself. */
  readonly file: string | undefined;
  /** Name of the data for messages. */
  readonly where: string;
}

/**
 * Returns PEM from the member `<name>-data`, or from the file that `<name>` names; `undefined` if both are
 * absent.
 * @param fields the entry's members, or those of a part of it
 * @throws {ConfigError} if both are set, or the content is not PEM or is an encrypted key
 */
export async function readPem(
  entry: Entry,
  name: string,
  where: string,
  { read }: Rights,
  fields: Fields = entry.fields,
): Promise<Pem | undefined> {
  const data = textMember(fields, `${name}-data`, where);
  const path = textMember(fields, name, where);
  if (data !== undefined && path !== undefined) {
    throw new ConfigError(`${where}: ${name} and ${name}-data are both set; remove one`);
  }
  if (data !== undefined) {
    const from = `${where}: ${name}-data`;
    return { text: checkedPem(decodeBase64(data, from), from), file: undefined, where: from };
  }
  if (path === undefined) return undefined;
  const file = pathIn(entry, path, `${where}: ${name}`);
  const from = `${where}: ${name}: ${file}`;
  return { text: checkedPem(await readNamed(read, file, `${where}: ${name}`), from), file, where: from };
}

function checkedPem(text: string, where: string): string {
  if (!text.includes('-----BEGIN '))
    throw new ConfigError(`${where} is not PEM: it has no "-----BEGIN" line`);
  if (/-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    throw new ConfigError(`${where} is an encrypted key, which is not supported; decrypt it`);
  }
  return text;
}

function decodeBase64(data: string, where: string): string {
  const compact = data.replaceAll(/\s+/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    throw new ConfigError(`${where} is not base64`);
  }
  return Buffer.from(compact, 'base64').toString('utf8');
}
