import { expect, test } from 'vitest';
import { documentIn } from './opened.ts';
import { pageOf } from './page.ts';
import { recordingText } from './recording.fixture.ts';

const document = { ...documentIn(recordingText()), title: '</script><script>alert(1)</script><!-- $& $1' };

test('no string of a document ends its element', () => {
  const page = pageOf(document);
  const [, data = ''] = /<script id="document" type="application\/json">(.*?)<\/script>/s.exec(page) ?? [];
  expect(data).not.toContain('<');
  expect(JSON.parse(data)).toEqual(document);
  expect(page.split('<script')).toHaveLength(pageOf().split('<script').length);
});

test('the page loads nothing, and runs its own program only', () => {
  const page = pageOf();
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'/,
  );
  expect(policy).not.toContain('unsafe');
  expect(page).not.toMatch(/\b(?:src|href)="?https?:/);
});
