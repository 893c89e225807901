import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodemodResult } from '../../codemod/codemod.ts';
import { formatPlace, hasErrors } from '../../common/problems.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { jsonProblem } from '../refusal.ts';
import type { CodemodArguments } from './definitions/codemod.ts';
import { unifiedDiff } from './diff.ts';

/** Rewrites programs and returns the exit status. */
export async function runCodemod(parsed: CodemodArguments, console: Console): Promise<number> {
  const { subject, paths, isCheck, isWritten, isJson } = parsed;
  const { cwd, stdout } = console;
  const result =
    subject === 'client-node'
      ? (await import('../../codemod/client-node/convert-files.ts')).convertFiles({ paths, cwd, isWritten })
      : (await import('../../codemod/codemod.ts')).codemod({ paths, cwd, isCheck: !isWritten });
  if (isJson) stdout.write(jsonResult(result));
  else print(result, parsed, console);
  if (hasErrors(result.problems)) return result.files.length === 0 ? exitCodes.usage : exitCodes.problems;
  return isCheck && result.files.length > 0 ? exitCodes.problems : exitCodes.ok;
}

const nothing = {
  renames: 'no file uses a name that has moved',
  'client-node': 'no file imports client-node',
};

function print(
  { files, problems }: CodemodResult,
  { subject, isWritten }: CodemodArguments,
  { cwd, stdout, stderr }: Pick<Console, 'cwd' | 'stdout' | 'stderr'>,
): void {
  const isDiff = subject === 'client-node' && !isWritten;
  const texts = isDiff
    ? files.map(({ path, text }) => unifiedDiff(path, readFileSync(join(cwd, path), 'utf8'), text))
    : files.flatMap(({ changes }) => changes.map(({ place, text }) => `${formatPlace(place)}: ${text}\n`));
  stdout.write(texts.join(''));
  stderr.write(problemLines(problems, stderr.paint));
  if (hasErrors(problems)) return;
  const count = `${files.length} file${files.length === 1 ? '' : 's'}`;
  if (files.length === 0) stdout.write(`${nothing[subject]}\n`);
  else stdout.write(isWritten ? `${count} changed\n` : `${count} would change\n`);
}

/** Returns one JSON object. Its keys are part of kgen's interface. */
function jsonResult({ files, problems }: CodemodResult): string {
  const changed = files.map(({ path, changes }) => ({
    path,
    changes: changes.map(({ place: { line, column }, text }) => ({ line, column, message: text })),
  }));
  return `${JSON.stringify({ ok: !hasErrors(problems), files: changed, problems: problems.map(jsonProblem) })}\n`;
}
