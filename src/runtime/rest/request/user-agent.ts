import { basename } from 'node:path';
import { arch, argv, platform } from 'node:process';

/** Version of this package for `User-Agent` headers. A test compares it with package.json. */
export const version = '0.1.0';

/** Go's names of systems and processors that differ from those of Node. */
const systems: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' };
const processors: Readonly<Record<string, string>> = {
  x64: 'amd64',
  ia32: '386',
  ppc64: 'ppc64le',
  mipsel: 'mipsle',
};

/** Parts of a User-Agent. */
export interface Program {
  /** Path of the running script; absent if there is none. */
  readonly script: string | undefined;
  /** Platform, as Node names it. */
  readonly platform: string;
  readonly arch: string;
}

/**
 * Returns a User-Agent in the format of client-go, `<program>/v<version> (<os>/<arch>) kgen/<version>`, with
 * the version of kgen in place of the commit of Kubernetes. The server uses the program as the field manager
 * of writes that name none.
 */
export function userAgentOf(program: Program): string {
  const system = systems[program.platform] ?? program.platform;
  const processor = processors[program.arch] ?? program.arch;
  return `${programName(program.script)}/v${version} (${system}/${processor}) kgen/${version}`;
}

/** Returns the name of a script as a token for a header: visible ASCII without separators. */
function programName(script: string | undefined): string {
  const name = basename(script ?? '').replaceAll(/[^\x21-\x7e]|[/()]/g, '_');
  return name === '' ? 'node' : name;
}

/** Returns the User-Agent of this process. */
export function defaultUserAgent(): string {
  return userAgentOf({ script: argv[1], platform, arch });
}
