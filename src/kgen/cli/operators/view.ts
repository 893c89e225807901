/** `kgen view`: a recording, or a running operator, on a page. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { error } from '../../common/problems.ts';
import { documentIn } from '../../view/opened.ts';
import { pageOf } from '../../view/page.ts';
import { servePage } from '../../view/server.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { serveUntilSignal, writeForOwner } from './page-output.ts';
import type { ViewArguments } from './view-arguments.ts';

/** Writes the page, or serves it until a signal. Returns the exit status. */
export async function runView(parsed: ViewArguments, console: Console): Promise<number> {
  const { manager, file = '', out } = parsed;
  if (manager !== undefined)
    return (await import('./view-manager.ts')).viewManager({ ...parsed, manager }, console);
  const { cwd, stdout, stderr } = console;
  let page: string;
  try {
    page = pageOf(documentIn(readFileSync(resolve(cwd, file), 'utf8')));
    if (out !== undefined) writeForOwner(resolve(cwd, out), page);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    stderr.write(problemLines([error(what, { file })], stderr.paint));
    return exitCodes.problems;
  }
  if (out !== undefined) stdout.write(`wrote ${out}\n`);
  else await serveUntilSignal(await servePage(page), console);
  return exitCodes.ok;
}
