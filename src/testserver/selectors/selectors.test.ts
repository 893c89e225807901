import { parseFieldSelector } from '@kgen/runtime/selectors';
import { describe, expect, test } from 'vitest';
import type { FieldLabels, SelectableField } from './field-labels.ts';
import { matchesFields, resolveFields } from './fields.ts';
import { parseSelectors } from './selection.ts';

const object = { metadata: { name: 'web' }, spec: { on: true } };

describe('parseSelectors', () => {
  test.each([
    ['labelSelector', 'a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['labelSelector', 'a,', "found '', expected: identifier after ','"],
    ['fieldSelector', 'x', "invalid selector: 'x'; can't understand 'x'"],
  ])('rejects the %s %s with the message of the server', (name, selector, message) => {
    const refused: unknown = expect.objectContaining({
      problem: expect.objectContaining({ code: 400, message }),
    });
    expect(() => parseSelectors(new URLSearchParams({ [name]: selector }))).toThrow(refused);
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
    expect(matchesFields(object, resolveFields(parseFieldSelector(selector), labels))).toBe(want);
  });

  test('reject a label that the kind does not support', () => {
    const terms = parseFieldSelector('metadata.name=a,spec.nope=1');
    expect(() => resolveFields(terms, labels)).toThrow('field label not supported: spec.nope');
  });
});
