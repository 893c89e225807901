import { hasErrors } from '../../common/problems.ts';
import { type ManifestsResult, manifests } from '../../manifests/manifests.ts';
import { nameOf } from '../../manifests/read-apis.ts';
import type { FileChange } from '../../write/plan.ts';
import type { ManifestsArguments } from '../arguments.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { jsonProblem } from '../refusal.ts';

/** Writes or checks manifests and returns the exit status. */
export async function runManifests(
  { input, out, mode, isJson }: ManifestsArguments,
  { cwd, stdout, stderr }: Console,
): Promise<number> {
  const result = await manifests({
    cwd,
    mode,
    ...(input.length > 0 && { input }),
    ...(out !== undefined && { out }),
  });
  if (isJson) stdout.write(jsonResult(result));
  else {
    stderr.write(problemLines(result.problems, stderr.paint));
    stdout.write(`${[...(mode === 'dry-run' ? fileLines(result) : []), verdict(result, mode)].join('\n')}\n`);
  }
  return result.ok ? exitCodes.ok : exitCodes.problems;
}

function fileLines({ out, changes }: ManifestsResult): readonly string[] {
  const { create, update, remove } = changes;
  const marked = [
    ['new    ', create],
    ['changed', update],
    ['removed', remove],
  ] as const;
  return marked.flatMap(([mark, files]) => files.map(({ path }) => `${mark} ${out}/${path}`));
}

function verdict({ out, ok, problems, changes }: ManifestsResult, mode: ManifestsArguments['mode']): string {
  const { create, update, remove, unchanged } = changes;
  const parts = `${create.length} new, ${update.length} changed, ${remove.length} removed, ${unchanged.length} unchanged`;
  if (mode === 'check') return ok ? `${out} is up to date` : `${out} is not up to date, or has errors`;
  if (hasErrors(problems)) return `${out}: nothing was written, because of the errors`;
  return mode === 'dry-run' ? `${out} would have: ${parts}` : `${out}: ${parts}`;
}

/** Returns one JSON object. Its keys are part of kgen's interface. */
function jsonResult({ ok, out, problems, changes, apis }: ManifestsResult): string {
  const paths = (files: readonly FileChange[]): readonly string[] => files.map(({ path }) => path);
  const value = {
    ok,
    out,
    files: {
      created: paths(changes.create),
      updated: paths(changes.update),
      removed: paths(changes.remove),
      unchanged: changes.unchanged.length,
    },
    definitions: apis.map(({ value: definition, file }) => ({ name: nameOf(definition), file })),
    problems: problems.map(jsonProblem),
  };
  return `${JSON.stringify(value)}\n`;
}
