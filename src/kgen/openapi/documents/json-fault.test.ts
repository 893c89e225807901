import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.ts';

const sound = '{"a": [1, -2.5e+3, true, null, "x\\n\\u00e9\\"", {}, []], "b": {"c": {"d": [[]]}}}';

test('returns no fault for valid JSON', () => {
  for (const text of [sound, ' 1 ', '"x"', '[]\n', 'null']) expect(jsonFault(text)).toBeUndefined();
});

test('returns the end of truncated JSON at any position', () => {
  for (let length = 0; length < sound.length; length += 1) {
    const text = sound.slice(0, length);
    if (/\\u[0-9a-f]{0,3}$/.test(text)) continue;
    expect([text, jsonFault(text)]).toEqual([text, { offset: length, cutOff: true }]);
  }
});

test.each([
  { text: '{"a": 1,}', offset: 8 },
  { text: '{"a" 1}', offset: 5 },
  { text: '[1 2]', offset: 3 },
  { text: '{"a": tru}', offset: 6 },
  { text: '{a: 1}', offset: 1 },
  { text: '[1}', offset: 2 },
  { text: '{]', offset: 1 },
  { text: '[}', offset: 1 },
  { text: '{} {}', offset: 3 },
  { text: '[01]', offset: 1 },
  { text: '["\\x"]', offset: 1 },
  { text: '<html>', offset: 0 },
  { text: '{"a":: 1}', offset: 5 },
])('returns for $text the offset $offset', ({ text, offset }) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonFault(text)).toEqual({ offset, cutOff: false });
});

test('returns the end of a long document that is truncated in a string', () => {
  const text = `{"a": "${'x'.repeat(100_000)}`;
  expect(jsonFault(text)).toEqual({ offset: text.length, cutOff: true });
});
