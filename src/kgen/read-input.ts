/** The three kinds of input behind one answer; what reads clusters and OpenAPI is loaded when it is needed. */
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Settings } from './config/settings.ts';
import { settleClashes } from './input/clashes.ts';
import { loadCrds } from './input/load.ts';
import type { Fetch } from './input/url.ts';
import { isSelected, type Pattern, parsePattern } from './model/select.ts';
import type { Loaded } from './openapi/types.ts';
import type { Checked } from './problems.ts';

/** Where input comes from besides the settings. */
export interface InputSurroundings {
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** What the input `-` reads. Default: standard input. */
  readonly stdin?: Readable;
  /** What reads addresses. Default: the global `fetch`. */
  readonly fetch?: Fetch;
  /** Told how much of what a cluster is asked for has come. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Reads what the settings name: a cluster, saved OpenAPI documents, or CRDs. CRDs are in it once each. */
export async function readInput(settings: Settings, around: InputSurroundings): Promise<Checked<Loaded>> {
  const read = await load(settings, around);
  const settled = settleClashes(read.value.crds);
  return {
    value: { ...read.value, crds: settled.value },
    problems: [...read.problems, ...settled.problems],
  };
}

async function load(settings: Settings, around: InputSurroundings): Promise<Checked<Loaded>> {
  const { cwd } = around;
  const { openapi = [] } = settings;
  if (settings.fromCluster === true) return fromCluster(settings, around);
  if (openapi.length > 0) {
    const { loadOpenApi } = await import('./openapi/load.ts');
    const [include, exclude] = [patterns(settings.include), patterns(settings.exclude)];
    return loadOpenApi({ paths: openapi, cwd, isWanted: (kind) => isSelected(kind, include, exclude) });
  }
  const { stdin = process.stdin, fetch } = around;
  const input = { input: settings.input ?? [], cwd, stdin };
  const { crds, sources, skipped, problems } = await loadCrds(
    fetch === undefined ? input : { ...input, fetch },
  );
  return { value: { crds, sources, skipped, documents: [] }, problems };
}

async function fromCluster(
  settings: Settings,
  { cwd, onProgress }: InputSurroundings,
): Promise<Checked<Loaded>> {
  const { kubeconfig, context, paths = false } = settings;
  const { loadCluster } = await import('./cluster/load.ts');
  return loadCluster({
    kubeconfig: kubeconfig === undefined ? undefined : resolve(cwd, kubeconfig),
    context,
    include: patterns(settings.include),
    exclude: patterns(settings.exclude),
    needsDocuments: paths,
    onProgress,
  });
}

/** What is no pattern is told by the model. */
function patterns(texts: readonly string[] = []): readonly Pattern[] {
  return texts.map(parsePattern).filter((pattern) => pattern !== undefined);
}
