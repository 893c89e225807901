/** The page in a browser: opened from disk without a network, by keyboard, with hostile objects. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { simulationReport } from '@kgen/testing';
import { pageOf, type ViewChange, type ViewDocument, viewOfRecording } from 'kgen/view';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chromiumPath } from '../../scripts/chromium.mjs';
import { failedSimulation, recordedClusters } from './samples.ts';

// The types of the module need those of browsers.
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures = fileURLToPath(new URL('pictures', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'kgen-page-'));
let browser: Browser;
let recording = '';
const files = { recording: join(folder, 'recording.html'), failure: join(folder, 'failure.html') };

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  recording = await recordedClusters();
  writeFileSync(files.recording, pageOf(viewOfRecording(recording)));
  writeFileSync(files.failure, simulationReport(await failedSimulation(), 'html'));
  mkdirSync(pictures, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

interface Opened {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
}

/** Opens a file without a network. The test fails if the page logs an error, or requests anything else. */
async function open(file: string, { scheme = 'light', width = 1_440 }: Opened = {}): Promise<Page> {
  const context = await browser.newContext({
    ...{ offline: true, colorScheme: scheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' },
  });
  // Shorter than the limit of a test, so that the error names the element.
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => request.url().startsWith('file:') || errors.push(request.url()));
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  await page.goto(pathToFileURL(file).href);
  return page;
}

/** Returns the rules that the page violates, with the elements. */
async function violations(page: Page): Promise<readonly unknown[]> {
  // Not as an element, which the policy of the page refuses.
  await page.evaluate(`${axe}; undefined`);
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html.slice(0, 200)) })))`);
}

// Not the options of filters.
const rows = (page: Page) => page.getByRole('listbox').getByRole('option');
const details = (page: Page) => page.getByRole('region', { name: 'Details' });
const view = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name });

/** Views with their file, and the effects of a user that lead there. */
const views: readonly (readonly [string, keyof typeof files, (page: Page) => Promise<unknown>])[] = [
  ['reconciles', 'recording', (page) => rows(page).filter({ hasText: 'retry' }).first().click()],
  ['failure', 'failure', (page) => page.getByRole('button', { name: 'Go to the first difference' }).click()],
  [
    'objects',
    'recording',
    async (page) => {
      await view(page, 'Objects').click();
      await rows(page).filter({ hasText: 'statefulsets.apps shop/carts' }).click();
    },
  ],
  ['queues', 'recording', (page) => view(page, 'Queues').click()],
  [
    'requests',
    'recording',
    async (page) => {
      await view(page, 'Requests').click();
      await rows(page).filter({ hasText: '500' }).first().click();
    },
  ],
];

describe.each(views)('the view %s', (name, file, go) => {
  test.each(['light', 'dark'] as const)('has no finding of axe, %s', async (scheme) => {
    const page = await open(files[file], { scheme });
    await go(page);
    for (const text of await details(page).allInnerTexts()) expect(text).not.toContain('Select');
    expect(await violations(page)).toEqual([]);
    await page.screenshot({ path: join(pictures, `${name}-${scheme}.png`) });
  });

  test.each([360, 2_560])('does not exceed a width of %s pixels', async (width) => {
    const page = await open(files[file], { width });
    await go(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.screenshot({ path: join(pictures, `${name}-${width}.png`), fullPage: true });
  });
});

test('a failed reconcile leads to its cause, its write, the object, and back, by keyboard alone', async () => {
  const page = await open(files.recording);
  await page.getByRole('listbox', { name: 'Reconciles' }).focus();
  await page.keyboard.press('Home');
  const selected = page.locator('[aria-selected=true]');
  expect(await selected.innerText()).toContain('shop/');
  while (!(await details(page).innerText()).includes('retry')) {
    const before = await selected.getAttribute('id');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => selected.getAttribute('id')).not.toBe(before);
  }
  expect(await details(page).innerText()).toContain('500: the test server is configured to respond with 500');
  await details(page).getByRole('link', { name: 'statefulsets.apps shop/carts' }).first().focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => details(page).getByRole('heading', { level: 2 }).innerText())
    .toBe('statefulsets.apps shop/carts');
  expect(await details(page).innerText()).toMatch(/\.spec\.replicas\s+2\s+3/);
  await page.goBack();
  await expect
    .poll(() => details(page).getByRole('heading', { level: 2 }).innerText())
    .toMatch(/^rediscluster shop\/carts/);
});

test('a failure has the first difference, the line of the program, and the command', async () => {
  const page = await open(files.failure);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(
    /^Seed \d+ violates convergence$/,
  );
  expect(await details(page).getByRole('heading', { level: 2 }).innerText()).toBe('First difference');
  const line = page.getByRole('link', { name: /operator-bugs\.ts:\d+$/ }).first();
  expect(await line.getAttribute('href')).toMatch(/^vscode:\/\/file\/.*\/operator-bugs\.ts:\d+$/);
  expect(await page.locator('.command code').innerText()).toMatch(/^KGEN_SEED=\d+ npm test$/);
  expect(await page.locator('.first-difference').count()).toBe(1);
});

test('the queues have their workers, and the informers their objects', async () => {
  const page = await open(files.recording);
  await view(page, 'Queues').click();
  const [queues, informers] = ['Queue of rediscluster', 'Informers'].map((name) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name }) }),
  );
  expect(await queues?.innerText()).toMatch(/\d of \d workers run, \d keys wait/);
  expect(await informers?.getByRole('row').allInnerTexts()).toContainEqual(
    expect.stringMatching(/^redisclusters\.cache\.example\.com\s+2\s+complete/),
  );
});

test('an object has the programs that own its fields', async () => {
  const page = await open(files.failure);
  await view(page, 'Objects').click();
  await rows(page).filter({ hasText: 'myapps' }).first().click();
  const owner = details(page).getByRole('listitem').filter({ hasText: 'bugs: Apply of status' }).first();
  const letter = (await owner.locator('.owner').innerText()).trim();
  const line = details(page).locator('.line').filter({ hasText: 'observedGeneration' }).first();
  expect(await line.locator('.owner').innerText()).toContain(letter);
  expect(await line.getAttribute('title')).toContain('bugs: Apply of status');
  await page.screenshot({ path: join(pictures, 'owners-light.png') });
});

test('a recording that is dropped on the page replaces its document', async () => {
  const page = await open(files.failure);
  await page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(recording)}], 'recording.jsonl'));
    dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
  }`);
  await expect
    .poll(() => page.getByRole('heading', { level: 1 }).innerText())
    .toBe('rediscluster-operator: recording');
  const input = page.locator('input[type=file]');
  await input.setInputFiles({ name: 'other.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
  expect(await page.getByRole('alert').innerText()).toContain('other.txt: this is neither a recording');
});

test('names and values of hostile objects are text', { timeout: 60_000 }, async () => {
  const file = join(folder, 'hostile.html');
  writeFileSync(file, pageOf(hostile()));
  const page = await open(file);
  await rows(page).first().click();
  expect(await page.locator('img, iframe, b, script:not(#document):not(:last-child)').count()).toBe(0);
  expect(await page.evaluate('globalThis.attacked')).toBeUndefined();
  const text = await details(page).innerText();
  expect(text).toContain(markup);
  expect(text).toContain('(1000000 characters)');
  expect(text).toContain('label-9999');
  expect(await violations(page)).toEqual([]);
});

const markup = '</script><img src=x onerror="attacked=1"><b>bold</b>';

/** A document with markup in each string, a long string, and many labels. */
function hostile(): ViewDocument {
  const target = { group: markup, resource: markup, namespace: markup, name: markup };
  const labels = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`label-${index}`, markup]));
  const state = (version: number): ViewChange => ({
    ...{ kind: 'change', at: version, change: 'update', target },
    content: {
      kind: markup,
      metadata: { name: markup, labels, resourceVersion: String(version) },
      data: { [markup]: `${markup}${version}`, long: 'x'.repeat(1_000_000) },
    },
  });
  const run = {
    name: markup,
    clock: 'virtual',
    from: 0,
    to: 2,
    events: [state(1), state(2)],
    reconciles: [],
  } as const;
  const base = { type: 'kgen view', version: 1, title: markup, facts: [markup] } as const;
  return {
    ...base,
    runs: [run],
    failures: [],
    tables: [{ title: markup, columns: [markup], rows: [[markup]] }],
  };
}
