/** The page of `kgen dev` in a browser: it follows the documents of its server. */
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { chromiumPath } from '../../scripts/chromium.mjs';
import type { LivePart } from '../../src/kgen/view/live-document.ts';
import { livePage } from '../../src/kgen/view/page.ts';

import { type LiveSource, servePage } from '../../src/kgen/view/server.ts';

test('a live page shows the present document, keeps the selection, and states why there is none', {
  timeout: 60_000,
}, async () => {
  let present: LivePart = { problem: 'the operator does not run' };
  const source: LiveSource = async (after) =>
    'tag' in present && present.tag === after ? { tag: after, text: '' } : present;
  const { url, close } = await servePage(livePage(), { sources: { operator: source } });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(url);
  const problem = page.getByRole('alert');
  await expect.poll(() => problem.innerText()).toBe('the operator does not run');

  const rows = page.getByRole('listbox').getByRole('option');
  present = { tag: '"a-2"', text: recordingOf('a', 1, 2) };
  await expect.poll(() => rows.count()).toBe(2);
  expect(await problem.count()).toBe(0);
  await rows.filter({ hasText: 'web-1' }).click();
  const details = page.getByRole('region', { name: 'Details' }).getByRole('heading', { level: 2 });
  expect(await details.innerText()).toContain('web-1');
  present = { tag: '"a-5"', text: incrementOf('a', 3, 5) };
  await expect.poll(() => rows.count()).toBe(5);
  expect(await details.innerText()).toContain('web-1');
  // The page was behind: two of the reconciles are known.
  present = { tag: '"a-7"', text: recordingOf('a', 4, 7) };
  await expect.poll(() => rows.count()).toBe(7);
  present = { tag: '"b-1"', text: recordingOf('b', 1, 1) };
  await expect.poll(() => rows.count()).toBe(8);
  expect(await details.innerText()).toContain('web-1');

  expect(requested.filter((each) => !each.startsWith(new URL('/', url).href))).toEqual([]);
  await close();
  await expect.poll(() => problem.innerText()).toContain('kgen has ended');
  expect(await rows.count()).toBe(8);
});

/** Returns the recording of a process with the reconciles of these numbers. */
function recordingOf(instance: string, first: number, last: number): string {
  const time = new Date(last * 10).toISOString();
  const header = {
    type: 'kgen recording',
    version: 1,
    program: 'shop',
    reason: 'live',
    from: time,
    to: time,
  };
  return lines({ ...header, secrets: false, instance, position: last }, first, last);
}

function incrementOf(instance: string, first: number, last: number): string {
  const header = { type: 'kgen recording increment', version: 1, instance, after: first - 1, position: last };
  return lines({ ...header, at: last * 10 }, first, last);
}

function lines(head: object, first: number, last: number): string {
  const starts = Array.from({ length: last - first + 1 }, (_, index) => {
    const run = first + index;
    const key = { namespace: 'shop', name: `web-${run}` };
    return { type: 'start', at: run * 10, run, worker: 1, controller: 'web', key, attempt: 1, cause: [] };
  });
  return [head, ...starts].map((line) => `${JSON.stringify(line)}\n`).join('');
}
