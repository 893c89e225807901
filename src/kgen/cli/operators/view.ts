/** `kgen view`: a recording on a page. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { error } from '../../common/problems.ts';
import { documentIn } from '../../view/opened.ts';
import { pageOf } from '../../view/page.ts';
import { servePage } from '../../view/server.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import type { ViewArguments } from './view-arguments.ts';

/** Writes the page, or serves it until a signal. Returns the exit status. */
export async function runView({ file, out }: ViewArguments, console: Console): Promise<number> {
  const { cwd, stdout, stderr, onSignal } = console;
  let page: string;
  try {
    page = pageOf(documentIn(readFileSync(resolve(cwd, file), 'utf8')));
    if (out !== undefined) writeForOwner(resolve(cwd, out), page);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    stderr.write(problemLines([error(what, { file })], stderr.paint));
    return exitCodes.problems;
  }
  if (out !== undefined) {
    stdout.write(`wrote ${out}\n`);
    return exitCodes.ok;
  }
  const { url, close } = await servePage(page);
  stdout.write(`${url}\n`);
  // Without it, signals end the process.
  await new Promise<void>((end) => onSignal?.(() => end()));
  await close();
  return exitCodes.ok;
}

/** Writes a file that its owner alone can read, as recordings are; a file that exists would keep its mode. */
function writeForOwner(file: string, text: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600 });
}
