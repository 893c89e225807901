import { basename } from 'node:path';
import { arch, argv, platform } from 'node:process';

/** Version of this package, as User-Agents give it. A test compares it with package.json. */
export const version = '0.1.0';

/** The words of Go for systems and processors, where they are not those of Node. */
const systems: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' };
const processors: Readonly<Record<string, string>> = {
  x64: 'amd64',
  ia32: '386',
  ppc64: 'ppc64le',
  mipsel: 'mipsle',
};

/** What a User-Agent is made of. */
export interface Program {
  /** Path of the script that runs; absent where there is none. */
  readonly script: string | undefined;
  /** As Node names them. */
  readonly platform: string;
  readonly arch: string;
}

/** The name of a script as a word of a header: visible ASCII, without what separates words. */
function programName(script: string | undefined): string {
  const name = basename(script ?? '').replaceAll(/[^\x21-\x7e]|[/()]/g, '_');
  return name === '' ? 'node' : name;
}

/**
 * `<program>/v<version> (<os>/<arch>) kgen/<version>`, as clients written in Go name themselves; where they have the
 * commit of Kubernetes, this has the version of kgen. The server takes the program for the field manager of writes that
 * name none.
 */
export function userAgentOf(program: Program): string {
  const system = systems[program.platform] ?? program.platform;
  const processor = processors[program.arch] ?? program.arch;
  return `${programName(program.script)}/v${version} (${system}/${processor}) kgen/${version}`;
}

/** The User-Agent of this process. */
export function defaultUserAgent(): string {
  return userAgentOf({ script: argv[1], platform, arch });
}
