/** Actions of the page of `kgen dev` in a browser, on a server in memory. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ObjectsClient } from '@kgen/runtime/dynamic';
import { startObservedServer } from '@kgen/testserver/internal/server/testserver';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chromiumPath } from '../../scripts/chromium.mjs';
import { livePage } from '../../src/kgen/view/page.ts';
import { type ServedPage, servePage } from '../../src/kgen/view/server.ts';
import { ClusterRecording } from '../../src/testing/operators/commands/play/cluster-recording.ts';
import { Play } from '../../src/testing/operators/commands/play/play.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures = fileURLToPath(new URL('pictures', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'kgen-play-page-'));
const sample = `apiVersion: cache.example.com/v1
kind: RedisCluster
metadata:
  name: main
  namespace: default
spec:
  replicas: 3
  version: "7.4"
`;
const calls: string[] = [];
let world: Awaited<ReturnType<typeof started>>;
let browser: Browser;
let served: ServedPage;

async function started() {
  const observed = await startObservedServer({ crds: ['crds/rediscluster.yaml'], time: 'movable' });
  const { server, store, log } = observed;
  const recording = new ClusterRecording({ store, log, program: 'shop', now: () => Date.now() });
  const operator = {
    isRunning: true,
    restart: async () => {
      operator.isRunning = true;
      calls.push('restart');
    },
    kill: async () => {
      operator.isRunning = false;
      calls.push('kill');
    },
  };
  const play = new Play({ cwd, observed, recording, operator });
  const client = new ObjectsClient(server.admin, { transport: server.transport });
  return { server, recording, play, client };
}

beforeAll(async () => {
  mkdirSync(join(cwd, 'samples'));
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(cwd, 'samples/redis.yaml'), sample);
  world = await started();
  browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  const cluster = async (after: string) => world.recording.part(after);
  served = await servePage(livePage(), { sources: { cluster }, act: (action) => world.play.act(action) });
});
afterAll(async () => {
  await browser.close();
  await served.close();
  await world.client.close();
  await world.server.stop();
  rmSync(cwd, { recursive: true });
});

async function open(hash = '#play', scheme: 'light' | 'dark' = 'light', width = 1_280): Promise<Page> {
  const context = await browser.newContext({
    ...{ colorScheme: scheme, viewport: { width, height: 900 } },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  onTestFinished(() => expect(problems).toEqual([]));
  await page.goto(`${served.url}${hash}`);
  return page;
}

const main = {
  apiVersion: 'cache.example.com/v1',
  kind: 'RedisCluster',
  metadata: { name: 'main', namespace: 'default' },
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const editor = (page: Page) => page.getByRole('textbox', { name: 'Object in YAML' });
const status = (page: Page) => page.getByRole('region', { name: 'Test' }).getByRole('status').first();

/** Replaces the text of the editor. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).focus();
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
}

async function press(page: Page, name: string, message: string): Promise<void> {
  await button(page, name).click();
  await expect.poll(() => status(page).innerText()).toContain(message);
}

describe('actions', () => {
  test('of a user who plays lead to the code that repeats them', { timeout: 120_000 }, async () => {
    const page = await open();
    await page.getByLabel('From').selectOption('redis.yaml');
    await expect.poll(() => editor(page).innerText()).toContain('name: main');
    await press(page, 'Create', 'created RedisCluster default/main');
    await press(page, 'Create', 'already exists');

    await write(
      page,
      'apiVersion: cache.example.com/v1\nkind: RedisCluster\nmetadata:\n  name: other\nspec:\n  replica: 1\n  version: "7.4"\n',
    );
    await press(page, 'Create', 'unknown field');
    const markers = page.locator('.cm-lint-marker-error');
    await expect.poll(() => markers.count()).toBe(1);

    await press(page, 'Take', 'took the snapshot before');
    await page.getByLabel('Verb').selectOption('update');
    await press(page, 'Fail', 'the next request fails');
    await press(page, 'Remove faults', 'no request fails');
    await press(page, 'Cut', 'cut 0 watches');
    await press(page, 'Hold events', 'receives no events');
    await press(page, 'Release events', 'receives all events');
    await press(page, 'Advance', 'by 60 s');
    await press(page, 'Kill', 'killed');
    await expect.poll(() => page.getByRole('group', { name: 'Operator: does not run' }).count()).toBe(1);
    await press(page, 'Restart', 'started again');
    expect(calls).toEqual(['kill', 'restart']);

    await button(page, 'Copy as test').click();
    await expect.poll(() => page.getByText('Copied: save it').count()).toBe(1);
    const test = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(test).toContain("kind: 'RedisCluster'");
    expect(test).toContain('await server.time.advance(60000);');
    expect(await page.locator('.steps li').count()).toBe(10);
  });

  test('on an object: edit with completions, scale, delete, and back to a snapshot', {
    timeout: 120_000,
  }, async () => {
    const page = await open('#objects');
    await page.getByLabel('Name', { exact: true }).fill('main');
    const row = page.getByRole('listbox').getByRole('option').filter({ hasText: 'redisclusters' });
    await row.click();
    await button(page, 'Edit').click();
    await expect.poll(() => editor(page).innerText()).toContain('replicas: 3');
    await write(page, `${sample.trimEnd()}\n  e`);
    await page.keyboard.type('v');
    const options = page.getByRole('option', { name: /^evictionPolicy/ });
    await expect.poll(() => options.count()).toBeGreaterThan(0);
    await page.screenshot({ path: join(pictures, 'play-completion.png') });
    await page.keyboard.press('Escape');
    await write(page, sample.replace('replicas: 3', 'replicas: 5'));
    await button(page, 'Save').click();
    const replicas = async () => (await world.client.find(main))?.['spec'];
    await expect.poll(replicas).toMatchObject({ replicas: 5 });

    await button(page, 'Scale').click();
    await page.getByLabel('Replicas').fill('2');
    await button(page, 'Set the replicas').click();
    await expect.poll(replicas).toMatchObject({ replicas: 2 });
    await button(page, 'Delete').click();
    await button(page, 'Delete the object').click();
    await expect.poll(replicas).toBe(undefined);
    await expect.poll(() => row.innerText()).toContain('deleted');

    await page.getByRole('link', { name: 'Try' }).click();
    await press(page, 'Go back to before', 'restored');
    await expect.poll(replicas).toMatchObject({ replicas: 3 });
  });

  test('show hostile names and values as text', async () => {
    const hostile = '<img src=x onerror="document.title=1">';
    await world.client.create({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'hostile', namespace: 'default' } },
      data: { [`a.b`]: `${hostile}\n---\n` },
    });
    const page = await open('#objects');
    await page.getByLabel('Name', { exact: true }).fill('hostile');
    await page.getByRole('listbox').getByRole('option').filter({ hasText: 'configmaps' }).click();
    await button(page, 'Edit').click();
    await expect.poll(() => editor(page).innerText()).toContain('<img src=x');
    await write(page, (await editor(page).innerText()).replace('<img', '<b><img'));
    await button(page, 'Save').click();
    await expect.poll(() => page.getByRole('status').allInnerTexts()).not.toEqual([]);
    expect(await page.locator('img').count()).toBe(0);
  });
});

describe.each(['light', 'dark'] as const)('the view in the theme %s', (scheme) => {
  test('has no finding of axe', async () => {
    const page = await open('#play', scheme);
    await editor(page).waitFor();
    await page.evaluate(`${axe}; undefined`);
    const found = await page.evaluate(`axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html.slice(0, 200)) })))`);
    await page.screenshot({ path: join(pictures, `play-${scheme}.png`) });
    expect(found).toEqual([]);
  });
});

test.each([360, 2_560])('the view does not exceed a width of %s pixels', async (width) => {
  const page = await open('#play', 'light', width);
  await editor(page).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await page.screenshot({ path: join(pictures, `play-${width}.png`), fullPage: true });
});
