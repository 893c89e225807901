/** A run from input to disk, for the command line and for programs. */
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import {
  append,
  type Checked,
  hasErrors,
  type InputProblem,
  limitPerFile,
  sortProblems,
} from '../common/problems.ts';
import { version } from '../common/version.ts';
import { byText } from '../common/words.ts';
import { conflicts } from '../config/combine.ts';
import type { OutputSettings } from '../config/settings.ts';
import type { Drift } from '../contract/types.ts';
import { defaultEmitOptions, type EmitOptions } from '../emit/options.ts';
import { protobufSpecifier } from '../emit/text/paths.ts';
import { emit, isGenerated, pathsFiles } from '../emit/tree.ts';
import type { FetchFunction } from '../input/sources/url.ts';
import { type Built, buildModel, type ModelOptions } from '../model/build.ts';
import type { GroupVersion, Model, Resource } from '../model/ir.ts';
import type { ModelInput } from '../model/plans.ts';
import { matches } from '../model/select.ts';
import type { Loaded } from '../openapi/types.ts';
import type { CodecPlan } from '../protobuf/types.ts';
import type { TypeChange } from '../typecheck/compare/change.ts';
import { outputBefore } from '../typecheck/read/previous-output.ts';
import { differences } from '../write/differences.ts';
import { emptyPlan, type WritePlan } from '../write/plan.ts';
import { type Interruptible, type OutputFolder, planOutput, recordOf, writeOutput } from '../write/write.ts';
import { type ClusterContract, clusterContract, judged } from './cluster-contract.ts';
import { type DefinitionFacts, factsOf, settleFacts } from './definition-facts.ts';
import { definitionModules } from './definition-modules.ts';
import { idleAliases, idlePatterns, nothingLeft, nothingServed } from './empty-output.ts';
import { isJsonSchema, jsonSchemaFiles } from './json-schema/json-schema-files.ts';
import { readInput } from './read-input.ts';

/** `write` changes the output folder; `check` and `dry-run` only report changes. */
export type GenerateMode = 'write' | 'check' | 'dry-run';

/** Steps of a run, in this order. */
export type GeneratePhase =
  | 'reading'
  | 'reading the cluster'
  | 'modelling'
  | 'printing'
  | 'verifying'
  | 'comparing'
  | 'writing';

/**
 * Options of `generate`: exactly one of `input`, `fromCluster`, `openapi` and `kubernetes`, and settings.
 * Does not read `kgen.config.*`; the command line does.
 */
export interface GenerateOptions extends OutputSettings {
  /** Folder that relative paths are resolved against. Default: the current folder. */
  readonly cwd?: string;
  /** Whether files are written, compared or planned only. Default: `write`. */
  readonly mode?: GenerateMode;
  /** Source of the input `-`. Default: standard input. */
  readonly stdin?: Readable;
  /** Implementation of `fetch` for addresses. Default: the global `fetch`. */
  readonly fetch?: FetchFunction;
  /**
   * Interrupts the run before a file is written if it is aborted, such as an `AbortSignal`: the folder is
   * then as before, and the result has an error.
   */
  readonly signal?: Interruptible;
  /**
   * Called before each step, and during it with the number of completed and of all parts, if these are known.
   */
  readonly onPhase?: (phase: GeneratePhase, done?: number, total?: number) => void;
}

/** Result of `generate`. */
export interface GenerateResult {
  /** False if a problem is an error. In `check` mode, each file that differs is an error. */
  readonly ok: boolean;
  /** Generated group versions, sorted by group, then by version. */
  readonly groupVersions: readonly GeneratedGroupVersion[];
  /** Number of inputs that were read: each file, URL and stream, and each object in `crds`, counts as one. */
  readonly sources: number;
  /** Number of objects in the input that are not CustomResourceDefinitions. */
  readonly skipped: number;
  /** Output folder, as passed in the options. */
  readonly out: string;
  /**
   * Changes of the output folder: applied in `write` mode (none if a problem prevented them), pending in the
   * other modes.
   */
  readonly changes: WritePlan;
  /** Changes that users of the types will notice, in `check` mode only. Sorted by module, name and member. */
  readonly typeChanges?: readonly TypeChange[];
  /**
   * Differences between the clients in the folder and the cluster, in `check` mode of a cluster only.
   * Optional additions of the cluster are not among them. Those that break programs are `breaking`.
   */
  readonly drifts?: readonly Drift[];
  /** Errors and warnings, sorted by file, line and column. */
  readonly problems: readonly InputProblem[];
}

/** A generated group version: one folder of the output. */
export interface GeneratedGroupVersion {
  readonly group: string;
  readonly version: string;
  /** Names of the kinds, sorted. */
  readonly kinds: readonly string[];
}

/**
 * Runs kgen: input -> model -> files -> disk. Errors of input or output folder are returned in `problems` and
 * never thrown. Documents without errors are generated even if others have errors. If nothing is left to
 * generate, that is an error and the folder is unchanged. The folder is changed as a whole or not at all.
 * @example
 * ```ts
 * import { formatProblem, generate } from 'kgen';
 *
 * const { ok, problems } = await generate({ input: ['crds'], out: 'generated', mode: 'check' });
 * for (const problem of problems) console.error(formatProblem(problem));
 * process.exitCode = ok ? 0 : 1;
 * ```
 */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const { cwd = process.cwd(), out = './generated', mode = 'write', onPhase = () => {} } = options;
  const folder: OutputFolder = { path: resolve(cwd, out), shown: out };
  const contradictions = conflicts(options);
  if (hasErrors(contradictions)) return refused(out, contradictions);
  const product = await produce({ ...options, cwd }, folder);
  const { input, built, files, isEmpty, definitions } = product;
  const found = [...contradictions, ...product.problems];
  onPhase('comparing');
  const accessors = new Map(Object.entries(built.accessors));
  const requested = { files, accessors, definitions, complete: isComplete(input, found), isGenerated: isOwn };
  const planned = isEmpty || product.isRefused ? nothing : planOutput(folder, requested);
  append(found, planned.problems);
  const isCompared = mode === 'check' && options.fromCluster === true;
  // If nothing is generated, the folder is compared with an empty output.
  const plan = isEmpty && requested.complete ? planOutput(folder, requested).value : planned.value;
  const contract = isCompared ? await contractOf(product, plan, options) : noContract;
  append(found, remarks(product, contract, options, hasErrors(found)));
  onPhase('writing');
  const failures = mode === 'write' ? writeOutput(folder, planned.value, options.signal) : [];
  const differing = mode === 'check' ? differences(out, planned.value) : [];
  const problems = sortProblems([...found, ...failures, ...differing]);
  return {
    ok: !hasErrors(problems),
    groupVersions: built.model.groupVersions.filter(hasResources).map(summary),
    sources: input.sources,
    skipped: input.skipped,
    out,
    changes: mode === 'write' ? made(planned.value, failures) : planned.value,
    ...(mode === 'check'
      ? { typeChanges: judged(await changesOf(files, planned.value), contract.drifts) }
      : {}),
    ...(isCompared ? { drifts: contract.drifts } : {}),
    problems,
  };
}

/** The output of the input, before it is compared with the folder. */
interface Product {
  readonly input: Loaded;
  readonly built: Built;
  readonly files: ReadonlyMap<string, string>;
  /** Facts of the definitions in the output. */
  readonly definitions: DefinitionFacts;
  /** Whether there is nothing to generate. */
  readonly isEmpty: boolean;
  /** Whether the output does not compile. */
  readonly isRefused: boolean;
  /** Whether the whole input could be read. */
  readonly isWhole: boolean;
  readonly problems: readonly InputProblem[];
}

async function produce(
  options: GenerateOptions & { readonly cwd: string },
  folder: OutputFolder,
): Promise<Product> {
  const { onPhase = () => {} } = options;
  onPhase(options.fromCluster === true ? 'reading the cluster' : 'reading');
  const onProgress = (done: number, total: number): void => onPhase('reading the cluster', done, total);
  const { value: read, problems: faults } = await readInput(options, { ...options, onProgress });
  onPhase('modelling');
  const record = recordOf(folder);
  const {
    crds,
    facts,
    problems: notes,
  } = settleFacts(read.crds, record.definitions, options.mode === 'check');
  const input = { ...read, crds };
  const built = buildModel(await withNulls(input), modelOptions(options, record.accessors));
  const isEmpty = !built.model.groupVersions.some(hasResources);
  onPhase('printing');
  const printed = isEmpty ? noFiles : await print(built, input, options);
  const isVerified = options.verify === true && !isEmpty;
  if (isVerified) onPhase('verifying');
  const errors = isVerified ? await verify(printed.value, folder, options) : [];
  return {
    ...{ input, built, isEmpty, files: printed.value, definitions: factsOf(built.model, facts) },
    isRefused: errors.length > 0,
    isWhole: isComplete(input, faults),
    problems: [...faults, ...notes, ...limitPerFile(built.problems), ...printed.problems, ...errors],
  };
}

/** Adds the members that servers write as `null`. The table of fields is loaded for APIs of servers only. */
async function withNulls(input: Loaded): Promise<ModelInput> {
  if (input.api === undefined) return input;
  const { fieldTable } = await import('../protobuf/table.ts');
  const { mayBeNull } = await import('../protobuf/written-nulls.ts');
  const table = fieldTable();
  return {
    ...input,
    mayBeNull: (message, member, isRequired) => mayBeNull(table, message, member, isRequired),
  };
}

const noContract: ClusterContract = { drifts: [], known: [] };

async function contractOf(
  { files, built: { model }, input: { partial } }: Product,
  plan: WritePlan,
  options: GenerateOptions,
): Promise<ClusterContract> {
  return clusterContract({ files, plan, model, isPartial: partial === true }, options);
}

/**
 * Returns the reason why nothing is generated, unless there are errors, and warnings for settings without an
 * effect, unless they may concern a part of the input that could not be read.
 */
function remarks(
  { input, built, isEmpty, isWhole }: Product,
  { drifts, known }: ClusterContract,
  options: GenerateOptions,
  isFaulty: boolean,
): readonly InputProblem[] {
  const unmatched = built.unmatched.filter(({ pattern }) => !known.some((kind) => matches(pattern, kind)));
  const reason = drifts.length > 0 ? nothingServed : nothingLeft(options, input);
  return [
    ...(isEmpty && !isFaulty ? [reason] : []),
    ...(isWhole ? [...idlePatterns(unmatched), ...idleAliases(options, input)] : []),
  ];
}

/** A group that is unavailable for a moment must not remove the code that was generated for it. */
function isComplete({ partial }: Loaded, problems: readonly InputProblem[]): boolean {
  return partial === undefined && !hasErrors(problems);
}

/** Returns the result of a run that could not start. */
function refused(out: string, problems: readonly InputProblem[]): GenerateResult {
  return { ok: false, groupVersions: [], sources: 0, skipped: 0, out, changes: emptyPlan, problems };
}

const noFiles: Checked<ReadonlyMap<string, string>> = { value: new Map(), problems: [] };

/** Returns whether kgen wrote the file at a path of the output. */
function isOwn(path: string, text: string): boolean {
  return isGenerated(path, text) || isJsonSchema(path, text);
}

async function print(built: Built, input: Loaded, options: GenerateOptions): Promise<typeof noFiles> {
  const printing = emitOptions(options);
  const emitted = emit(built.model, printing, await codecsOf(built.model, options));
  const schemas = options.jsonSchema === true ? jsonSchemas(built, input, printing) : [];
  const modules = options.definitions === true ? definitionModules(built.model, input.crds, printing) : [];
  const files = new Map([...emitted, ...modules, ...schemas].sort(([a], [b]) => byText(a, b)));
  if (options.paths !== true) return { value: files, problems: [] };
  const { pathsText } = await import('../paths/paths-text.ts');
  const { documents } = input;
  const { model, definitions } = built;
  const paths = await pathsText({ documents, model, definitions }, printing);
  if (hasErrors(paths.problems)) return { value: files, problems: paths.problems };
  const all = [...files, ...pathsFiles(paths.value, model, printing)];
  return { value: new Map(all.sort(([a], [b]) => byText(a, b))), problems: paths.problems };
}

function jsonSchemas(
  { model }: Built,
  { crds, api }: Loaded,
  { version: generator, docs }: EmitOptions,
): ReturnType<typeof jsonSchemaFiles> {
  const schemas = { model, crds, ...(api !== undefined && { api }) };
  return jsonSchemaFiles(schemas, { version: generator, descriptions: docs === 'full' });
}

/**
 * Returns the kinds that need codecs. Returns `undefined` if there are none, so that the table of fields is
 * not loaded.
 */
async function codecsOf(model: Model, { protobuf = true }: GenerateOptions): Promise<CodecPlan | undefined> {
  const isOwn = ({ builtIn }: Resource): boolean => builtIn;
  const hasOwn = model.groupVersions.some(({ resources }) => resources.some(isOwn));
  if (protobuf === false || (protobuf === true && !hasOwn)) return undefined;
  const { fieldTable } = await import('../protobuf/table.ts');
  const { codecPlan } = await import('../protobuf/plan.ts');
  return codecPlan(fieldTable(), model, protobuf === 'all' ? 'all' : 'served');
}

async function verify(
  files: ReadonlyMap<string, string>,
  folder: OutputFolder,
  options: GenerateOptions,
): Promise<readonly InputProblem[]> {
  const { verifyOutput } = await import('../typecheck/verify.ts');
  const printing = emitOptions(options);
  const protobufImport = protobufSpecifier(printing, 0);
  return verifyOutput(files, { ...printing, protobufImport, folder: folder.path });
}

/** Compares the types of the folder with those of the planned output. */
async function changesOf(
  files: ReadonlyMap<string, string>,
  plan: WritePlan,
): Promise<readonly TypeChange[]> {
  const { typeChanges } = await import('../typecheck/compare/changes.ts');
  return typeChanges(outputBefore(files, plan), files);
}

/** Without a single CRD there is no output to compare the folder with, and it must not be emptied. */
const nothing = { value: emptyPlan, problems: [] };

/** The folder is changed as a whole or not at all. */
function made(plan: WritePlan, failures: readonly InputProblem[]): WritePlan {
  const { clashes } = plan;
  return clashes.length > 0 || failures.length > 0 ? { ...emptyPlan, clashes } : plan;
}

function modelOptions(options: GenerateOptions, recorded: ReadonlyMap<string, string>): ModelOptions {
  return {
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    groupAliases: new Map(Object.entries(options.groupAlias ?? {})),
    recorded,
    exclusive: options.exactlyOne === true,
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
    docs: options.docs === false ? 'none' : options.descriptions === false ? 'facts' : 'full',
    listers: options.listers ?? defaultEmitOptions.listers,
    informers: options.informers ?? defaultEmitOptions.informers,
    schemas: options.schemas ?? defaultEmitOptions.schemas,
  };
}

function hasResources({ resources }: GroupVersion): boolean {
  return resources.length > 0;
}

function summary({ group, version, resources }: GroupVersion): GeneratedGroupVersion {
  return { group, version, kinds: resources.map(({ kind }) => kind).sort() };
}
