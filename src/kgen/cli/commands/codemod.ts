import type { CodemodResult } from '../../codemod/codemod.ts';
import { formatPlace, hasErrors } from '../../common/problems.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { jsonProblem } from '../refusal.ts';
import type { CodemodArguments } from './definitions/codemod.ts';

/** Rewrites the imports of programs and returns the exit status. */
export async function runCodemod(
  { paths, isCheck, isJson }: CodemodArguments,
  { cwd, stdout, stderr }: Console,
): Promise<number> {
  const { codemod } = await import('../../codemod/codemod.ts');
  const result = codemod({ paths, cwd, isCheck });
  if (isJson) stdout.write(jsonResult(result));
  else print(result, isCheck, { stdout, stderr });
  if (hasErrors(result.problems)) return result.files.length === 0 ? exitCodes.usage : exitCodes.problems;
  return isCheck && result.files.length > 0 ? exitCodes.problems : exitCodes.ok;
}

function print(
  { files, problems }: CodemodResult,
  isCheck: boolean,
  { stdout, stderr }: Pick<Console, 'stdout' | 'stderr'>,
): void {
  stderr.write(problemLines(problems, stderr.paint));
  const lines = files.flatMap(({ changes }) =>
    changes.map(({ place, text }) => `${formatPlace(place)}: ${text}\n`),
  );
  stdout.write(lines.join(''));
  if (hasErrors(problems)) return;
  const count = `${files.length} file${files.length === 1 ? '' : 's'}`;
  if (files.length === 0) stdout.write('no file uses a name that has moved\n');
  else stdout.write(isCheck ? `${count} would change\n` : `${count} changed\n`);
}

/** Returns one JSON object. Its keys are part of kgen's interface. */
function jsonResult({ files, problems }: CodemodResult): string {
  const changed = files.map(({ path, changes }) => ({
    path,
    changes: changes.map(({ place: { line, column }, text }) => ({ line, column, message: text })),
  }));
  return `${JSON.stringify({ ok: !hasErrors(problems), files: changed, problems: problems.map(jsonProblem) })}\n`;
}
