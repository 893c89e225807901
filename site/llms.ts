/** Pages for language models: https://llmstxt.org. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { siteLink } from './links.ts';
import { isPage, pageOf } from './pages.ts';
import { guide, type PageGroup, reference } from './sidebars.ts';

/** A built site. */
export interface BuiltSite {
  /** Folder of the repository, with a slash at its end. */
  readonly root: string;
  readonly outDir: string;
  /** Files of the pages, relative to the repository. */
  readonly pages: readonly string[];
  readonly site: { readonly title: string; readonly description: string; readonly base: string };
}

/**
 * Writes `llms.txt` with a link to each page, `llms-full.txt` with the pages of docs/, and the source of each
 * page beside its HTML.
 */
export function writeLlms({ root, outDir, pages, site }: BuiltSite): void {
  const sources = new Map(pages.filter(isPage).map((file) => [pageOf(file), sourceOf(root, file)] as const));
  for (const [page, text] of sources) {
    mkdirSync(dirname(join(outDir, page)), { recursive: true });
    writeFileSync(join(outDir, page), text);
  }
  const head = `# ${site.title}\n\n> ${site.description}\n`;
  const all = guide(root).flatMap(({ items }) => items);
  const lines = [...guide(root), ...reference(root)].map((group) => groupText(group, sources, site.base));
  writeFileSync(join(outDir, 'llms.txt'), [head, ...lines].join('\n'));
  const texts = all.map(({ link }) => sources.get(`${link.slice(1)}.md`) ?? '');
  writeFileSync(join(outDir, 'llms-full.txt'), [head, ...texts].join('\n'));
}

/** Returns a page with links that work outside of the repository. */
function sourceOf(root: string, file: string): string {
  const text = readFileSync(`${root}${file}`, 'utf8');
  return text.replaceAll(/\]\((\.\.?\/[^)\s]+)\)/g, (_, link: string) => `](${siteLink(root, file, link)})`);
}

function groupText({ text, items }: PageGroup, sources: ReadonlyMap<string, string>, base: string): string {
  const lines = items.map(({ text: title, link }) => {
    const summary = summaryOf(sources.get(`${link.slice(1)}.md`) ?? '');
    return `- [${title}](${base}${link.slice(1)}.md)${summary === '' ? '' : `: ${summary}`}`;
  });
  return [`## ${text}`, '', ...lines, ''].join('\n');
}

/** Returns the first sentence below the title. */
function summaryOf(text: string): string {
  const paragraph = /^# .*\n+(?![#|`-])((?:.+\n)+)/.exec(text)?.[1] ?? '';
  const [sentence = ''] = paragraph.replaceAll('\n', ' ').split(/(?<=[.:])\s/);
  return sentence
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .replace(/:$/, '.');
}
