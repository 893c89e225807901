/** Files of the repository that are pages of the site, and their addresses. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const manifest: { readonly repository: { readonly url: string } } = JSON.parse(
  readFileSync(fileURLToPath(new URL('../src/kgen/package.json', import.meta.url)), 'utf8'),
);

/** Address of the repository, without the suffix of Git. */
export const repositoryUrl: string = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** Returns the path of a file in the repository on its host. */
export function repositoryLink(path: string): string {
  return `${repositoryUrl}/${/\.\w+$/.test(path) ? 'blob' : 'tree'}/main/${path}`;
}

/** Files that are not pages: reasons and rules for contributors, who read them in the repository. */
const left = /^docs\/(design\/|style\.md$)/;

/** Returns whether a file of the repository is a page. */
export function isPage(file: string): boolean {
  return /^(docs\/.*|site\/\w+|site\/reference\/.*)\.md$/.test(file) && !left.test(file);
}

/** Returns the path of the page of a file: `docs/clients.md` is the page `clients.md`. */
export function pageOf(file: string): string {
  return file.replace(/^(docs|site)\//, '');
}
