/** Modules of users that export an operator. */

import { relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { errorWithSite } from '../simulate/process/call-site.ts';
import type { Operator } from '../simulate/process/operator.ts';
import { importBundled } from './bundle.ts';

/** Exports of a module. */
type Exports = Readonly<Record<string, unknown>>;

/** A module that cannot be used. The message contains its path and the reason. */
class OperatorModuleError extends Error {
  override readonly name = 'OperatorModuleError';
}

/**
 * Loads a module, in JavaScript or TypeScript.
 * @throws {OperatorModuleError} the module is invalid, throws, or imports a module that does not exist
 */
export async function loadModule(cwd: string, file: string): Promise<Exports> {
  process.setSourceMapsEnabled(true);
  try {
    const exports = await importBundled(resolve(cwd, file));
    return isRecord(exports) ? exports : {};
  } catch (error) {
    const faults = faultsIn(cwd, error);
    const reason = faults.length > 0 ? faults.join('; ') : errorWithSite(error);
    throw new OperatorModuleError(`${file}: the module cannot be loaded: ${reason}`, { cause: error });
  }
}

/** Returns the faults of sources, with their places. */
function faultsIn(cwd: string, error: unknown): readonly string[] {
  const errors = isRecord(error) ? error['errors'] : undefined;
  if (!Array.isArray(errors)) return [];
  return errors.map(({ message, loc }: BuildFault) => {
    const [line = ''] = stripVTControlCharacters(message).split('\n');
    const text = line.replace(/^\[[A-Z_]+\] /, '').replace(/ in \S+$/, '');
    if (loc === undefined) return text;
    return `${relative(cwd, loc.file)}:${loc.line}:${loc.column + 1}: ${text}`;
  });
}

/** One fault of a source, from rolldown. The first line of the message has its code and text, with colors. */
interface BuildFault {
  readonly message: string;
  /** Lines start at 1, columns at 0. */
  readonly loc?: { readonly file: string; readonly line: number; readonly column: number };
}

/**
 * Returns the function of a module that builds a manager: the export with a name, otherwise the default one,
 * otherwise the only function.
 * @throws {OperatorModuleError} there is none, or there are several
 */
export function operatorIn(exports: Exports, file: string, name: string | undefined): Operator {
  const functions = Object.entries(exports).flatMap(([key, value]) =>
    isOperator(value) ? [{ key, value }] : [],
  );
  const names = functions.map(({ key }) => key);
  const chosen = name ?? (names.includes('default') ? 'default' : undefined);
  const matching = chosen === undefined ? functions : functions.filter(({ key }) => key === chosen);
  const [found, another] = matching;
  if (found !== undefined && another === undefined) return found.value;
  const all = names.join(', ');
  const several =
    chosen === undefined ? `it exports ${all}` : `it exports no function named ${chosen}, but ${all}`;
  const problem = names.length === 0 ? 'it exports no function' : several;
  const advice =
    names.length === 0
      ? 'export a function of the configuration of a cluster and the options of a Manager'
      : 'choose one with --export';
  throw new OperatorModuleError(`${file}: ${problem}: ${advice}`);
}

/** Returns whether a value may be an operator. */
export function isOperator(value: unknown): value is Operator {
  return typeof value === 'function';
}

/** Returns whether a value is an object. */
export function isRecord(value: unknown): value is Exports {
  return typeof value === 'object' && value !== null;
}
