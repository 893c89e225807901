/**
 * Changes of kubeconfig files by the rules of kubectl: which entry is changed, and in which of several files.
 */
import { ConfigError } from '../../api/errors.ts';
import { type Fields, isFields, member } from '../../common/fields.ts';
import { type Contents, mergeContents, readDocument } from '../kubeconfig/document.ts';
import type { KubeconfigFile } from '../kubeconfig/files.ts';
import { known } from '../kubeconfig/select.ts';

/** A change of the files; applied again if the files have changed on disk. */
export type Change = (files: readonly KubeconfigFile[]) => void;

/** Kind of an entry: the name of its content in the entry. */
type Kind = 'cluster' | 'context' | 'user';

/** Returns the merged contents of the files. */
export function contentsOf(files: readonly KubeconfigFile[]): Contents {
  return mergeContents(files.map(({ document, path }) => readDocument(document.read(), path, path)));
}

/** Position of the effective entry: the first of its name. */
interface Place {
  readonly file: KubeconfigFile;
  readonly index: number;
}

/**
 * Sets members of an entry, which is created if it does not exist; `null` removes a member, `undefined`
 * changes nothing.
 */
export function setEntry(kind: Kind, name: string, members: Fields): Change {
  if (name === '') throw new ConfigError(`a ${kind} needs a name`);
  // A copy: later changes of the argument are not written, and neither are the functions that hide secrets
  // from JSON.
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

/** Returns the file for new entries: the first that exists, otherwise the last one. */
function defaultFile(files: readonly KubeconfigFile[]): KubeconfigFile {
  const file = files.find(({ exists }) => exists) ?? files.at(-1);
  if (file === undefined) throw new ConfigError('no file to write the kubeconfig to');
  return file;
}

/** Returns the names of the entries of a file, in order. */
function namesIn({ document }: KubeconfigFile, kind: Kind): readonly unknown[] {
  const contents = document.read();
  const entries = isFields(contents) ? member(contents, `${kind}s`) : undefined;
  return Array.isArray(entries)
    ? entries.map((entry) => (isFields(entry) ? member(entry, 'name') : undefined))
    : [];
}

function find(files: readonly KubeconfigFile[], kind: Kind, name: string): Place | undefined {
  for (const file of files) {
    const index = namesIn(file, kind).indexOf(name);
    if (index >= 0) return { file, index };
  }
  return undefined;
}

/** Deletes the effective entry: one of the same name in a later file then takes effect, as with kubectl. */
export function deleteEntry(kind: Kind, name: string): Change {
  return (files) => {
    const { file, index } = mustFind(files, kind, name);
    file.document.remove([`${kind}s`, index]);
  };
}

function mustFind(files: readonly KubeconfigFile[], kind: Kind, name: string): Place {
  const place = find(files, kind, name);
  if (place !== undefined) return place;
  const paths = files.map(({ path }) => path).join(', ');
  const names = files.flatMap((file) => namesIn(file, kind)).filter((one) => typeof one === 'string');
  throw new ConfigError(`${paths}: no ${kind} ${JSON.stringify(name)}; ${known(names)}`);
}

/** Sets the current context. */
export function setCurrentContext(name: string): Change {
  return (files) => {
    mustFind(files, 'context', name);
    if (contentsOf(files).currentContext !== name) defaultFile(files).document.set(['current-context'], name);
  };
}

/** Renames a context. */
export function renameContext(name: string, to: string): Change {
  if (to === '') throw new ConfigError('a context needs a name');
  return (files) => {
    const { file, index } = mustFind(files, 'context', name);
    const taken = find(files, 'context', to);
    if (taken !== undefined) {
      throw new ConfigError(
        `${taken.file.path}: the context ${JSON.stringify(to)} exists already; rename or delete it first`,
      );
    }
    const isCurrent = contentsOf(files).currentContext === name;
    file.document.set(['contexts', index, 'name'], to);
    if (isCurrent) setCurrentContext(to)(files);
  };
}

/** Sets members of the `auth-provider.config` of an existing user. */
export function setAuthProviderConfig(user: string, members: Readonly<Record<string, string>>): Change {
  return (files) => {
    const { file, index } = mustFind(files, 'user', user);
    for (const [key, value] of Object.entries(members)) {
      file.document.set(['users', index, 'user', 'auth-provider', 'config', key], value);
    }
  };
}
