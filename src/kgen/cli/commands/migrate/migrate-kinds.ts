/** Storage migrations of the kinds of a cluster. */

import type { StorageMigrationProgress, StorageMigrationResult } from '@kgen/controller/webhooks';
import type { RESTClientOptions } from '@kgen/runtime';
import { explained, Refusal, type Runtime, refusalText, Unavailable } from '../../../cluster/refusal.ts';
import { quote } from '../../../common/problems.ts';
import { checkProtected, contextText } from '../../../project/cluster/protect.ts';

/** Choice of a cluster and of its kinds. */
export interface MigrationChoice {
  /** `GROUP/KIND` each; empty for all kinds with old stored versions. */
  readonly kinds: readonly string[];
  readonly dryRun: boolean;
  /** Writes per second. */
  readonly rate?: number | undefined;
  readonly context?: string | undefined;
  readonly kubeconfig?: string | undefined;
  /** Contexts that are refused. */
  readonly protect?: readonly string[] | undefined;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly client?: RESTClientOptions | undefined;
  /** Delay before the first write. Default: that of `migrateStorage`. */
  readonly settleMs?: number | undefined;
}

/** A line of the report. */
export interface MigrationLine {
  readonly line: string;
  readonly isFailure?: boolean;
}

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
  readonly status?: { readonly storedVersions?: readonly string[] };
}

/** Migrates kinds one after the other. The first line names the context. */
export async function* migrateKinds(
  choice: MigrationChoice,
  onProgress: (name: string, step: StorageMigrationProgress) => void,
): AsyncGenerator<MigrationLine> {
  const runtime = await import('@kgen/runtime');
  try {
    yield* migrations(runtime, choice, onProgress);
  } catch (cause) {
    const why = explained(runtime, cause, definitionsPath);
    if (!(why instanceof Refusal || why instanceof Unavailable)) throw why;
    yield { line: refusalText(why), isFailure: true };
  }
}

async function* migrations(
  { loadConfig, RESTClient }: Runtime,
  { kinds, dryRun, rate, settleMs, protect, env = process.env, client, ...selection }: MigrationChoice,
  onProgress: (name: string, step: StorageMigrationProgress) => void,
): AsyncGenerator<MigrationLine> {
  const { migrateStorage, StorageMigrationError } = await import('@kgen/controller/webhooks');
  const config = await loadConfig({ ...selection, env });
  yield { line: contextText(config) };
  checkProtected(config, protect);
  const rest = new RESTClient(config, { userAgent: 'kgen', onWarning: () => undefined, ...client });
  try {
    // seam: response for a list of definitions.
    const { items } = (await rest.get(definitionsPath)) as { readonly items: readonly Definition[] };
    const selected = kinds.length > 0 ? kinds.map((kind) => find(items, kind)) : old(items);
    if (selected.length === 0) yield { line: 'all objects are stored in the storage version' };
    for (const { metadata, spec } of selected) {
      const resource = { group: spec.group, plural: spec.names.plural };
      try {
        const result = await migrateStorage(rest, resource, {
          ...{ dryRun, writesPerSecond: rate, settleMs },
          onProgress: (step) => onProgress(metadata.name, step),
        });
        yield { line: summary(result, dryRun) };
      } catch (cause) {
        if (!(cause instanceof StorageMigrationError)) throw cause;
        yield { line: cause.message, isFailure: true };
      }
    }
  } finally {
    await rest.close();
  }
}

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function find(items: readonly Definition[], kind: string): Definition {
  const found = items.find(
    ({ spec }) => `${spec.group}/${spec.names.kind}`.toLowerCase() === kind.toLowerCase(),
  );
  if (found === undefined) throw new Refusal(`the cluster has no CustomResourceDefinition of ${quote(kind)}`);
  return found;
}

/** Returns the definitions with objects that may be stored in another version. */
function old(items: readonly Definition[]): readonly Definition[] {
  return items.filter(({ spec, status }) => {
    const stored = spec.versions.find(({ storage }) => storage)?.name;
    return status?.storedVersions?.some((version) => version !== stored) ?? false;
  });
}

function summary(
  { definition, storageVersion, removed, written }: StorageMigrationResult,
  dryRun: boolean,
): string {
  if (removed.length === 0) return `${definition}: all objects are stored as ${storageVersion}`;
  const versions = removed.join(', ');
  if (dryRun)
    return `${definition}: ${written} objects would be written as ${storageVersion}, and ${versions} removed from storedVersions`;
  return `${definition}: ${written} objects written as ${storageVersion}, ${versions} removed from storedVersions`;
}
