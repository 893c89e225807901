/** A bug in five clicks, as docs/view.md describes it. `scripts/view-pictures.mjs` takes its pictures. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pageOf, viewOfRecording } from 'kgen/view';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { chromiumPath } from '../../scripts/chromium.mjs';
import { repository } from '../support/emitted.ts';
import { recordedBug } from './samples.ts';

const isWritten = process.env['KGEN_PICTURES'] !== undefined;
const pictures = fileURLToPath(new URL(isWritten ? '../../docs/pictures' : 'pictures', import.meta.url));

test('five clicks lead from the timeline to the line with the bug', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-walk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const recording = (await recordedBug()).replaceAll(join(repository, 'examples/demo'), '/projects/demo');
  const file = join(folder, 'recording.html');
  writeFileSync(file, pageOf(viewOfRecording(recording)));
  mkdirSync(pictures, { recursive: true });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1_280, height: 760 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(20_000);
  const picture = (name: string): Promise<unknown> =>
    page.screenshot({ path: join(pictures, `${name}.png`) });
  const details = page.getByRole('region', { name: 'Details' });
  const heading = details.getByRole('heading', { level: 2 });
  await page.goto(pathToFileURL(file).href);

  // 1: the failed reconcile in the timeline.
  await page.locator('.bar.bad').click();
  expect(await heading.innerText()).toMatch(/^settings shop\/web #\d+$/);
  expect(await details.innerText()).toContain('500: the test server is configured to respond with 500');
  await picture('walk-1-failed');

  // 2: its retry, which writes again what the first one has written.
  await details.getByRole('link', { name: 'Next of this object' }).click();
  await expect.poll(() => details.innerText()).toContain('the retry of a failed reconcile');
  expect(await details.innerText()).toMatch(/create configmaps shop\/web-\w{5} done/);
  // Its beginning is visible, although the link was below.
  expect(await page.evaluate("document.querySelector('.details').scrollTop")).toBe(0);
  await picture('walk-2-retry');

  // 3: the object that it has created.
  await details
    .getByRole('link', { name: /^configmaps shop\/web-/ })
    .first()
    .click();
  await expect.poll(() => heading.innerText()).toMatch(/^configmaps shop\/web-/);
  const selected = page.locator('[role=option]').filter({ hasText: /configmaps shop\/web-/ });
  expect(await selected.count()).toBe(2);
  await picture('walk-3-objects');

  // 4: the reconcile that has written it.
  await details
    .getByRole('link', { name: /^reconcile #\d+$/ })
    .first()
    .click();
  await expect.poll(() => heading.innerText()).toMatch(/^settings shop\/web #\d+$/);

  // 5: the line of the program. A click opens the editor.
  const line = details.getByRole('link', { name: /broken-operator\.ts:\d+$/ }).first();
  const href = (await line.getAttribute('href')) ?? '';
  expect(href).toMatch(/^vscode:\/\/file\/projects\/demo\/broken-operator\.ts:\d+$/);
  expect(lineOf(href)).toContain('maps.in(namespace).create(settingsOf(app))');
});

/** Returns the line that a link opens. */
function lineOf(href: string): string {
  const [, number = ''] = /:(\d+)$/.exec(href) ?? [];
  const program = readFileSync(join(repository, 'examples/demo/broken-operator.ts'), 'utf8');
  return program.split('\n')[Number(number) - 1] ?? '';
}
