/** `kgen build`. */
import { loadConfig } from '../../config/load.ts';
import { packageFacts } from '../../manifests/manifests.ts';
import { buildImage } from '../../project/image/image.ts';
import { buildSingle } from '../../project/image/single.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import type { BuildArguments } from './definitions/build.ts';

/** Writes the files of an image, or an executable, and returns the exit status. */
export async function runBuild(parsed: BuildArguments, console: Console): Promise<number> {
  const { cwd, stdout, stderr } = console;
  const { isSingle, out, mode } = parsed;
  if (isSingle) {
    const { file, size, problems } = await buildSingle({ ...parsed, cwd });
    stderr.write(problemLines(problems, stderr.paint));
    if (file === undefined) return exitCodes.problems;
    stdout.write(mode === 'dry-run' ? `would write ${file}\n` : `${file}: ${megabytes(size)}\n`);
    return exitCodes.ok;
  }
  const { ok, changes, size, problems } = await buildImage({ ...parsed, cwd });
  stderr.write(problemLines(problems, stderr.paint));
  if (!ok) return exitCodes.problems;
  const { value: config } = await loadConfig(cwd, undefined);
  const image = config.deployment?.image ?? `${packageFacts(cwd).name}:latest`;
  const of = (word: string, files: readonly { readonly path: string }[]): readonly string[] =>
    files.map(({ path }) => `${word.padEnd(8)} ${out}/${path}`);
  const lines = [
    ...of('created', changes.create),
    ...of('updated', changes.update),
    ...of('removed', changes.remove),
    `${out}/app: ${megabytes(size)}, which the image has beyond its base`,
    mode === 'dry-run' ? 'Nothing was written.' : `Next: docker build --tag ${image} ${out}`,
  ];
  stdout.write(`${lines.join('\n')}\n`);
  return exitCodes.ok;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
