/** Every program of README.md, docs/ and the packages' READMEs compiles and runs; see `pages.ts` for the rules. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Complaint } from '../support/checker.ts';
import { type Page, pages, programsOf, root } from './pages.ts';
import { createProject } from './project.ts';

const programs = pages.map((page) => ({ page, programs: programsOf(page) }));
const all = programs.flatMap((entry) => entry.programs);
const project = createProject();
let found: readonly Complaint[] = [];

beforeAll(() => {
  found = project.compile(Object.fromEntries(all.map(({ file, text }) => [file, text])));
});
afterAll(() => project.remove());

describe('programs of the documentation', () => {
  it.each(all)('$name compiles', ({ name, file }) => {
    const page = name.replace(/:\d+$/, '');
    const own = found.filter((complaint) => complaint.file === file);
    const lines = own.map(({ line, text }) => `${page}:${line + 1}: ${text}`);
    expect(lines, lines.join('\n')).toEqual([]);
  });

  const runnable = programs
    .map(({ page, programs: own }) => ({
      path: page.path,
      files: own.filter(({ notRun }) => notRun === undefined).map(({ file }) => file.replace(/ts$/, 'js')),
    }))
    .filter(({ files }) => files.length > 0);
  it.each(runnable)('those of $path run', async ({ files }) => {
    const { status, output } = await project.run(files);
    expect(status, output).toBe(0);
  });

  it('state a reason where they are not run', () => {
    expect(all.filter(({ notRun }) => notRun?.trim() === '').map(({ name }) => name)).toEqual([]);
  });
});

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

describe('pages of the documentation', () => {
  it.each(pages)('$path has no broken link', (page) => {
    expect(linksIn(page).filter((link) => isBroken(link, page))).toEqual([]);
  });

  it.each(pages.filter(({ path }) => path.startsWith('docs/')))(
    '$path is linked from another page',
    ({ path }) => {
      const name = `/${path.replace(/^.*\//, '')}`;
      const isLinked = pages.some(
        (page) => page.path !== path && linksIn(page).some((link) => `/${link}`.includes(name)),
      );
      expect(isLinked).toBe(true);
    },
  );

  it.each(pages.filter(({ path }) => path.startsWith('docs/design/')))(
    '$path has one diagram',
    ({ blocks }) => {
      expect(blocks.filter(({ language }) => language === 'mermaid' || language === 'text')).toHaveLength(1);
    },
  );

  it('README.md and ARCHITECTURE.md have at most 150 lines', () => {
    const long = pages.filter(
      ({ path, text }) => /^(README|ARCHITECTURE)\.md$/.test(path) && text.split('\n').length > 151,
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('the first example of README.md, for CustomResourceDefinitions, begins above line 50', () => {
    const readme = pages.find(({ path }) => path === 'README.md');
    const first = readme?.blocks.find(({ text }) => text.includes('npx kgen'));
    expect(first?.line).toBeLessThan(50);
  });
});
