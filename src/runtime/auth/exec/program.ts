/** Search for the program of a plugin. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import type { AuthEnvironment } from '../environment.ts';

/** Kind of a path: an executable file, another file, or neither. */
export type PathKind = 'program' | 'file' | 'nothing';

/** A program, or the reason why none was found. */
export type Found =
  | { readonly path: string }
  | { readonly problem: 'missing' }
  | { readonly problem: 'denied' | 'batch'; readonly at: string };

/** Returns the kind of a path on this machine. */
export async function kindOf(path: string): Promise<PathKind> {
  try {
    if (!(await stat(path)).isFile()) return 'nothing';
  } catch {
    // An error that prevents the check prevents running it too.
    return 'nothing';
  }
  try {
    await access(path, constants.X_OK);
    return 'program';
  } catch {
    // The file exists, and this process may not run it.
    return 'file';
  }
}

/**
 * Searches a program: a name in the folders of `PATH`, never in the current one; a path unchanged, a relative
 * one below the current folder. Batch files of Windows are reported and not run: they need a shell, which
 * parses the arguments again.
 */
export async function findProgram(
  command: string,
  { env, platform }: Pick<AuthEnvironment, 'env' | 'platform'>,
  kind: (path: string) => Promise<PathKind> = kindOf,
): Promise<Found> {
  const ends = endings(command, env, platform);
  let denied: string | undefined;
  for (const candidate of places(command, env, platform).flatMap((place) =>
    ends.map((end) => `${place}${end}`),
  )) {
    const found = await kind(candidate);
    const batch = platform === 'win32' && /\.(bat|cmd)$/i.test(candidate);
    if (found === 'program') return batch ? { problem: 'batch', at: candidate } : { path: candidate };
    if (found === 'file') denied ??= candidate;
  }
  return denied === undefined ? { problem: 'missing' } : { problem: 'denied', at: denied };
}

/**
 * Relative folders in `PATH` are skipped: otherwise anyone who can write to the current folder could replace
 * the program.
 */
function places(command: string, env: AuthEnvironment['env'], platform: NodeJS.Platform): readonly string[] {
  const path = platform === 'win32' ? win32 : posix;
  const isPath = command.includes('/') || (platform === 'win32' && /[\\:]/.test(command));
  if (isPath) return [path.resolve(command)];
  return variable(env, 'PATH', platform)
    .split(path.delimiter)
    .map((folder) => (platform === 'win32' ? folder.replaceAll('"', '') : folder))
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, command));
}

function variable(env: AuthEnvironment['env'], name: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return env[name] ?? '';
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] ?? '';
}

/** Returns the file name extensions of programs. */
function endings(command: string, env: AuthEnvironment['env'], platform: NodeJS.Platform): readonly string[] {
  if (platform !== 'win32') return [''];
  const known = (variable(env, 'PATHEXT', platform) || '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .filter((end) => end !== '');
  const has = known.some((end) => command.toUpperCase().endsWith(end.toUpperCase()));
  return has ? [''] : known;
}
