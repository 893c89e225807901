/** The site as it is built: its files, and its pages in a browser on a phone and on a desktop. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chromiumPath } from '../../scripts/chromium.mjs';
import { repository } from '../support/emitted.ts';
import { type ServedSite, serveSite } from './served.ts';

// The types of the module need those of browsers.
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'kgen-site-'));
let site: ServedSite;
let browser: Browser;

beforeAll(async () => {
  const args = [join(repository, 'site/build.mjs'), '--out', folder];
  // Broken links between pages fail the build.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
  site = await serveSite(folder);
  browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
}, 400_000);
afterAll(async () => {
  await browser.close();
  site.close();
  rmSync(folder, { recursive: true });
});

const docs = readdirSync(join(repository, 'docs'))
  .filter((file) => file.endsWith('.md') && file !== 'style.md')
  .map((file) => file.replace(/\.md$/, ''));

/** Returns the HTML of all pages, by path. */
function htmlOf(): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.html'),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

describe('the built files', () => {
  test('contain a page for each page of docs/, and the reference of each package', () => {
    const pages = [...htmlOf().keys()];
    expect(pages).toEqual(expect.arrayContaining(docs.map((name) => `${name}.html`)));
    const packages = ['@kgen/runtime', '@kgen/controller', '@kgen/testserver', '@kgen/testing', 'kgen'];
    expect(pages).toEqual(expect.arrayContaining(packages.map((name) => `reference/${name}.html`)));
  });

  test('load nothing from other hosts', () => {
    const loads =
      /<(?:script|img|source|iframe)\b[^>]*\bsrc(?:set)?="https?:[^"]*"|<link\b[^>]*\bhref="https?:[^"]*"/g;
    const found = [...htmlOf()].flatMap(([path, html]) =>
      (html.match(loads) ?? []).map((tag) => `${path}: ${tag}`),
    );
    expect(found).toEqual([]);
    const styles = readdirSync(join(folder, 'assets')).filter((file) => file.endsWith('.css'));
    expect(styles.length).toBeGreaterThan(0);
    for (const style of styles)
      expect(readFileSync(join(folder, 'assets', style), 'utf8')).not.toMatch(/url\(["']?https?:/);
  });

  test('have links to anchors and files that exist', () => {
    const pages = htmlOf();
    const anchors = new Map([...pages].map(([path, html]) => [path, anchorsOf(html)] as const));
    const broken = [...pages].flatMap(([path, html]) =>
      [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)].flatMap(([, href = '']) => {
        if (/^[a-z]+:/.test(href)) return [];
        const [target = '', anchor = ''] = href.split('#').map(decodeURIComponent);
        const found = target === '' ? path : targetOf(path, target);
        const isFound = anchor === '' ? existsSync(join(folder, found)) : anchors.get(found)?.has(anchor);
        return isFound === true ? [] : [`${path}: ${href}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  test('contain llms.txt, whose links are sources of pages', () => {
    const text = readFileSync(join(folder, 'llms.txt'), 'utf8');
    const links = [...text.matchAll(/\]\(\/([^)]*)\)/g)].map(([, link = '']) => link);
    expect(links).toEqual(expect.arrayContaining(docs.map((name) => `${name}.md`)));
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
    expect(text).toMatch(/- \[Informers\]\(\/informers\.md\): An informer keeps a copy .*\./);
    expect(readFileSync(join(folder, 'llms-full.txt'), 'utf8')).toContain('\n# Informers\n');
    // Links of pages lead to other sources, or to the repository.
    expect(readFileSync(join(folder, 'getting-started.md'), 'utf8')).not.toContain('](../');
  });

  test('have sources that a compiler accepts', () => {
    const tsc = join(repository, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', 'site'], {
      cwd: repository,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
});

function anchorsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\bid="([^"]*)"/g)].map(([, id = '']) => id));
}

function targetOf(path: string, target: string): string {
  const found = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(path), target);
  return found === '' || found.endsWith('/') ? `${found}index.html` : found;
}

const widths = { phone: 390, desktop: 1_440 } as const;

interface Opened {
  readonly width?: keyof typeof widths;
  readonly scheme?: 'light' | 'dark';
}

/** Opens a context in which every error of a page, and every request to another host, fails the test. */
async function opened({ width = 'desktop', scheme = 'light' }: Opened = {}): Promise<BrowserContext> {
  const viewport = { width: widths[width], height: width === 'phone' ? 844 : 900 };
  const context = await browser.newContext({ viewport, colorScheme: scheme, reducedMotion: 'reduce' });
  context.setDefaultTimeout(20_000);
  const errors: string[] = [];
  context.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('request', (request) => request.url().startsWith(site.url) || errors.push(request.url()));
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  return context;
}

/** Opens a page of the site, until its scripts run. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${site.url}/${path}`);
  await page.waitForFunction('document.querySelector("#app")?.__vue_app__ !== undefined');
}

/** Returns the serious violations of the rules of axe, with the elements. */
async function violations(page: Page): Promise<readonly unknown[]> {
  await page.addScriptTag({ content: axe });
  return page.evaluate(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html.slice(0, 200)) })))`);
}

describe('pages', () => {
  test.each([
    ['phone', docs],
    // Of the guides, those with the widest tables.
    ['desktop', ['clients', 'migrating', 'test-server']],
  ] as const)('are as wide as a %s', { timeout: 120_000 }, async (width, guides) => {
    const page = await (await opened({ width })).newPage();
    const wide: string[] = [];
    for (const name of ['index', 'playground', 'reference/@kgen/runtime', ...guides]) {
      await visit(page, `${name}.html`);
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (excess !== 0) wide.push(`${name}: ${excess}`);
    }
    expect(wide).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'have no serious finding of axe, %s',
    { timeout: 120_000 },
    async (scheme) => {
      const page = await (await opened({ scheme })).newPage();
      for (const path of ['', 'migrating.html', 'reference/kgen/api.html']) {
        await visit(page, path);
        expect([path, await violations(page)]).toEqual([path, []]);
      }
    },
  );

  test('are found by the search, with the symbols of the reference', async () => {
    const page = await (await opened()).newPage();
    await visit(page, '');
    await page.getByRole('button', { name: 'Search' }).first().click();
    const results = page.locator('.VPLocalSearchBox .results a');
    await page.locator('.VPLocalSearchBox input').fill('leader election');
    await expect.poll(() => results.count()).toBeGreaterThan(0);
    await page.locator('.VPLocalSearchBox input').fill('parseQuantity');
    await expect.poll(() => results.first().getAttribute('href')).toContain('reference/');
  });

  test('show the pictures of the theme that the reader chose', async () => {
    const page = await (await opened({ scheme: 'light' })).newPage();
    await visit(page, 'benchmarks.html');
    const shown = async (): Promise<string | null> =>
      page.locator('.vp-doc img:visible').first().getAttribute('src');
    expect(await shown()).toContain('light');
    await page.getByRole('switch').first().click();
    await expect.poll(shown).toContain('dark');
  });

  test('have a menu on a phone', async () => {
    const page = await (await opened({ width: 'phone' })).newPage();
    await visit(page, 'clients.html');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Informers', exact: true }).click();
    await expect.poll(() => page.url()).toBe(`${site.url}/informers.html`);
  });
});

describe('the playground', () => {
  const code = (page: Page) => page.getByRole('region', { name: 'Output' }).locator('.code');

  test('loads less than 1.5 MB of scripts', async () => {
    const page = await (await opened()).newPage();
    const sizes = new Map<string, number>();
    page.on('response', async (response) => {
      if (response.url().endsWith('.js')) sizes.set(response.url(), (await response.body()).length);
    });
    await visit(page, 'playground.html');
    await expect.poll(() => code(page).innerText()).toContain('export interface Bakery {');
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect([...sizes.keys()].some((url) => url.includes('worker'))).toBe(true);
    expect(total).toBeGreaterThan(500_000);
    expect(total).toBeLessThan(1_500_000);
  });

  test.each(['phone', 'desktop'] as const)(
    'shows the types and a program of a pasted definition on a %s',
    async (width) => {
      const page = await (await opened({ width })).newPage();
      await visit(page, 'playground.html');
      const editor = page.getByRole('textbox', { name: /YAML/ });
      await editor.fill(readFileSync(join(repository, 'crds/rediscluster.yaml'), 'utf8'));
      await expect.poll(() => code(page).innerText()).toContain('export interface RedisClusterSpec {');
      await page.getByRole('button', { name: 'Program' }).click();
      expect(await code(page).innerText()).toContain("clientset.cacheV1.redisClusters('shop')");
      await page.getByRole('button', { name: 'Other files' }).click();
      await page.getByRole('combobox', { name: 'File' }).selectOption('clientset.ts');
      expect(await code(page).innerText()).toContain('export class Clientset');
      expect(await violations(page)).toEqual([]);
    },
  );

  test('shows errors with line and column, and moves the cursor there', async () => {
    const page = await (await opened({ scheme: 'dark' })).newPage();
    await visit(page, 'playground.html');
    await page.getByRole('combobox', { name: 'Sample' }).selectOption('Errors');
    const problems = page.getByRole('list', { name: 'Problems' }).getByRole('button');
    const names = problems.filter({ hasText: 'metadata.name must be' });
    await expect.poll(() => names.count()).toBe(1);
    expect(await names.innerText()).toMatch(/^error 31:3 /);
    expect(await problems.filter({ hasText: 'the type "int"' }).innerText()).toMatch(/^warning 22:17 /);
    await names.click();
    await page.keyboard.press('Shift+End');
    await expect.poll(() => page.evaluate('String(getSelection())')).toBe('name: cups.example.com');
    expect(await violations(page)).toEqual([]);
  });

  test('generates nothing for an empty text', async () => {
    const page = await (await opened()).newPage();
    await visit(page, 'playground.html');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => page.getByRole('status').innerText()).toContain('Nothing to generate');
    expect(await code(page).innerText()).toContain('No output');
  });
});
