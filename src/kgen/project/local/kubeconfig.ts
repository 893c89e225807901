/** The kubeconfig of an operator on this machine: one context, without the others of the user. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { loadKubeconfig } from '@kgen/runtime/kubeconfig';
import { isObject, type JsonObject, object, text } from '@kgen/schema/values/json';

/** Choice of a context. */
export interface ContextChoice {
  /** Absent in a Pod, whose service account is used. */
  readonly context: string | undefined;
  /** Namespace that the context gets. */
  readonly namespace: string;
  readonly kubeconfig?: string | undefined;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A kubeconfig in a temporary folder, for the variable `KUBECONFIG`. */
export interface LocalKubeconfig {
  readonly env: Readonly<Record<string, string>>;
  /** The file and its temporary folder; absent without a context. */
  readonly file?: string;
  readonly folder?: string;
  remove(): void;
}

/** Writes a kubeconfig with one context, readable for its owner only. */
export async function writeKubeconfig(choice: ContextChoice): Promise<LocalKubeconfig> {
  const { context, kubeconfig, namespace, env } = choice;
  if (context === undefined) return { env: {}, remove: () => undefined };
  const whole = await loadKubeconfig({ kubeconfig, env });
  const sources: KubeconfigSource[] = [];
  for (const file of whole.files) {
    const { contexts, clusters, users } = await loadKubeconfig({ kubeconfig: file });
    sources.push({ file, contexts, clusters, users });
  }
  const { content, others } = kubeconfigOf(sources, context, namespace);
  const folder = mkdtempSync(join(tmpdir(), 'kgen-run-'));
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  const variables = { KUBECONFIG: [file, ...others].join(delimiter) };
  return { env: variables, file, folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

type Entries = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** A file of a kubeconfig. */
export interface KubeconfigSource {
  readonly file: string;
  readonly contexts: Entries;
  readonly clusters: Entries;
  readonly users: Entries;
}

/**
 * Returns a kubeconfig with one context; relative paths become absolute. A user with tokens that are written
 * back to its file remains in that file, which follows. Pure.
 */
export function kubeconfigOf(
  sources: readonly KubeconfigSource[],
  context: string,
  namespace: string,
): { readonly content: object; readonly others: readonly string[] } {
  const chosen = entryOf(sources, 'contexts', context)?.fields ?? {};
  const [cluster, user] = [text(chosen, 'cluster'), text(chosen, 'user')];
  const place = entryOf(sources, 'clusters', cluster);
  const identity = entryOf(sources, 'users', user);
  const isKept = identity?.fields['auth-provider'] !== undefined;
  return {
    content: {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': context,
      contexts: [{ name: context, context: { ...chosen, namespace } }],
      clusters: place === undefined ? [] : [{ name: cluster, cluster: absolute(place) }],
      users: identity === undefined || isKept ? [] : [{ name: user, user: absolute(identity) }],
    },
    others: isKept ? [identity.file] : [],
  };
}

/** Members of an entry, and the file that contains it. */
interface FoundEntry {
  readonly file: string;
  readonly fields: JsonObject;
}

/** Returns the first entry of a name, as kubectl does. */
function entryOf(
  sources: readonly KubeconfigSource[],
  part: 'contexts' | 'clusters' | 'users',
  name: string,
): FoundEntry | undefined {
  const source = sources.find((each) => each[part].has(name));
  // Entries print without their secrets: a copy of their members does not.
  const fields: unknown = structuredClone({ ...source?.[part].get(name) });
  return source !== undefined && isObject(fields) ? { file: source.file, fields } : undefined;
}

const paths = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** Returns the members of an entry with absolute paths. */
function absolute({ file, fields }: FoundEntry): JsonObject {
  const whole = (path: string): string => resolve(dirname(file), path);
  const changed = paths.filter((name) => text(fields, name) !== '');
  const command = text(fields, 'exec', 'command');
  const isPath = !isAbsolute(command) && /[/\\]/.test(command);
  return {
    ...fields,
    ...Object.fromEntries(changed.map((name) => [name, whole(text(fields, name))])),
    ...(isPath && { exec: { ...object(fields, 'exec'), command: whole(command) } }),
  };
}
