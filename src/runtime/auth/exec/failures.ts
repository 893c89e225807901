/** Errors of exec plugins. */

import { ConfigError } from '../../api/errors.ts';
import type { ExecConfig } from '../../config/types.ts';
import { lastWords, plainText, secretsOf } from '../mask.ts';
import { pluginName } from './check.ts';

import type { Found } from './program.ts';
import type { Ended, Outcome } from './run.ts';

const maxHint = 2000;

/** Returns the error of a program that cannot be run because of the result of the search for it. */
export function notFound(exec: ExecConfig, found: Exclude<Found, { readonly path: string }>): ConfigError {
  const name = pluginName(exec);
  if (found.problem === 'batch') {
    return new ConfigError(
      `${name} is a batch file, ${found.at}, which is not run; name the program that it starts`,
    );
  }
  if (found.problem === 'denied') {
    return new ConfigError(`${name} cannot be run: ${found.at} is not executable for this user`);
  }
  const isPath = /[\\/]/.test(exec.command);
  const where = isPath ? 'no such file' : 'it is not in any absolute folder of PATH';
  const advice = hint(exec) || 'install it, or set its full path as command';
  return new ConfigError(`${name} was not found: ${where}\n${advice}`);
}

function hint({ installHint = '' }: ExecConfig): string {
  return plainText(installHint).slice(0, maxHint);
}

const startProblems: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'the interpreter that its first line names is missing'],
  ['EACCES', 'this user is not allowed to run it'],
  ['ENOEXEC', 'it is not a program for this machine'],
  ['E2BIG', 'its arguments and environment are too long, with KUBERNETES_EXEC_INFO among them'],
  ['EMFILE', 'this process has too many files open'],
  ['EAGAIN', 'too many processes are running'],
]);

/**
 * Returns the error of a plugin that failed; it contains the last lines of its standard error, but neither
 * its arguments nor its output.
 */
export function runFailed(exec: ExecConfig, { outcome, stderr }: Ended): ConfigError {
  const words = lastWords(stderr, secretsOf(exec));
  const stated = words === '' ? '' : `; its standard error:\n${words}`;
  const advice = outcome.how === 'unstartable' ? '' : '; run it by hand to see what it needs';
  return new ConfigError(`${pluginName(exec)} ${whatHappened(outcome)}${advice}${stated}`);
}

function whatHappened(outcome: Outcome): string {
  switch (outcome.how) {
    case 'exited':
      return `failed with exit code ${outcome.code}`;
    case 'killed':
      return `was terminated by ${outcome.signal}`;
    case 'unstartable': {
      const why = startProblems.get(outcome.code ?? '') ?? 'the system refused';
      return `could not be started: ${why}${outcome.code === undefined ? '' : ` (${outcome.code})`}`;
    }
    case 'late':
      return `did not finish within ${outcome.timeoutMs} ms, and was terminated`;
    case 'flooding':
      return `wrote more than ${outcome.maxOutput} bytes to standard output, and was terminated`;
  }
}
