import { expect, test } from 'vitest';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { jsonText, parseExactly } from './exact-json.ts';

test.each([
  '9007199254740991',
  '9007199254740993',
  '-9223372036854775808',
  '{"maximum":9223372036854775807,"text":"9223372036854775807"}',
  '{"a":[12345678901234567890,{"b":-12345678901234567890}],"c":1.5}',
  '{"__proto__":{"a":12345678901234567890}}',
  '{"text":"12345678901234567890"}',
])('keeps the digits of %s', async (text) => {
  const parsed = await parseExactly(text, JSON.parse(text) as JsonValue); // seam: a literal
  expect(jsonText(parsed)).toBe(text);
});

test('parses integers that a number represents exactly as numbers', async () => {
  const value = { a: 1_000_000 };
  expect(await parseExactly('{"a":1000000}', value)).toBe(value);
  expect(await parseExactly('{"a":9007199254740991}', { a: 0 })).toEqual({ a: 9007199254740991 });
});

test('throws for values that are nested too deeply', () => {
  let value: JsonValue = 12345678901234567890n;
  for (let depth = 0; depth < 100_000; depth += 1) value = [value];
  expect(jsonText(value)).toBeUndefined();
  expect(jsonText([value, 1n])).toBeUndefined();
});
