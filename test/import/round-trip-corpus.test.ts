/** Published definitions survive `kgen manifests` unchanged, by `kgen import` and by generated types. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { roundTrip, typesRoundTrip } from '../support/round-trip.ts';

const corpus = process.env['KGEN_CORPUS'] ?? '';

const input = [join(corpus, 'crds'), join(corpus, 'reports/crds')];

it.each([
  { source: 'imported modules', trip: roundTrip },
  { source: 'generated types', trip: typesRoundTrip },
])('keeps each definition by $source', { timeout: 300_000 }, async ({ trip }) => {
  const { before, after, problems } = await trip(input);
  expect(problems).toEqual([]);
  expect(Object.keys(before).length).toBeGreaterThan(80);
  for (const [name, definition] of Object.entries(before)) expect(after[name], name).toEqual(definition);
});
