/** Changes of a kubeconfig's files, as kubectl makes them: what is changed, and in which of several files. */
import { ConfigError } from '../errors.ts';
import { type Fields, isFields, member } from '../fields.ts';
import { type Contents, mergeContents, readDocument } from './document.ts';
import type { KubeconfigFile } from './files.ts';
import { known } from './select.ts';

/** Something that is done to the files; again when they turn out to be others than they were. */
export type Change = (files: readonly KubeconfigFile[]) => void;

/** A list of entries, by the word for one of them: its own name in an entry. */
type Kind = 'cluster' | 'context' | 'user';

/** What the files say together. */
export function contentsOf(files: readonly KubeconfigFile[]): Contents {
  return mergeContents(files.map(({ document, path }) => readDocument(document.read(), path, path)));
}

/** The names of the entries of a file, each at its place. */
function namesIn({ document }: KubeconfigFile, kind: Kind): readonly unknown[] {
  const contents = document.read();
  const entries = isFields(contents) ? member(contents, `${kind}s`) : undefined;
  return Array.isArray(entries)
    ? entries.map((entry) => (isFields(entry) ? member(entry, 'name') : undefined))
    : [];
}

/** The entry that holds: the first of that name. */
interface Place {
  readonly file: KubeconfigFile;
  readonly index: number;
}

function find(files: readonly KubeconfigFile[], kind: Kind, name: string): Place | undefined {
  for (const file of files) {
    const index = namesIn(file, kind).indexOf(name);
    if (index >= 0) return { file, index };
  }
  return undefined;
}

function mustFind(files: readonly KubeconfigFile[], kind: Kind, name: string): Place {
  const place = find(files, kind, name);
  if (place !== undefined) return place;
  const paths = files.map(({ path }) => path).join(', ');
  const names = files.flatMap((file) => namesIn(file, kind)).filter((one) => typeof one === 'string');
  throw new ConfigError(`${paths}: there is no ${kind} ${JSON.stringify(name)}; ${known(names)}`);
}

/** Where new things go: the first file that is there, otherwise the last one. */
function defaultFile(files: readonly KubeconfigFile[]): KubeconfigFile {
  const file = files.find(({ exists }) => exists) ?? files.at(-1);
  if (file === undefined) throw new ConfigError('there is no file to write the kubeconfig to');
  return file;
}

/** Sets members of an entry, which is made where there is none; `null` removes one, `undefined` changes nothing. */
export function setEntry(kind: Kind, name: string, members: Fields): Change {
  if (name === '') throw new ConfigError(`a ${kind} needs a name`);
  // A copy: what is written is what was said now, and without what hides secrets from JSON.
  const given = Object.entries(structuredClone(members)).filter(([, value]) => value !== undefined);
  return (files) => {
    const place = find(files, kind, name);
    if (place === undefined) {
      const file = defaultFile(files);
      const fields = Object.fromEntries(given.filter(([, value]) => value !== null));
      file.document.set([`${kind}s`, namesIn(file, kind).length], { name, [kind]: fields });
      return;
    }
    const { document } = place.file;
    for (const [key, value] of given) {
      const path = [`${kind}s`, place.index, kind, key];
      if (value === null) document.remove(path);
      else document.set(path, value);
    }
  };
}

/** Deletes an entry where it holds: one of the same name in a later file then holds, as with kubectl. */
export function deleteEntry(kind: Kind, name: string): Change {
  return (files) => {
    const { file, index } = mustFind(files, kind, name);
    file.document.remove([`${kind}s`, index]);
  };
}

/** Makes a context the current one. */
export function setCurrentContext(name: string): Change {
  return (files) => {
    mustFind(files, 'context', name);
    if (contentsOf(files).currentContext !== name) defaultFile(files).document.set(['current-context'], name);
  };
}

/** Gives a context another name. */
export function renameContext(name: string, to: string): Change {
  if (to === '') throw new ConfigError('a context needs a name');
  return (files) => {
    const { file, index } = mustFind(files, 'context', name);
    const taken = find(files, 'context', to);
    if (taken !== undefined) {
      throw new ConfigError(
        `${taken.file.path}: there is a context ${JSON.stringify(to)} already; rename or delete it first`,
      );
    }
    const isCurrent = contentsOf(files).currentContext === name;
    file.document.set(['contexts', index, 'name'], to);
    if (isCurrent) setCurrentContext(to)(files);
  };
}

/** Sets members of the `auth-provider.config` of a user that is there. */
export function setAuthProviderConfig(user: string, members: Readonly<Record<string, string>>): Change {
  return (files) => {
    const { file, index } = mustFind(files, 'user', user);
    for (const [key, value] of Object.entries(members)) {
      file.document.set(['users', index, 'user', 'auth-provider', 'config', key], value);
    }
  };
}
