/** Links of the pages: those that lead out of the site lead to the repository, as on its host. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { isPage, pageOf, repositoryLink } from './pages.ts';

/**
 * Returns the target of a relative link for the site: the page of a file, or the file on the host of the
 * repository. Returns other links, and those to missing files, as they are.
 * @param file path of the file with the link, in the repository
 */
export function siteLink(root: string, file: string, link: string): string {
  if (/^([a-z][a-z+.-]*:|\/|#)/i.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = posix.join(posix.dirname(file), path);
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  if (target.startsWith('..') || !existsSync(`${root}${target}`)) return link;
  return isPage(target) ? `/${pageOf(target)}${suffix}` : repositoryLink(target) + suffix;
}

/** Returns the anchor of a heading as the host of the repository does, so that links work in both places. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** Rewrites the links and pictures of pages. */
export function linkRewriter(md: MarkdownRenderer, root: string): void {
  md.core.ruler.before('normalize', 'themed-pictures', (state) => {
    state.src = state.src.replaceAll(themedPicture, themedImages);
  });
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const path = env.realPath ?? env.path;
    // Titles are rendered alone.
    if (path === undefined) return;
    const file = posix.relative(root, path);
    for (const token of [...tokens, ...tokens.flatMap(({ children }) => children ?? [])]) {
      if (token.type.startsWith('html_')) token.content = withRelativeSources(token.content);
      if (token.type !== 'link_open') continue;
      const link = token.attrGet('href');
      if (link !== null) token.attrSet('href', siteLink(root, file, link));
    }
  });
}

/** A picture as pages have it for the host of the repository: it follows the system, not the site. */
const themedPicture =
  /<picture><source media="\(prefers-color-scheme: dark\)" srcset="([^"]*)"><img alt="([^"]*)" src="([^"]*)"><\/picture>/g;

/** Two images, of which a style shows that of the theme that the reader chose. */
const themedImages = '<img class="in-light" alt="$2" src="$3"><img class="in-dark" alt="$2" src="$1">';

/** Vue copies the pictures of HTML whose paths begin with a dot. */
function withRelativeSources(html: string): string {
  return html.replaceAll(/\b(src|srcset)="(?!\.|\/|[a-z]+:)/g, '$1="./');
}
