/** Whether a plugin may be run as it is configured, and whether it may ask a person. */
import type { ExecConfig } from '../../config/types.ts';
import { ConfigError } from '../../errors.ts';
import type { AuthEnvironment } from '../environment.ts';

const apiVersions: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];
const modes: readonly string[] = ['Never', 'IfAvailable', 'Always'];

/** How a plugin is called in messages. Its arguments are left out: they may be secrets. */
export function pluginName({ command }: Pick<ExecConfig, 'command'>): string {
  return `the exec plugin ${JSON.stringify(command)}`;
}

/** Configurations may be written by hand, in plain JavaScript too, so that the types say nothing yet. */
function problemOf({
  apiVersion,
  command,
  interactiveMode,
  env,
  args,
  timeoutMs,
}: ExecConfig): string | undefined {
  if (command === '' || command.includes('\0')) return 'has no command that could be run';
  if (!apiVersions.includes(apiVersion)) {
    return `has an apiVersion that is not known; it must be ${apiVersions.join(' or ')}`;
  }
  if (interactiveMode === undefined && apiVersion === apiVersions[0]) {
    return `needs an interactiveMode, which ${apiVersion} demands: ${modes.join(', ')}`;
  }
  if (interactiveMode !== undefined && !modes.includes(interactiveMode)) {
    return `has an interactiveMode that is none of ${modes.join(', ')}`;
  }
  if (env?.some(({ name }) => name === '' || /[=\0]/.test(name))) {
    return 'has a variable in env whose name cannot be one';
  }
  const texts = [...(args ?? []), ...(env ?? []).map(({ value }) => value)];
  if (texts.some((text) => text.includes('\0'))) return 'has a NUL character in args or env';
  if (timeoutMs !== undefined && !(timeoutMs > 0)) return 'has a timeoutMs that is no time';
  return undefined;
}

/**
 * Checks the configuration of a plugin.
 * @throws {ConfigError} it is incomplete or has values that there are not
 */
export function checkExec(exec: ExecConfig): void {
  const problem = problemOf(exec);
  if (problem !== undefined) throw new ConfigError(`${pluginName(exec)} ${problem}`);
}

/**
 * Whether the plugin gets the standard input of this process, to ask whoever sits there.
 * @throws {ConfigError} it always asks, and there is nobody to be asked
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
    `${pluginName(exec)} always asks its user (interactiveMode Always), but ${why}; run this program in a terminal`,
  );
}
