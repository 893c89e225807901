/**
 * Pages of the documentation: links, sizes, diagrams, and the rules of docs/style.md that can be measured.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../support/files.ts';
import { type Page, pages, root } from './pages.ts';

/** Anchors of a page's headings, as GitHub writes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Targets of the links of a page. */
function linksIn({ text }: Page): readonly string[] {
  return [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

function isBroken(link: string, { path, text }: Page): boolean {
  if (/^[a-z]+:/.test(link)) return false;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? path : join(dirname(path), file);
  if (!existsSync(join(root, target))) return true;
  const other = file === '' ? text : pages.find((page) => page.path === target)?.text;
  return anchor !== undefined && other !== undefined && !anchorsOf(other).has(anchor);
}

/** Prose of a page, without code. */
function proseOf({ text }: Page): string {
  return text
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/^ {4}.*$/gm, '')
    .replaceAll(/`[^`]*`/g, '');
}

/** Terms and constructions that docs/style.md replaces. Questions of the FAQ may begin with these words. */
const replaced =
  /(?:^|[.:|] |^- )(?:What|Who) [^?\n]*$|\bis no (?!longer)|\b(?:is told|hears?|gives|is given|whoever|somebody|nobody|in peace|who asks)\b/gm;

const style = 'docs/style.md';
const inDocs = pages.filter(({ path }) => path.startsWith('docs/') && path !== style);

/** Whether a page links to another one, or names its path. */
function leadsTo(page: Page, path: string): boolean {
  const targets = linksIn(page).map((link) => join(dirname(page.path), link.replace(/#.*/, '')));
  return targets.includes(path) || page.text.includes(`\`${path}\``);
}

describe('pages of the documentation', () => {
  it.each(pages)('$path has no broken link', (page) => {
    expect(linksIn(page).filter((link) => isBroken(link, page))).toEqual([]);
  });

  it.each(pages.filter(({ path }) => path !== style))('$path uses standard terms', (page) => {
    expect(proseOf(page).match(replaced) ?? []).toEqual([]);
  });

  it.each(inDocs)('$path is linked from another page', ({ path }) => {
    expect(pages.filter((page) => page.path !== path && leadsTo(page, path))).not.toEqual([]);
  });

  it.each(inDocs.filter(({ path }) => path.startsWith('docs/design/')))(
    '$path has one diagram',
    ({ blocks }) => {
      expect(blocks.filter(({ language }) => language === 'mermaid' || language === 'text')).toHaveLength(1);
    },
  );

  it('README.md has at most 150 lines, ARCHITECTURE.md 180', () => {
    const limits: Readonly<Record<string, number>> = { 'README.md': 150, 'ARCHITECTURE.md': 180 };
    const long = pages.filter(({ path, text }) => text.split('\n').length - 1 > (limits[path] ?? Infinity));
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('the first example of README.md, for CustomResourceDefinitions, begins above line 50', () => {
    const readme = pages.find(({ path }) => path === 'README.md');
    const first = readme?.blocks.find(({ text }) => text.includes('npx kgen'));
    expect(first?.line).toBeLessThan(50);
  });
});

it('paths of modules in ARCHITECTURE.md and the design documents exist', () => {
  const design = pages.filter(({ path }) => /^(ARCHITECTURE\.md|docs\/design\/.*)$/.test(path));
  const modules = filesBelow(join(root, 'src'), '.ts').map((path) => `/${path}`);
  const named = design.flatMap(({ text }) => [...text.matchAll(/`([\w-]+(?:\/[\w-]+)+\.ts)`/g)]);
  const missing = named
    .map(([, module = '']) => module)
    .filter((module) => !modules.some((path) => path.endsWith(`/${module}`)));
  expect(named.length).toBeGreaterThan(15);
  expect(missing).toEqual([]);
});

it('test/README.md lists each folder of test once', () => {
  const section = pages.find(({ path }) => path === 'test/README.md')?.text.split('\n## ')[1] ?? '';
  const listed = [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  const entries = readdirSync(join(root, 'test'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(listed).toEqual(folders.sort());
});
