import { expect, test } from 'vitest';
import { timelineEntryOf } from '../simulate/history.ts';
import type { FailedDocument } from './document.ts';
import { htmlReport } from './html.ts';

const long = `a user creates App default/a: {"spec":"${'x'.repeat(400)}"}`;

/** A failure with a long text in its story and in its timeline. */
const failure: FailedDocument = {
  formatVersion: 1,
  passed: false,
  seed: 7,
  check: 'convergence',
  site: '',
  story: ['seed 7: differs', `     0.000 s  ${long}`, 'Repeat it with KGEN_SEED=7.'].join('\n'),
  timeline: [timelineEntryOf({ kind: 'step', atMs: 0, text: long })],
};

/** The text of a page, without its style sheet and its elements. */
function textOf(html: string): string {
  return html.replace(/<style>.*<\/style>|<[^>]*>/gs, '').replaceAll('&#34;', '"');
}

test('a failure is repeated with one seed, which is named once', () => {
  expect(htmlReport(failure).split('KGEN_SEED')).toHaveLength(2);
});

test('long texts are folded, and complete', () => {
  const html = htmlReport(failure);
  const [story, timeline] = html.match(/<details><summary>[^<]*<\/summary>[^<]*<\/details>/g) ?? [];
  expect([textOf(story ?? ''), textOf(timeline ?? '')]).toEqual([`0.000 s  ${long}`, long]);
  expect(html).toContain('<div style="padding-left: 5ch"><details>');
});

test('short texts are not folded', () => {
  const short = { ...failure, story: 'seed 7: differs', timeline: [] };
  expect(htmlReport(short)).not.toContain('<details>');
});

test('lines are wrapped', () => {
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(htmlReport(failure)) ?? [];
  expect(style).toContain('overflow-wrap: anywhere');
  expect(style).not.toContain('overflow-x');
});
