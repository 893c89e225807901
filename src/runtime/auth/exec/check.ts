/** Validation of exec plugin configurations, and of their access to standard input. */

import { ConfigError } from '../../api/errors.ts';
import type { ExecConfig } from '../../config/types.ts';
import type { AuthEnvironment } from '../environment.ts';

const apiVersions: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];
const modes: readonly string[] = ['Never', 'IfAvailable', 'Always'];

/** Returns the name of a plugin for messages. Its arguments are omitted: they may be secrets. */
export function pluginName({ command }: Pick<ExecConfig, 'command'>): string {
  return `the exec plugin ${JSON.stringify(command)}`;
}

/**
 * Checks the configuration of a plugin.
 * @throws {ConfigError} if it is incomplete or has invalid values
 */
export function checkExec(exec: ExecConfig): void {
  const problem = problemOf(exec);
  if (problem !== undefined) throw new ConfigError(`${pluginName(exec)} ${problem}`);
}

/**
 * Returns the problem of a configuration. Configurations may be written in plain JavaScript, so their types
 * are not guaranteed.
 */
function problemOf({
  apiVersion,
  command,
  interactiveMode,
  env,
  args,
  timeoutMs,
}: ExecConfig): string | undefined {
  if (command === '' || command.includes('\0')) return 'has no valid command';
  if (!apiVersions.includes(apiVersion)) {
    return `has an unsupported apiVersion; it must be ${apiVersions.join(' or ')}`;
  }
  if (interactiveMode === undefined && apiVersion === apiVersions[0]) {
    return `needs an interactiveMode, which ${apiVersion} requires: ${modes.join(', ')}`;
  }
  if (interactiveMode !== undefined && !modes.includes(interactiveMode)) {
    return `has an unsupported interactiveMode; it must be one of ${modes.join(', ')}`;
  }
  if (env?.some(({ name }) => name === '' || /[=\0]/.test(name))) {
    return 'has a variable with an invalid name in env';
  }
  const texts = [...(args ?? []), ...(env ?? []).map(({ value }) => value)];
  if (texts.some((text) => text.includes('\0'))) return 'has a NUL character in args or env';
  if (timeoutMs !== undefined && !(timeoutMs > 0)) return 'has an invalid timeoutMs; it must be > 0';
  return undefined;
}

/**
 * Returns whether the plugin receives the standard input of this process, for prompts.
 * @throws {ConfigError} if it requires standard input, which is not a terminal
 */
export function isInteractive(
  exec: ExecConfig,
  { isTerminal }: Pick<AuthEnvironment, 'isTerminal'>,
): boolean {
  const mode = exec.interactiveMode ?? 'IfAvailable';
  if (mode === 'Never') return false;
  const available = exec.stdinUnavailable !== true && isTerminal(0);
  if (available || mode === 'IfAvailable') return available;
  const why =
    exec.stdinUnavailable === true ? 'standard input is used otherwise' : 'standard input is not a terminal';
  throw new ConfigError(
    `${pluginName(exec)} requires standard input (interactiveMode Always), but ${why}; run this program in a terminal`,
  );
}
