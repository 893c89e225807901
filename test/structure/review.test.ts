import { expect, test } from 'vitest';
import { featureRows } from './features.ts';
import { reviewRows, scopes } from './review.ts';

test('the review measures every row for all packages, or for each of them', { timeout: 300_000 }, () => {
  const rows = reviewRows();
  expect(rows.length).toBeGreaterThan(50);
  for (const { name, now } of rows) {
    expect([1, scopes.size], name).toContain(now.length);
    expect(now[0], name).toMatch(/^[\d–][\d.,:/()– %a-z]*$/);
  }
});

test('each feature of the review has sources, and a page that names it', () => {
  const rows = featureRows();
  expect(rows.filter(({ lines, pages }) => lines === 0 || pages === 0)).toEqual([]);
});
