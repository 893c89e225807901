import { describe, expect, it } from 'vitest';
import type { LabelSelectorInput } from './labels.ts';
import { labelRequirements, matchLabels } from './match-labels.ts';

const web = { app: 'web', tier: 'front', 'example.com/size': '12', empty: '' };

describe('label selectors over { app: web, tier: front, example.com/size: 12, empty: "" }', () => {
  it.each<[LabelSelectorInput | undefined, boolean]>([
    [undefined, true],
    ['', true],
    ['  ', true],
    ['app=web', true],
    ['app==web', true],
    [' app = web ', true],
    ['app=db', false],
    ['app!=db', true],
    ['app!=web', false],
    ['other!=web', true],
    ['app', true],
    ['other', false],
    ['!other', true],
    ['!app', false],
    ['app in (web, db)', true],
    ['app in (db)', false],
    ['app notin (db,cache)', true],
    ['app notin (web)', false],
    ['other notin (web)', true],
    ['app=web,tier=front', true],
    ['app=web,tier=back', false],
    ['app in (web,db),tier notin (back),!other', true],
    ['empty=', true],
    ['app=', false],
    ['other=', false],
    ['example.com/size>11', true],
    ['example.com/size>12', false],
    ['example.com/size<13', true],
    ['example.com/size<12', false],
    ['app>1', false],
    ['other<1', false],
    [{ app: 'web' }, true],
    [{ app: 'web', tier: 'back' }, false],
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'db'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
    ['toString', false],
    ['!constructor', true],
  ])('%j: %s', (selector, want) => {
    expect(matchLabels(web, labelRequirements(selector))).toBe(want);
  });

  it.each(['a=b=c', 'a in b', 'a in (b', ',', 'a,', 'a>b', 'a in ((b))', '=b', 'a b'])(
    'throws for %j',
    (text) => {
      expect(() => labelRequirements(text)).toThrow(TypeError);
      expect(() => labelRequirements(text)).toThrow('label selector');
    },
  );

  it('matches an object without labels', () => {
    expect(matchLabels(undefined, labelRequirements('!app'))).toBe(true);
    expect(matchLabels(undefined, labelRequirements('app'))).toBe(false);
  });
});
