import { describe, expect, it } from 'vitest';
import { labelRequirementsText } from './labels.ts';
import { matchLabels } from './match-labels.ts';
import { parseLabelSelector } from './parse-labels.ts';

describe('long label selectors', () => {
  // A quadratic parser exceeds the time limit of a test.
  it.each([
    ['requirements', 'a,', 'a', 500_001],
    ['requirements with values', 'a in (b,c),', 'a', 90_001],
  ])('parses 1 MB of %s', (_, part, last, count) => {
    expect(parseLabelSelector(part.repeat(count - 1) + last)).toHaveLength(count);
  });

  it.each([',', ',)', '(', ',(', 'a ', 'a b,'])('rejects 1 MB of %j', (part) => {
    expect(() => parseLabelSelector(part.repeat(1_000_000 / part.length))).toThrow(TypeError);
  });
});

describe('parsing and formatting of label selectors', () => {
  it.each([
    ['', ''],
    ['b=1,a=2', 'a=2,b=1'],
    ['a==1', 'a=1'],
    ['a in (1)', 'a=1'],
    ['a notin (1)', 'a!=1'],
    ['a in (c,b)', 'a in (b,c)'],
    ['a notin ( c , b )', 'a notin (b,c)'],
    ['a in ()', 'a='],
    ['!b,a', 'a,!b'],
    ['n<4,example.com/size>3', 'example.com/size>3,n<4'],
    ['a!=', 'a!='],
  ])('%j: %j', (given, want) => {
    const written = labelRequirementsText(parseLabelSelector(given));
    expect(written).toBe(want);
    expect(labelRequirementsText(parseLabelSelector(written))).toBe(want);
  });

  it.each([
    ['A_/x=1', /not a label key: "A_\/x": up to 63/],
    ['a=b&c', /not a value for the label a: "b&c"/],
    ['a in (b,-c)', /not a value for the label a: "-c"/],
    ['a>x', /not a 64-bit integer: "x"/],
    ['a<9223372036854775808', /not a 64-bit integer/],
    ['a<', /not a 64-bit integer: ""/],
    ['a>-1', /not a value for the label a: "-1"/],
    [`${'x'.repeat(64)}=1`, /not a label key/],
  ])('throws for %j', (text, want) => {
    expect(() => parseLabelSelector(text)).toThrow(TypeError);
    expect(() => parseLabelSelector(text)).toThrow(want);
  });

  it('compares 64-bit integers', () => {
    const over = parseLabelSelector('n>1');
    expect(matchLabels({ n: '9223372036854775807' }, over)).toBe(true);
    expect(matchLabels({ n: '9223372036854775808' }, over)).toBe(false);
    expect(matchLabels({ n: '' }, over)).toBe(false);
    expect(matchLabels({ n: '0' }, parseLabelSelector('n<1'))).toBe(true);
  });
});
