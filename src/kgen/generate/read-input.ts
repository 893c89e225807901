/** Reads the four kinds of input. The readers of clusters, releases and OpenAPI are loaded on demand. */
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Checked } from '../common/problems.ts';
import type { OutputSettings } from '../config/settings.ts';
import { settleClashes } from '../input/crd/clashes.ts';
import { loadCrds } from '../input/load.ts';
import type { FetchFunction } from '../input/sources/url.ts';
import { isSelected, type Pattern, parsePattern } from '../model/select.ts';
import type { GroupVersionKind, Loaded } from '../openapi/types.ts';

/** Sources of input besides the settings. */
export interface InputSurroundings {
  /** Folder that relative paths are resolved against. */
  readonly cwd: string;
  /** Source of the input `-`. Default: standard input. */
  readonly stdin?: Readable;
  /** Implementation of `fetch` for addresses. Default: the global `fetch`. */
  readonly fetch?: FetchFunction;
  /** Called with the number of finished requests to a cluster. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Reads the input that the settings name: a cluster, a release, saved OpenAPI documents, or CRDs. The result
 * contains each CRD once.
 */
export async function readInput(
  settings: OutputSettings,
  around: InputSurroundings,
): Promise<Checked<Loaded>> {
  const read = await load(settings, around);
  const settled = settleClashes(read.value.crds);
  return {
    value: { ...read.value, crds: settled.value },
    problems: [...read.problems, ...settled.problems],
  };
}

async function load(settings: OutputSettings, around: InputSurroundings): Promise<Checked<Loaded>> {
  const { cwd } = around;
  const { openapi = [] } = settings;
  if (settings.fromCluster === true) return fromCluster(settings, around);
  const { stdin = process.stdin, fetch } = around;
  const [include, exclude] = [patterns(settings.include), patterns(settings.exclude)];
  const isIncluded = (kind: GroupVersionKind): boolean => isSelected(kind, include, exclude);
  if (openapi.length > 0) {
    const { loadOpenApi } = await import('../openapi/load.ts');
    return loadOpenApi({ paths: openapi, cwd, isIncluded });
  }
  if (settings.kubernetes !== undefined) {
    const { loadRelease } = await import('../cluster/release.ts');
    const { kubernetes: release, paths: needsDocuments = false } = settings;
    return loadRelease({ release, needsDocuments, isIncluded, fetch });
  }
  const input = { input: settings.input ?? [], cwd, stdin };
  const { crds, sources, skipped, problems } = await loadCrds(
    fetch === undefined ? input : { ...input, fetch },
  );
  return { value: { crds, sources, skipped, documents: [] }, problems };
}

async function fromCluster(
  settings: OutputSettings,
  { cwd, onProgress }: InputSurroundings,
): Promise<Checked<Loaded>> {
  const { kubeconfig, context, timeout, paths = false } = settings;
  const { loadCluster } = await import('../cluster/load.ts');
  return loadCluster({
    kubeconfig: kubeconfig === undefined ? undefined : resolve(cwd, kubeconfig),
    context,
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    include: patterns(settings.include),
    exclude: patterns(settings.exclude),
    needsDocuments: paths,
    onProgress,
  });
}

/** Invalid patterns are reported by the model. */
function patterns(texts: readonly string[] = []): readonly Pattern[] {
  return texts.map(parsePattern).filter((pattern) => pattern !== undefined);
}
