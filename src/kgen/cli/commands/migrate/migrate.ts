import { resolve } from 'node:path';
import { error, hasErrors, visible } from '../../../common/problems.ts';
import type { Console } from '../../console.ts';
import { exitCodes } from '../../exit.ts';
import { problemLines } from '../../lines.ts';
import { startProgress } from '../../progress.ts';
import type { MigrateArguments } from '../definitions/migrate.ts';

/** Migrates the stored objects of a cluster, and returns the exit status. */
export async function runMigrate(
  { kinds, dryRun = false, rate, context, ...given }: MigrateArguments,
  { cwd, stdout, stderr }: Console,
): Promise<number> {
  const progress = startProgress(stderr);
  const { migrateKinds } = await import('./migrate-kinds.ts');
  const { loadConfig } = await import('../../../config/load.ts');
  const { value: config, problems } = await loadConfig(cwd, undefined);
  if (hasErrors(problems)) {
    stderr.write(problemLines(problems, stderr.paint));
    return exitCodes.problems;
  }
  const { protect } = config;
  const kubeconfig = given.kubeconfig === undefined ? undefined : resolve(cwd, given.kubeconfig);
  let exitCode: number = exitCodes.ok;
  const migrations = migrateKinds({ kinds, dryRun, rate, context, kubeconfig, protect }, (name, step) => {
    const total = step.left === undefined ? undefined : step.written + step.left;
    progress.show(name, step.written, total);
  });
  for await (const { line, isFailure } of migrations) {
    progress.end();
    if (isFailure) exitCode = exitCodes.problems;
    if (isFailure) stderr.write(problemLines([error(line)], stderr.paint));
    else stdout.write(`${visible(line)}\n`);
  }
  return exitCode;
}
