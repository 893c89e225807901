import { formatPlace, hasErrors } from '../../common/problems.ts';
import type { CodemodArguments } from '../arguments.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';

/** Rewrites the imports of programs and returns the exit status. */
export async function runCodemod(
  { paths, isCheck }: CodemodArguments,
  { cwd, stdout, stderr }: Console,
): Promise<number> {
  const { codemod } = await import('../../codemod/codemod.ts');
  const { files, problems } = codemod({ paths, cwd, isCheck });
  stderr.write(problemLines(problems, stderr.paint));
  const lines = files.flatMap(({ changes }) =>
    changes.map(({ place, text }) => `${formatPlace(place)}: ${text}\n`),
  );
  stdout.write(lines.join(''));
  if (hasErrors(problems)) return files.length === 0 ? exitCodes.usage : exitCodes.problems;
  const count = `${files.length} file${files.length === 1 ? '' : 's'}`;
  if (files.length === 0) stdout.write('no file uses a name that has moved\n');
  else stdout.write(isCheck ? `${count} would change\n` : `${count} changed\n`);
  return isCheck && files.length > 0 ? exitCodes.problems : exitCodes.ok;
}
