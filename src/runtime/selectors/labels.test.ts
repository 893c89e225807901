import { describe, expect, it } from 'vitest';
import { fieldSelectorText } from './fields.ts';
import { type LabelSelectorInput, labelSelectorText } from './labels.ts';

describe('labelSelectorText', () => {
  const cases: readonly [given: LabelSelectorInput | undefined, want: string | undefined][] = [
    [undefined, undefined],
    ['app=web,tier!=db', 'app=web,tier!=db'],
    [{}, ''],
    [{ matchLabels: {} }, ''],
    [{ tier: 'db', app: 'web' }, 'app=web,tier=db'],
    [{ 'app.kubernetes.io/name': '' }, 'app.kubernetes.io/name='],
    [{ matchLabels: { app: 'web' }, matchExpressions: [] }, 'app=web'],
    [{ matchLabels: 'a-label' }, 'matchLabels=a-label'],
    [
      {
        matchLabels: { m: '1' },
        matchExpressions: [
          { key: 'z', operator: 'In', values: ['b', 'a'] },
          { key: 'y', operator: 'NotIn', values: ['c'] },
          { key: 'b', operator: 'Exists' },
          { key: 'a', operator: 'DoesNotExist', values: [] },
        ],
      },
      '!a,b,m=1,y notin (c),z in (a,b)',
    ],
  ];
  it.each(cases)('%j', (given, want) => {
    expect(labelSelectorText(given)).toBe(want);
  });

  const problems: readonly [given: unknown, want: RegExp][] = [
    [null, /must be a string or an object, got null/],
    [7, /must be a string or an object, got 7/],
    [{ matchLabels: { a: 'b' }, matchExpression: [] }, /matchExpression is not a member of a selector/],
    [{ matchLabels: { a: 'b' }, app: 'web' }, /app is not a member of a selector/],
    [{ app: undefined }, /not a value for the label app: undefined/],
    [{ app: 'a,b' }, /not a value for the label app/],
    [{ app: 1 }, /not a value/],
    [{ '': 'x' }, /not a label key/],
    [{ 'a=b': 'x' }, /not a label key/],
    [{ 'UPPER/x': 'x' }, /not a label key/],
    [{ 'a/b/c': 'x' }, /not a label key/],
    [{ ['x'.repeat(64)]: 'x' }, /not a label key/],
    [{ matchExpressions: [{ key: 'a', operator: 'In' }] }, /In of a needs values/],
    [{ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] }, /takes no values/],
    [{ matchExpressions: [{ key: 'a', operator: 'Near', values: ['x'] }] }, /unknown operator "Near"/],
  ];
  it.each(problems)('throws for %j', (given, want) => {
    // A value that only plain JavaScript can pass.
    expect(() => labelSelectorText(given as LabelSelectorInput)).toThrow(want);
  });
});

describe('fieldSelectorText', () => {
  it.each([
    [undefined, undefined],
    ['metadata.name!=x', 'metadata.name!=x'],
    [{}, ''],
    [{ 'spec.nodeName': 'n1', 'metadata.name': 'a' }, 'metadata.name=a,spec.nodeName=n1'],
    [{ 'spec.x': 'a,b=c\\d' }, 'spec.x=a\\,b\\=c\\\\d'],
  ])('%j', (given, want) => {
    expect(fieldSelectorText(given)).toBe(want);
  });

  it('throws for a value that is not a string', () => {
    const given: object = { 'metadata.name': undefined };
    expect(() => fieldSelectorText(given)).toThrow(/not a value for the field metadata.name/);
  });
});
