/** Licences of the packages in a bundle. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isObject } from '../../input/json.ts';

/** A package of which a bundle contains modules. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly folder: string;
}

/**
 * Returns one text with the licences of all packages, sorted by name. Legal comments of modules are in the
 * bundle.
 * @param cwd folder of the project, whose own modules need none
 * @param inputs paths of the modules, relative to it
 */
export function licencesOf(cwd: string, inputs: readonly string[]): string {
  const packages = new Map<string, BundledPackage>();
  const own = packageOf(cwd);
  for (const input of inputs) {
    const found = packageOf(dirname(resolve(cwd, input)));
    if (found === undefined || found.folder === own?.folder) continue;
    packages.set(`${found.name} ${found.version}`, found);
  }
  const sorted = [...packages].sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = sorted.map(
    ([title, { licence, folder }]) => `== ${title}, ${licence}\n\n${textIn(folder)}\n`,
  );
  return ['Packages in this program, and their licences.\n', ...texts].join('\n');
}

/** Returns the package that contains a folder. A package.json inside of a package has no name. */
function packageOf(folder: string): BundledPackage | undefined {
  const file = join(folder, 'package.json');
  const manifest: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  if (isObject(manifest)) {
    const { name, version, license = 'no licence stated' } = manifest;
    if (typeof name === 'string' && typeof version === 'string')
      return {
        name,
        version,
        licence: typeof license === 'string' ? license : JSON.stringify(license),
        folder,
      };
  }
  return dirname(folder) === folder ? undefined : packageOf(dirname(folder));
}

function textIn(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  if (files.length === 0) return 'The package contains no text of its licence.\n';
  return files
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n')
    .concat('\n');
}
