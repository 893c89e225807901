/** Files of a project that may be renamed ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionOf } from './moves.ts';
import type { Texts } from './plan.ts';

/**
 * Returns the texts of the author's files with one of the extensions.
 *
 * @throws errors of `node:fs`, such as EACCES
 */
export function candidatesIn(cwd: string, extensions: ReadonlySet<string>): Texts {
  if (extensions.size === 0) return new Map();
  const paths = filesBelow(cwd, '').filter((path) => extensions.has(extensionOf(path)));
  return new Map(paths.map((path) => [path, readFileSync(join(cwd, path), 'utf8')]));
}

/** Packages, hidden folders, and folders that are written and not edited. */
const skipped = /^(node_modules|dist|generated|config|\..*)$/;

function filesBelow(cwd: string, folder: string): readonly string[] {
  return readdirSync(join(cwd, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skipped.test(entry.name) ? [] : filesBelow(cwd, path);
    return entry.isFile() ? [path] : [];
  });
}
