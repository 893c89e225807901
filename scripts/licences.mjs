// Licences of the packages that a built program contains.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns the sorted names of the packages that modules belong to.
 *
 * @param {readonly string[]} inputs paths of modules, relative to the repository
 */
export function packagesOf(inputs) {
  const names = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/**
 * Returns a comment that bundlers keep.
 *
 * @param {string} subject the program, as the subject of a sentence
 * @param {readonly string[]} packages that it contains
 */
export function licences(subject, packages) {
  const texts = packages.map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${folder} has no licence`);
    return `${name}:\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return `/*! ${subject} contains these packages.\n\n${texts.join('\n')}*/\n`;
}
