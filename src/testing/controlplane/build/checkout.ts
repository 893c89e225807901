/** Paths of this package, and of the build script that only a checkout of the repository has. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder of this package, for its sources as well as for `dist`. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Returns the script that builds a control plane, which exists only in a checkout of the repository. */
export function buildScript(): string | undefined {
  const root = join(packageFolder(), '..', '..');
  const script = join(root, 'test', 'envtest', 'build.mjs');
  // An installed package must not run a script at the same path of another project.
  return existsSync(script) && packageName(root) === 'kgen-workspace' ? script : undefined;
}

function packageName(folder: string): unknown {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return undefined;
  // JSON.parse returns `any`; the only member that is read stays unknown.
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly name?: unknown }).name;
}
