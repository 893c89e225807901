/** Published definitions survive `kgen import` and `kgen manifests` unchanged. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { roundTrip } from './round-trip.fixture.ts';

const corpus = process.env['KGEN_CORPUS'] ?? '';

it('keeps each definition', { timeout: 300_000 }, async () => {
  const { before, after, problems } = await roundTrip([join(corpus, 'crds'), join(corpus, 'reports/crds')]);
  expect(problems).toEqual([]);
  expect(Object.keys(before).length).toBeGreaterThan(80);
  for (const [name, definition] of Object.entries(before)) expect(after[name], name).toEqual(definition);
});
