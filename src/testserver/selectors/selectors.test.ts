import { describe, expect, test } from 'vitest';
import type { FieldLabels, SelectableField } from './field-labels.ts';
import { matchesFields, parseFieldSelector } from './fields.ts';
import { matchesLabels, parseLabelSelector } from './labels.ts';

const object = {
  metadata: { name: 'web', labels: { app: 'web', tier: '3', 'example.com/x': '' } },
  spec: { on: true },
};

describe('label selectors', () => {
  test.each([
    ['', true],
    ['app=web', true],
    ['app == web', true],
    ['app!=web', false],
    ['other!=web', true],
    ['app in (db, web)', true],
    ['app notin (db,web)', false],
    ['other notin (x)', true],
    ['app', true],
    ['!app', false],
    ['!other', true],
    ['tier>2,tier<4', true],
    ['tier>3', false],
    ['app>1', false],
    ['example.com/x=', true],
    ['app in (web),tier in (1,3),!other', true],
    ['constructor', false],
  ])('%s: %s', (selector, want) => {
    expect(matchesLabels(object, parseLabelSelector(selector))).toBe(want);
  });

  test.each([
    '=x',
    'a=b=c',
    'a b',
    'a in (1',
    'a in 1',
    ',',
    'a,',
    'a>x',
    'bad key=x',
    `a=${'x'.repeat(64)}`,
    'a/b/c=d',
  ])('rejects %s', (selector) => {
    expect(() => parseLabelSelector(selector)).toThrow(/found|unable to parse requirement/);
  });
});

describe('field selectors', () => {
  const field = (label: string): [string, SelectableField] => [
    label,
    { label, paths: [label.split('.')], otherwise: '' },
  ];
  const labels: FieldLabels = {
    fields: new Map(['metadata.name', 'spec.on', 'spec.off'].map(field)),
    unsupported: (label) => `field label not supported: ${label}`,
  };

  test.each([
    ['metadata.name=web', true],
    ['metadata.name==web,spec.on=true', true],
    ['metadata.name!=web', false],
    ['spec.off=', true],
    ['spec.off!=x', true],
    ['metadata.name=a\\,b', false],
  ])('%s: %s', (selector, want) => {
    expect(matchesFields(object, parseFieldSelector(selector, labels))).toBe(want);
  });

  test.each([
    ['spec.nope=1', 'field label not supported: spec.nope'],
    ['x', "invalid selector: 'x'; can't understand 'x'"],
    ['metadata.name=a=b', 'unescaped'],
    ['metadata.name=a\\b', 'invalid escape sequence'],
  ])('rejects %s', (selector, message) => {
    expect(() => parseFieldSelector(selector, labels)).toThrow(message);
  });
});
