import { pathToFileURL } from 'node:url';
import { error, type InputProblem } from '../common/problems.ts';
import type { Locate } from './settings.ts';

/** Settings before validation. */
export interface Read {
  readonly value?: unknown;
  readonly locate: Locate;
  readonly problems: readonly InputProblem[];
}

/**
 * Runs a configuration file of the user, which is trusted like a build script. Its default export is the
 * settings.
 */
export async function importConfig(path: string, file: string): Promise<Read> {
  const locate: Locate = () => ({ file });
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(path).href);
    if (module.default !== undefined) return { value: module.default, locate, problems: [] };
    return {
      locate,
      problems: [error('the file has no default export: write `export default { … }`', { file })],
    };
  } catch (cause) {
    return { locate, problems: [codeProblem(cause, path, file)] };
  }
}

/** Converts anything that user code threw to a problem with its position. */
export function codeProblem(cause: unknown, path: string, file: string): InputProblem {
  return error(sentence(cause, file), { file, ...lineIn(cause, path) });
}

function sentence(cause: unknown, file: string): string {
  if (!(cause instanceof Error)) {
    const thrown = typeof cause === 'object' && cause !== null ? 'an object' : String(cause);
    return `the file cannot be run: it throws ${thrown}, which is not an Error`;
  }
  const { code } = cause as NodeJS.ErrnoException; // seam: errors of Node's loader have a code
  if (code === 'ERR_MODULE_NOT_FOUND') return 'the file, or a module that it imports, does not exist';
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `Node ${process.versions.node} does not run TypeScript: use Node 22.18 or later, or write kgen.config.js`;
  }
  if (cause instanceof SyntaxError && cause.message.includes("token 'export'")) {
    return 'Node reads this file as CommonJS, because of the nearest package.json: give that "type": "module", or write kgen.config.yaml';
  }
  const why = `the file cannot be run: ${cause.message.split('\n')[0]}`;
  return cause instanceof SyntaxError ? `${why}; \`node --check ${file}\` shows the place` : why;
}

/** Returns the first line of the file in the stack, at which the error was thrown. */
function lineIn(cause: unknown, path: string): { readonly line?: number } {
  const stack = cause instanceof Error ? (cause.stack ?? '') : '';
  const names = [pathToFileURL(path).href, path];
  const [after = ''] = names.map((name) => stack.split(`${name}:`)[1]).filter((rest) => rest !== undefined);
  const line = Number.parseInt(after, 10);
  return Number.isNaN(line) ? {} : { line };
}
