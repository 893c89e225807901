import { type ImportResult, importDefinitions } from '../../manifests/import/import-definitions.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { jsonProblem } from '../refusal.ts';
import type { ImportArguments } from './definitions/import.ts';

/** Writes modules for definitions and returns the exit status. */
export async function runImport(
  { input, out, force, isJson }: ImportArguments,
  { cwd, stdin, stdout, stderr }: Console,
): Promise<number> {
  const result = await importDefinitions({ cwd, stdin, input, force, ...(out !== undefined && { out }) });
  if (isJson) {
    const { problems, ...others } = result;
    stdout.write(`${JSON.stringify({ ...others, problems: problems.map(jsonProblem) })}\n`);
  } else {
    stderr.write(problemLines(result.problems, stderr.paint));
    stdout.write(`${verdict(result)}\n`);
  }
  return result.ok ? exitCodes.ok : exitCodes.problems;
}

function verdict({ ok, out, definitions }: ImportResult): string {
  if (!ok) return `${out}: nothing was written, because of the errors`;
  return [
    ...definitions.map(({ name, path }) => `${out}/${path}: ${name}`),
    `Next: kgen manifests ${out}`,
  ].join('\n');
}
