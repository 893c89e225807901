import { pathToFileURL } from 'node:url';
import { error, type InputProblem } from './problems.ts';

/** Advice for modules that this version of Node cannot run, behind "use …, or". */
export interface CodeAdvice {
  readonly typescript: string;
  readonly commonJs: string;
}

/** Converts anything that a module of the user threw to a problem with its position. */
export function codeProblem(cause: unknown, path: string, file: string, advice: CodeAdvice): InputProblem {
  return error(sentence(cause, file, advice), { file, ...lineIn(cause, path) });
}

function sentence(cause: unknown, file: string, advice: CodeAdvice): string {
  if (!(cause instanceof Error)) {
    const thrown = typeof cause === 'object' && cause !== null ? 'an object' : String(cause);
    return `the file cannot be run: it throws ${thrown}, which is not an Error`;
  }
  const { code } = cause as NodeJS.ErrnoException; // seam: errors of Node's loader have a code
  if (code === 'ERR_MODULE_NOT_FOUND') return 'the file, or a module that it imports, does not exist';
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `Node ${process.versions.node} does not run TypeScript: use Node 22.18 or later, or ${advice.typescript}`;
  }
  if (cause.name === 'SyntaxError' && cause.message.includes("token 'export'")) {
    return `Node reads this file as CommonJS, because of the nearest package.json: give that "type": "module", or ${advice.commonJs}`;
  }
  const why = `the file cannot be run: ${cause.message.split('\n')[0]}`;
  return cause.name === 'SyntaxError' ? `${why}; \`node --check ${file}\` shows the place` : why;
}

/** Returns the first line of the file in the stack, at which the error was thrown. */
function lineIn(cause: unknown, path: string): { readonly line?: number } {
  const stack = cause instanceof Error ? (cause.stack ?? '') : '';
  const names = [pathToFileURL(path).href, path];
  // Versions of a module differ in the query of its URL.
  const rests = names.map((name) => stack.split(name)[1]).filter((rest) => rest !== undefined);
  const line = Number.parseInt(rests[0]?.replace(/^\?\w+/, '').slice(1) ?? '', 10);
  return Number.isNaN(line) ? {} : { line };
}
