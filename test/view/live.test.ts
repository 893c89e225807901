/** The page of `kgen dev` in a browser: it follows the documents of its server. */
import type { ViewDocument, ViewReconcile } from 'kgen/view';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { chromiumPath } from '../../scripts/chromium.mjs';
import { livePage } from '../../src/kgen/view/page.ts';
import { type LiveDocument, servePage } from '../../src/kgen/view/server.ts';

test('a live page shows the present document, keeps the selection, and states why there is none', {
  timeout: 60_000,
}, async () => {
  let present: LiveDocument = { status: 503, tag: '', body: 'the operator does not run' };
  const { url, close } = await servePage(livePage(), async (tag) =>
    present.tag === tag && tag !== '' ? { status: 304, tag, body: '' } : present,
  );
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
  present = { status: 200, tag: '"1"', body: JSON.stringify(documentOf(2)) };
  await expect.poll(() => rows.count()).toBe(2);
  expect(await problem.count()).toBe(0);
  await rows.filter({ hasText: 'web-1' }).click();
  const details = page.getByRole('region', { name: 'Details' }).getByRole('heading', { level: 2 });
  expect(await details.innerText()).toContain('web-1');
  present = { status: 200, tag: '"2"', body: JSON.stringify(documentOf(5)) };
  await expect.poll(() => rows.count()).toBe(5);
  expect(await details.innerText()).toContain('web-1');

  expect(requested.filter((each) => !each.startsWith(new URL('/', url).href))).toEqual([]);
  await close();
  await expect.poll(() => problem.innerText()).toContain('kgen has ended');
  expect(await rows.count()).toBe(5);
});

/** Returns a document with a number of reconciles. */
function documentOf(count: number): ViewDocument {
  const reconciles = Array.from(
    { length: count },
    (_, index): ViewReconcile => ({
      ...{ number: index + 1, controller: 'web', namespace: 'shop', name: `web-${index}` },
      ...{ from: index * 10, until: index * 10 + 5, attempt: 1, causes: [], reads: [], outcome: 'success' },
    }),
  );
  const run = { name: 'recording', clock: 'utc', from: 0, to: count * 10, events: [], reconciles } as const;
  const base = { type: 'kgen view', version: 1, title: 'shop', facts: [] } as const;
  return { ...base, runs: [run], failures: [], tables: [] };
}
