/** Exec plugin of a user: the member `exec`. */
import { isAbsolute, sep } from 'node:path';
import { ConfigError } from '../../api/errors.ts';
import { type Fields, isFields, member } from '../../common/fields.ts';
import type { ExecConfig } from '../types.ts';
import { type Entry, flagMember, textList, textMember } from './document.ts';
import { pathIn, type Rights } from './material.ts';

const v1 = 'client.authentication.k8s.io/v1';
const v1beta1 = 'client.authentication.k8s.io/v1beta1';
/** Name of the cluster extension for exec plugins. */
const extensionName = 'client.authentication.k8s.io/exec';

/**
 * Parses the exec plugin of a user; returns `undefined` if there is none.
 * @throws {ConfigError} if it violates the rules of its apiVersion, or is from a string that may not run
 * programs
 */
export function readExec(user: Entry, cluster: Entry, where: string, rights: Rights): ExecConfig | undefined {
  const exec = member(user.fields, 'exec') ?? undefined;
  if (exec === undefined) return undefined;
  const here = `${where}: exec`;
  if (!isFields(exec)) throw new ConfigError(`${here} is not a mapping`);
  checkAllowed(user, here, rights);
  const apiVersion = readApiVersion(exec, here);
  const args = textList(member(exec, 'args') ?? [], `${here}.args`);
  const env = readVariables(exec, here);
  const installHint = textMember(exec, 'installHint', here);
  const provideClusterInfo = flagMember(exec, 'provideClusterInfo', here);
  const clusterConfig = provideClusterInfo ? extensionOf(cluster) : undefined;
  return {
    apiVersion,
    command: readCommand(user, exec, here),
    interactiveMode: readInteractiveMode(exec, apiVersion, here),
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env }),
    ...(provideClusterInfo && { provideClusterInfo }),
    ...(clusterConfig !== undefined && { clusterConfig }),
    ...(installHint !== undefined && { installHint }),
  };
}

function checkAllowed(user: Entry, where: string, { allowExec }: Rights): void {
  if (user.file !== undefined || allowExec) return;
  throw new ConfigError(
    `${where} runs a program, which a kubeconfig string must not do; ` +
      'if you trust its author, set the option allowExec',
  );
}

function extensionOf(cluster: Entry): unknown {
  const extensions = member(cluster.fields, 'extensions');
  if (!Array.isArray(extensions)) return undefined;
  const found: unknown = extensions.find((each) => isFields(each) && member(each, 'name') === extensionName);
  return isFields(found) ? (member(found, 'extension') ?? undefined) : undefined;
}

function readVariables(exec: Fields, where: string): NonNullable<ExecConfig['env']> {
  const env = member(exec, 'env') ?? [];
  if (!Array.isArray(env)) throw new ConfigError(`${where}.env is not a list`);
  return env.map((value: unknown, index) => readVariable(value, `${where}.env[${index}]`));
}

function readVariable(value: unknown, where: string): { readonly name: string; readonly value: string } {
  if (!isFields(value)) throw new ConfigError(`${where} is not a mapping with name and value`);
  const name = textMember(value, 'name', where);
  if (name === undefined) throw new ConfigError(`${where} has no name`);
  return { name, value: textMember(value, 'value', `${where} (${name})`) ?? '' };
}

function readInteractiveMode(
  exec: Fields,
  apiVersion: ExecConfig['apiVersion'],
  where: string,
): NonNullable<ExecConfig['interactiveMode']> {
  const mode = textMember(exec, 'interactiveMode', where);
  if (mode === 'Never' || mode === 'IfAvailable' || mode === 'Always') return mode;
  if (mode === undefined && apiVersion === v1beta1) return 'IfAvailable';
  const found =
    mode === undefined ? `no interactiveMode, which ${v1} requires` : 'an unknown interactiveMode';
  throw new ConfigError(`${where} has ${found}; set it to Never, IfAvailable or Always`);
}

/**
 * Returns the command. A relative path starts at the kubeconfig; a bare name is looked up in `PATH` when it
 * is run.
 */
function readCommand(user: Entry, exec: Fields, where: string): string {
  const command = textMember(exec, 'command', where);
  if (command === undefined) throw new ConfigError(`${where} has no command; set the program to run`);
  if (isAbsolute(command)) return command;
  return command.includes('/') || command.includes(sep) ? pathIn(user, command, `${where}.command`) : command;
}

function readApiVersion(exec: Fields, where: string): ExecConfig['apiVersion'] {
  const apiVersion = textMember(exec, 'apiVersion', where);
  if (apiVersion === v1 || apiVersion === v1beta1) return apiVersion;
  const found = apiVersion === undefined ? 'no apiVersion' : `the apiVersion ${JSON.stringify(apiVersion)}`;
  throw new ConfigError(
    `${where} has ${found}; it must be ${v1} or ${v1beta1}: regenerate the kubeconfig with a newer version of the program`,
  );
}
