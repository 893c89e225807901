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
    ['=x', /^found '=', expected: !, identifier, or 'end of string'$/],
    [',', /^found ',', expected: !, identifier, or 'end of string'$/],
    ['a,', /^found '', expected: identifier after ','$/],
    ['a,=b', /^found '=', expected: identifier after ','$/],
    ['a=b=c', /^found '=', expected: ',' or 'end of string'$/],
    ['!a=b', /^found '=', expected: ',' or 'end of string'$/],
    ['!', /^unable to parse requirement: found '', expected: identifier$/],
    ['a b', /^unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt$/],
    ['a=(', /^unable to parse requirement: found '\(', expected: identifier$/],
    ['a in 1', /^unable to parse requirement: found '1' expected: '\('$/],
    ['a in (1', /^unable to parse requirement: found '', expected: ',' or '\)'$/],
    ['a in (=', /^unable to parse requirement: found '=', expected: ',', '\)' or identifier$/],
    ['a in (b,=', /^unable to parse requirement: found '=', expected: ',', or identifier$/],
    ['A_/x=1', /<nil>: Invalid value: "A_\/x": prefix part a lowercase RFC 1123 subdomain must consist/],
    ['a/b/c=1', /<nil>: Invalid value: "a\/b\/c": a valid label key must consist/],
    ['a=b&c', /requirement: values\[0\]\[a\]: Invalid value: "b&c": a valid label must be/],
    ['a in (b,-c)', /requirement: values\[0\]\[a\]: Invalid value: "-c"/],
    ['a in (b&,c&)', /requirement: \[values\[0\]\[a\]: Invalid value: "b&".*, values\[1\]\[a\]: .*\]$/],
    ['a>x', /requirement: values\[0\]: Invalid value: "x": .* must be an integer$/],
    ['a<9223372036854775808', /values\[0\]: Invalid value: "9223372036854775808": .* must be an integer$/],
    ['a<', /values\[0\]: Invalid value: "": .* must be an integer$/],
    ['a>-1', /requirement: values\[0\]\[a\]: Invalid value: "-1": a valid label must be/],
    [`${'x'.repeat(64)}=1`, /name part must be no more than 63 bytes$/],
    [`a=${'x'.repeat(64)}`, /must be no more than 63 bytes$/],
  ])('throws for %j, with the message of the server as the cause', (text, want) => {
    const cause: unknown = expect.stringMatching(want);
    const message: unknown = expect.stringContaining(`label selector ${JSON.stringify(text)}: `);
    expect(() => parseLabelSelector(text)).toThrow(
      expect.objectContaining({ name: 'TypeError', cause, message }),
    );
  });

  it('returns distinct values in their order', () => {
    expect(parseLabelSelector('a in (c,b,c)')).toEqual([{ key: 'a', operator: 'in', values: ['b', 'c'] }]);
    expect(parseLabelSelector('in in (in, notin,)')).toEqual([
      { key: 'in', operator: 'in', values: ['', 'in', 'notin'] },
    ]);
  });

  it('compares 64-bit integers', () => {
    const over = parseLabelSelector('n>1');
    expect(matchLabels({ n: '9223372036854775807' }, over)).toBe(true);
    expect(matchLabels({ n: '9223372036854775808' }, over)).toBe(false);
    expect(matchLabels({ n: '' }, over)).toBe(false);
    expect(matchLabels({ n: `${'0'.repeat(60)}2` }, over)).toBe(true);
    expect(matchLabels({ n: '0' }, parseLabelSelector('n<1'))).toBe(true);
  });
});
