import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of this package, whether this file runs from its sources or from `dist`. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The script that builds a control plane; it is only there in a checkout of the repository. */
export function buildScript(): string | undefined {
  const root = join(packageFolder(), '..', '..');
  const script = join(root, 'test', 'envtest', 'build.mjs');
  // An installed package must not run a script that happens to lie at the same place of another project.
  return existsSync(script) && packageName(root) === 'kgen-workspace' ? script : undefined;
}

function packageName(folder: string): unknown {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return undefined;
  // JSON.parse gives `any`; the only member that is read stays unknown.
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly name?: unknown }).name;
}
