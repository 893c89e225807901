/** `kgen bundle`. */
import { hasErrors } from '../../common/problems.ts';
import { loadConfig } from '../../config/load.ts';
import { bundleFolder, writeBundle } from '../../project/bundle/bundle.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import type { BundleArguments } from './definitions/bundle.ts';

/** Writes or checks a bundle and returns the exit status. */
export async function runBundle(
  { version, mode }: BundleArguments,
  { cwd, stdout, stderr }: Console,
): Promise<number> {
  const { value: config, problems: wrong } = await loadConfig(cwd, undefined);
  if (hasErrors(wrong)) {
    stderr.write(problemLines(wrong, stderr.paint));
    return exitCodes.usage;
  }
  const { bundle: settings } = config;
  const { ok, problems, changes } = writeBundle({
    ...{ cwd, mode },
    ...(version !== undefined && { version }),
    ...(settings !== undefined && { settings }),
  });
  stderr.write(problemLines([...wrong, ...problems], stderr.paint));
  const { create, update, remove, unchanged } = changes;
  const marked = [
    ['new    ', create],
    ['changed', update],
    ['removed', remove],
  ] as const;
  const lines = marked.flatMap(([mark, files]) => files.map(({ path }) => `${mark} ${bundleFolder}/${path}`));
  const numbers = `${bundleFolder}: ${create.length} new, ${update.length} changed, ${remove.length} removed, ${unchanged.length} unchanged`;
  if (mode === 'check')
    stdout.write(`${bundleFolder} ${ok ? 'is up to date' : 'is not up to date, or has errors'}\n`);
  else if (!ok) stdout.write(`${bundleFolder}: nothing was written, because of the errors\n`);
  else stdout.write(`${[...lines, numbers, ...(mode === 'write' ? next : [])].join('\n')}\n`);
  return ok ? exitCodes.ok : exitCodes.problems;
}

const next = [
  'Next:',
  '  1. kgen bundle --check, which has the tests of the scorecard',
  `  2. docker build -f ${bundleFolder}/bundle.Dockerfile -t IMAGE ${bundleFolder}, and docker push IMAGE`,
  `  3. opm render ${bundleFolder}, which adds the bundle to a catalog`,
];
