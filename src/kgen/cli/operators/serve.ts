/** `kgen serve`: the command of `@kgen/testserver`, which kgen loads from the user's project. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { error } from '../../common/problems.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import type { ServeArguments } from './serve-arguments.ts';

/** Export of the module `@kgen/testserver/command`. */
interface ServerCommand {
  /** Serves until a signal arrives, and returns the exit status. */
  readonly serve: (parsed: ServeArguments, console: Console) => Promise<number>;
}

/** Runs the command, and returns the exit status. */
export async function runServe(parsed: ServeArguments, console: Console): Promise<number> {
  const path = commandPath(console.cwd);
  if (path === undefined) {
    const problem = error('kgen serve needs @kgen/testserver: npm install --save-dev @kgen/testserver');
    console.stderr.write(problemLines([problem], console.stderr.paint));
    return exitCodes.usage;
  }
  const { serve }: ServerCommand = await import(pathToFileURL(path).href);
  return serve(parsed, console);
}

/** A project may have the package through `@kgen/testing` only, and a global kgen beside itself. */
function commandPath(cwd: string): string | undefined {
  const project = join(cwd, 'package.json');
  const places = [project, resolved('@kgen/testing/package.json', project), import.meta.url];
  for (const place of places) {
    const path = place === undefined ? undefined : resolved('@kgen/testserver/command', place);
    if (path !== undefined) return path;
  }
  return undefined;
}

function resolved(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // seam: errors of module resolution have a code
    if (code === 'MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined;
    throw cause;
  }
}
