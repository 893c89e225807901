import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Settings } from './config/settings.ts';
import { defaultEmitOptions, type EmitOptions } from './emit/options.ts';
import { emit, isGenerated } from './emit/tree.ts';
import { settleClashes } from './input/clashes.ts';
import { loadCrds } from './input/load.ts';
import type { Fetch } from './input/url.ts';
import { buildModel, type ModelOptions } from './model/build.ts';
import type { GroupVersion } from './model/ir.ts';
import { hasErrors, limitPerFile, type Problem, sortProblems } from './problems.ts';
import { idleAliases, nothingLeft } from './remarks.ts';
import { version } from './version.ts';
import { differences } from './write/differences.ts';
import { emptyPlan, type Plan } from './write/plan.ts';
import { type OutputFolder, planOutput, recordedAccessors, writeOutput } from './write/write.ts';

/** `write` changes the output folder; `check` and `dry-run` only say what would change. */
export type Mode = 'write' | 'check' | 'dry-run';

/** A step of a run, in this order. */
export type Phase = 'reading' | 'modelling' | 'printing' | 'comparing' | 'writing';

/** What to generate from what. `kgen.config.*` is not read: the command line does that. */
export interface GenerateOptions extends Settings {
  readonly input: readonly string[];
  /** Folder that relative paths start from. Default: the current one. */
  readonly cwd?: string;
  /** Default `write`. */
  readonly mode?: Mode;
  /** What the input `-` reads. Default: standard input. */
  readonly stdin?: Readable;
  /** What reads addresses. Default: the global `fetch`. */
  readonly fetch?: Fetch;
  /** Hears of each step before it begins. */
  readonly onPhase?: (phase: Phase) => void;
}

/** What came out. */
export interface GenerateResult {
  /** False when a problem is an error; in `check` mode, each file that differs is one. */
  readonly ok: boolean;
  /** Sorted by group, then by version. */
  readonly groupVersions: readonly GeneratedGroupVersion[];
  /** Files, addresses and streams that were read. */
  readonly sources: number;
  /** Objects in the input that are no CustomResourceDefinition. */
  readonly skipped: number;
  /** The output folder, as it was given. */
  readonly out: string;
  /** Changes of the output folder: made in `write` mode (none where a problem prevented them), due in the others. */
  readonly changes: Plan;
  /** Sorted by file, line and column. */
  readonly problems: readonly Problem[];
}

/** One folder of the output. */
export interface GeneratedGroupVersion {
  readonly group: string;
  readonly version: string;
  /** Sorted. */
  readonly kinds: readonly string[];
}

/**
 * Runs kgen: input -> model -> text -> disk. What is wrong with input or output folder is in `problems`; nothing is
 * thrown for it. Documents without errors are generated even when others have some. Where nothing is left to generate,
 * that is an error and the folder stays as it is. The folder is changed as a whole or not at all.
 */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const { cwd = process.cwd(), out = './generated', mode = 'write', onPhase = () => {} } = options;
  const folder: OutputFolder = { path: resolve(cwd, out), shown: out };
  onPhase('reading');
  const input = await loadCrds({ stdin: process.stdin, ...options, cwd });
  const settled = settleClashes(input.crds);
  onPhase('modelling');
  const built = buildModel(settled.value, modelOptions(options, recordedAccessors(folder)));
  const found = [
    ...input.problems,
    ...settled.problems,
    ...limitPerFile(built.problems),
    ...idleAliases(options, input.crds),
  ];
  const isEmpty = built.model.groupVersions.length === 0;
  if (isEmpty && !hasErrors(found)) found.push(nothingLeft(options, input.crds));
  onPhase('printing');
  const files = isEmpty ? new Map<string, string>() : emit(built.model, emitOptions(options));
  onPhase('comparing');
  const accessors = new Map(Object.entries(built.accessors));
  const wanted = { files, accessors, complete: !hasErrors(found), isGenerated };
  const planned = isEmpty ? nothing : planOutput(folder, wanted);
  onPhase('writing');
  const failures = mode === 'write' ? writeOutput(folder, planned.value) : [];
  const differing = mode === 'check' ? differences(out, planned.value) : [];
  const problems = sortProblems([...found, ...planned.problems, ...failures, ...differing]);
  return {
    ok: !hasErrors(problems),
    groupVersions: built.model.groupVersions.map(summary),
    sources: input.sources,
    skipped: input.skipped,
    out,
    changes: mode === 'write' ? made(planned.value, failures) : planned.value,
    problems,
  };
}

/** Without a single CRD there is nothing to say about the output folder, least of all that it should be empty. */
const nothing = { value: emptyPlan, problems: [] };

/** The folder is changed as a whole or not at all. */
function made(plan: Plan, failures: readonly Problem[]): Plan {
  const { clashes } = plan;
  return clashes.length > 0 || failures.length > 0 ? { ...emptyPlan, clashes } : plan;
}

function modelOptions(options: GenerateOptions, recorded: ReadonlyMap<string, string>): ModelOptions {
  return {
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    groupAliases: new Map(Object.entries(options.groupAlias ?? {})),
    recorded,
  };
}

function emitOptions(options: GenerateOptions): EmitOptions {
  const { importExtension } = options;
  return {
    version,
    emit: options.emit ?? defaultEmitOptions.emit,
    importExtension:
      importExtension === 'none' ? '' : (importExtension ?? defaultEmitOptions.importExtension),
    runtimeImport: options.runtimeImport ?? defaultEmitOptions.runtimeImport,
    docs: options.docs ?? defaultEmitOptions.docs,
    listers: options.listers ?? defaultEmitOptions.listers,
    informers: options.informers ?? defaultEmitOptions.informers,
  };
}

function summary({ group, version, resources }: GroupVersion): GeneratedGroupVersion {
  return { group, version, kinds: resources.map(({ kind }) => kind).sort() };
}
