import { describe, expect, it, vi } from 'vitest';
import { decodeJson, decodeText, wholeText } from './json.ts';

const operation = { verb: 'get', resource: 'secrets' };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('decodeJson', () => {
  it('reads UTF-8, with and without a byte order mark', () => {
    expect(decodeJson(bytes('{"a":"ä€😀"}'), operation)).toEqual({ a: 'ä€😀' });
    expect(decodeJson(bytes('\ufeff{"a":1}'), operation)).toEqual({ a: 1 });
    expect(decodeText(Buffer.from('xxabcxx').subarray(2, 5))).toBe('abc');
  });

  it('keeps keys of prototypes as keys', () => {
    const value = decodeJson(bytes('{"__proto__":{"polluted":1},"constructor":2}'), operation);
    expect(Object.keys(Object(value))).toEqual(['__proto__', 'constructor']);
    expect(Reflect.get({}, 'polluted')).toBe(undefined);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  const problems: readonly [given: string, type: string | undefined, want: string][] = [
    ['', undefined, 'get secrets: the response is empty'],
    [
      '{"password":"sesame',
      'application/json',
      'get secrets: the response is incomplete or not JSON (19 bytes)',
    ],
    [
      'ok',
      'text/plain; charset=utf-8',
      'get secrets: the response is text/plain, not JSON; is there a proxy or a login page in between? (2 bytes)',
    ],
  ];
  it.each(problems)('refuses %j', (given, type, message) => {
    const call = (): unknown => decodeJson(bytes(given), operation, type);
    expect(call).toThrow(expect.objectContaining({ name: 'DecodeError', message }));
  });
});

it('a text that is too long is refused with a reason', () => {
  const tooLong = new RangeError('Cannot create a string longer than 0x1fffffe8 characters');
  const spy = vi.spyOn(Buffer.prototype, 'toString').mockImplementationOnce(() => {
    throw tooLong;
  });
  const call = (): unknown => wholeText(bytes('log'), operation);
  expect(call).toThrow(
    expect.objectContaining({
      name: 'DecodeError',
      message: 'get secrets: the text is too large to be given as one (3 bytes); go through it as a stream',
      cause: tooLong,
    }),
  );
  spy.mockRestore();
  expect(wholeText(bytes('log'), operation)).toBe('log');
});
