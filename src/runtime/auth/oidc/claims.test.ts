import { describe, expect, it } from 'vitest';
import { expiryOf } from './source.ts';

function token(claims: string): string {
  return `e30.${Buffer.from(claims).toString('base64url')}.c2ln`;
}

describe('expiryOf', () => {
  const cases: readonly (readonly [name: string, given: string, want: number | undefined])[] = [
    ['a time', token('{"exp":1900000000}'), 1_900_000_000_000],
    ['none', token('{"sub":"jane"}'), undefined],
    ['a string', token('{"exp":"1900000000"}'), undefined],
    ['an inherited exp', token('{"__proto__":{"exp":1900000000}}'), undefined],
    ['not an object', token('null'), undefined],
    ['not JSON', token('exp'), undefined],
    ['no signature', 'e30.eyJleHAiOjE5MDAwMDAwMDB9', undefined],
    ['more parts', `${token('{"exp":1900000000}')}.more`, undefined],
    ['nothing', '', undefined],
  ];
  it.each(cases)('%s', (_, given, want) => {
    expect(expiryOf(given)).toBe(want);
  });
});
