import { expect, test } from 'vitest';
import { reviewRows, scopes } from './review.ts';

test('the review measures every row for all packages, or for each of them', () => {
  const rows = reviewRows();
  expect(rows.length).toBeGreaterThan(50);
  for (const { name, now } of rows) {
    expect([1, scopes.size], name).toContain(now.length);
    expect(now[0], name).toMatch(/^[\d–][\d.,:/()– %a-z]*$/);
  }
});
