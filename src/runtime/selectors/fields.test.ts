import { describe, expect, it } from 'vitest';
import { type FieldSelectorInput, fieldRequirementsText, fieldSelectorText } from './fields.ts';
import { fieldRequirements, matchFields } from './match-fields.ts';
import { type FieldRequirement, parseFieldSelector } from './parse-fields.ts';

describe('parseFieldSelector', () => {
  it.each<[text: string, want: readonly (readonly [string, FieldRequirement['operator'], string])[]]>([
    ['', []],
    ['a=b', [['a', '=', 'b']]],
    ['a==b', [['a', '=', 'b']]],
    ['a!=b', [['a', '!=', 'b']]],
    ['a=', [['a', '=', '']]],
    ['a!=', [['a', '!=', '']]],
    ['a=b,', [['a', '=', 'b']]],
    ['a=b!', [['a', '=', 'b!']]],
    ['a=b c', [['a', '=', 'b c']]],
    [
      'metadata.name=x,status.phase!=Failed',
      [
        ['metadata.name', '=', 'x'],
        ['status.phase', '!=', 'Failed'],
      ],
    ],
    ['a=1\\,2\\=3\\\\', [['a', '=', '1,2=3\\']]],
    [
      'a=\\\\,b=c',
      [
        ['a', '=', '\\'],
        ['b', '=', 'c'],
      ],
    ],
  ])('%j', (text, want) => {
    const parsed = want.map(([field, operator, value]) => ({ field, operator, value }));
    expect(parseFieldSelector(text)).toEqual(parsed);
    expect(parseFieldSelector(fieldRequirementsText(parsed))).toEqual(parsed);
  });

  it.each([
    ['=b', [{ field: '', operator: '=', value: 'b' }]],
    ['!=b', [{ field: '', operator: '!=', value: 'b' }]],
    ['\\a=b', [{ field: '\\a', operator: '=', value: 'b' }]],
    [
      'b=1,,a=\n',
      [
        { field: 'a', operator: '=', value: '\n' },
        { field: 'b', operator: '=', value: '1' },
      ],
    ],
  ])('reads %j as the server', (text, want) => {
    expect(parseFieldSelector(text)).toEqual(want);
  });

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['b=c,a', "invalid selector: 'b=c,a'; can't understand 'a'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('throws for %j, with the message of the server as the cause', (text, cause) => {
    const message: unknown = expect.stringContaining(
      `field selector ${JSON.stringify(text)}: ${cause}: write`,
    );
    expect(() => parseFieldSelector(text)).toThrow(
      expect.objectContaining({ name: 'TypeError', cause, message }),
    );
  });
});

const pod = {
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { nodeName: 'n1', hostNetwork: true, priority: 7, containers: [] },
};

describe('field selectors of a pod', () => {
  it.each<[FieldSelectorInput | undefined, boolean]>([
    [undefined, true],
    ['', true],
    ['metadata.name=web', true],
    ['metadata.name!=web', false],
    ['spec.nodeName=n1,metadata.namespace=shop', true],
    ['spec.nodeName=n1,metadata.namespace=other', false],
    ['spec.hostNetwork=true,spec.priority=7', true],
    ['status.phase=', true],
    ['status.phase!=Failed', true],
    ['spec.nodeName.deeper=', true],
    ['spec.containers=', true],
    ['metadata.constructor=', true],
    ['__proto__.toString=', true],
    [{ 'metadata.name': 'web' }, true],
    [{ 'metadata.name': { not: 'web' } }, false],
    [{ 'metadata.name': { not: ['a', 'b'] } }, true],
    [{ 'metadata.name': { not: ['a', 'web'] } }, false],
    [{ 'metadata.name': { not: [] } }, true],
  ])('%j: %s', (selector, want) => {
    expect(matchFields(pod, fieldRequirements(selector))).toBe(want);
  });
});

describe('fieldSelectorText', () => {
  it('escapes special characters', () => {
    const given = { 'status.phase': { not: ['Succeeded', 'Failed'] }, 'metadata.name': { not: 'a=b' } };
    expect(fieldSelectorText(given)).toBe(
      'metadata.name!=a\\=b,status.phase!=Failed,status.phase!=Succeeded',
    );
  });

  it.each<[given: object, want: RegExp]>([
    [{ 'metadata.name': 7 }, /not a value for the field metadata.name: 7/],
    [{ 'metadata.name': { not: [undefined] } }, /not a value for the field metadata.name/],
    [{ 'metadata.name': { in: ['a'] } }, /not a value for the field metadata.name: {"in":\["a"\]}/],
    [{ 'a=b,c': 'x' }, /not a field: "a=b,c"/],
    [{ '': 'x' }, /not a field: ""/],
  ])('throws for %j', (given, want) => {
    // A value that only plain JavaScript can pass.
    expect(() => fieldSelectorText(given as FieldSelectorInput)).toThrow(want);
  });
});

describe('selectable fields of a kind', () => {
  type Selector = FieldSelectorInput<'spec.version' | 'spec.color'>;
  it.each<[given: Selector, want: string]>([
    [{ 'spec.version': '7', 'metadata.name': 'a' }, 'metadata.name=a,spec.version=7'],
    [{ 'spec.color': { not: ['red', 'blue'] } }, 'spec.color!=blue,spec.color!=red'],
    ['spec.anything=1', 'spec.anything=1'],
  ])('%j', (given, want) => {
    expect(fieldSelectorText(given)).toBe(want);
  });

  it('are checked by the compiler', () => {
    const wrong: readonly Selector[] = [
      // @ts-expect-error: no such field
      { 'spec.nope': '7' },
      // @ts-expect-error: values are text
      { 'spec.version': 7 },
      // @ts-expect-error: a field is equal or not
      { 'spec.version': { in: ['7'] } },
      // @ts-expect-error: what must not be is text
      { 'spec.version': { not: 7 } },
    ];
    expect(wrong).toHaveLength(4);
  });
});
