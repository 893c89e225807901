/** Permissions of a program, found by the type checker. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ts } from 'ts-morph';
import { isStrict, programOf, projectOf } from '../../codemod/project.ts';
import { append, type Checked, type InputProblem, sortProblems } from '../../common/problems.ts';
import { type Disk, systemDisk } from '../../input/modules/disk.ts';
import { isTest } from '../../input/modules/source-files.ts';
import { addAuthorityNeeds, checkManagerNames } from '../webhooks/webhook-needs.ts';
import { scanCreation, scanDependentLiteral } from './controllers.ts';
import { scanCall } from './functions.ts';
import { scanMember, scanPassedClient } from './members.ts';
import { type Need, type NeedScope, sortedNeeds } from './needs.ts';
import { Scan, type ServedMetrics, type WebhookCall } from './scan.ts';
import { resolveWatched } from './scopes.ts';
import { type FileStatements, fileStatements, statedNeed } from './statements.ts';
import { compileErrors } from './unseen/compile-errors.ts';
import { scanPassedFunction, scanUnseenCall } from './unseen/untyped.ts';

/** Options of `permissionsOf`. */
export interface PermissionsOptions {
  readonly cwd: string;
  /** Files and folders of the program. Default: `src`, otherwise the files of `tsconfig.json`. */
  readonly paths?: readonly string[];
  /** Permissions of the configuration: by file, in the notation of `@permissions`. */
  readonly stated?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns the permissions that a program needs, with the places that need them. A request whose resource is
 * not known at compile time is an error, unless its permissions are stated.
 */
export function permissionsOf({
  cwd,
  paths = [],
  stated = {},
}: PermissionsOptions): Checked<readonly Need[]> {
  const isDefault = paths.length === 0;
  const project = projectOf(cwd, isDefault && existsSync(join(cwd, 'src')) ? ['src'] : paths);
  if (project.problems.length > 0) return { value: [], problems: project.problems };
  const files = isDefault ? project.files.filter((file) => !isTest(relative(cwd, file))) : project.files;
  return needsOfProgram(programOf({ ...project, files }), { cwd, stated });
}

/** Returns the needs of a program of the compiler. */
export function needsOfProgram(
  program: ts.Program,
  options: Pick<PermissionsOptions, 'cwd' | 'stated'>,
  disk: Disk = systemDisk,
): Checked<readonly Need[]> {
  const { value, problems } = scanProgram(program, options, disk);
  return { value: value.needs, problems };
}

/** Needs, webhooks and metrics of a program. */
export interface ScannedProgram {
  readonly needs: readonly Need[];
  readonly webhooks: readonly WebhookCall[];
  readonly metrics: ServedMetrics | undefined;
}

/**
 * Returns the needs, the webhooks and the metrics of a program.
 * @param options with the name of the operator, which is the name of its objects
 */
export function scanProgram(
  program: ts.Program,
  { cwd, stated = {}, name }: Pick<PermissionsOptions, 'cwd' | 'stated'> & { readonly name?: string },
  disk: Disk = systemDisk,
): Checked<ScannedProgram> {
  const scan = new Scan(program, cwd, disk, name);
  const sources = program.getSourceFiles().filter((source) => scan.isAuthored(source));
  const errors = compileErrors(scan, program, sources, isStrict(cwd, disk));
  if (errors.length > 0) return { value: { needs: [], webhooks: [], metrics: undefined }, problems: errors };
  for (const source of sources) {
    const file = scan.fileName(source);
    scan.begin(withConfigured(fileStatements(source, file), stated[file], file));
    scanNode(scan, source);
  }
  addAuthorityNeeds(scan);
  checkManagerNames(scan);
  if (scan.hasDeletions) append(scan.needs, scan.deletions);
  const caches: readonly NeedScope[] = scan.caches;
  const events: readonly NeedScope[] = scan.hasClusterCache ? [{ type: 'namespace', name: 'default' }] : [];
  const placed = scan.needs.flatMap((need) =>
    resolveWatched([need], need.resource === 'events' && caches.length > 0 ? [...caches, ...events] : caches),
  );
  const value = { needs: sortedNeeds(placed), webhooks: scan.webhooks, metrics: scan.metrics };
  return { value, problems: sortProblems(scan.problems) };
}

function scanNode(scan: Scan, node: ts.Node): void {
  if (ts.isCallExpression(node)) scanCall(scan, node);
  else if (!ts.isNewExpression(node)) scanMember(scan, node);
  if (ts.isObjectLiteralExpression(node)) scanDependentLiteral(scan, node);
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    scanCreation(scan, node);
    scanUnseenCall(scan, node);
  }
  if (ts.isExpression(node)) {
    scanPassedClient(scan, node);
    scanPassedFunction(scan, node);
  }
  ts.forEachChild(node, (child) => scanNode(scan, child));
}

function withConfigured(
  statements: FileStatements,
  stated: readonly string[] | undefined,
  file: string,
): FileStatements {
  if (stated === undefined) return statements;
  const found = stated.map((text) => statedNeed({ text, place: { file } }));
  const problems: readonly InputProblem[] = found.flatMap((each) => each.problems);
  return {
    needs: [...statements.needs, ...found.flatMap(({ value }) => value)],
    problems: [...statements.problems, ...problems],
    covers: () => true,
  };
}
