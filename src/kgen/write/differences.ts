import { error, type InputProblem } from '../common/problems.ts';
import { countLines } from './lines.ts';
import type { WritePlan } from './plan.ts';

/**
 * Returns the changes of a plan as errors: one per file, with its path below the folder as the user wrote it.
 */
export function differences(shown: string, plan: WritePlan): readonly InputProblem[] {
  const problem = (path: string, what: string): InputProblem => error(what, { file: `${shown}/${path}` });
  return [
    ...plan.create.map(({ path }) => problem(path, 'the file is missing')),
    ...plan.update.map((change) => {
      const { added, removed } = countLines(change);
      const lines = `+${added} -${removed} lines`;
      return problem(change.path, `the file differs from the output of kgen (${lines})`);
    }),
    ...plan.remove.map(({ path }) => problem(path, 'the file is left over from an earlier run')),
  ];
}
