import { describe, expect, it } from 'vitest';
import { ByteWindow } from './byte-window.ts';
import { ItemGuess } from './items-reader.ts';
import { findItems, skipSpace, ValueScanner } from './json-scan.ts';
import { endOfList, findMember, guessEndOfList, type Member } from './member-scan.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

describe('skipSpace', () => {
  it.each<[text: string, at: number, end: number, want: number]>([
    ['a', 0, 1, 0],
    [' \t\r\na', 0, 5, 4],
    ['a  b', 1, 4, 3],
    ['   ', 0, 3, 3],
    ['   a', 0, 2, 2],
    ['\u000b', 0, 1, 0],
  ])('%j from %d to %d', (text, at, end, want) => {
    expect(skipSpace(bytes(text), at, end)).toBe(want);
  });
});

describe('ValueScanner', () => {
  const values = [
    '"a"',
    '""',
    '"\\""',
    '"\\\\"',
    '"]}"',
    '{}',
    '[]',
    '{"a":[1,{"b":"}"}]}',
    '[[],{},"]"]',
    '["\\"]"]',
    '[ 1 , 2 ]',
  ];

  it.each(values)('finds the end of %s, whatever follows and wherever it is cut', (value) => {
    const text = bytes(`${value},"]}`);
    expect(new ValueScanner().scan(text, 0, text.length)).toBe(value.length);
    for (let cut = 0; cut < value.length; cut += 1) {
      const scanner = new ValueScanner();
      expect(scanner.scan(text, 0, cut)).toBe(-1);
      expect(scanner.scan(text, cut, text.length)).toBe(value.length);
    }
  });

  it.each([',', ']', '}', ' ', '\n', '\r', '\t'])(
    'ends a number, true, false and null before %j',
    (after) => {
      for (const value of ['-1.5e3', 'true', 'false', 'null', '0']) {
        const text = bytes(value + after);
        expect(new ValueScanner().scan(text, 0, text.length)).toBe(value.length);
        expect(new ValueScanner().scan(text, 0, value.length)).toBe(-1);
      }
    },
  );
});

describe('findItems', () => {
  it.each<[text: string, name: string, before: string]>([
    ['{"items":[1]}', 'items', '{"items":['],
    ['{"rows":[]}', 'rows', '{"rows":['],
    [' { "kind" : "List" , "items" : [ ] }', 'items', ' { "kind" : "List" , "items" : ['],
    ['{"a":{"items":[1]},"items":[2]}', 'items', '{"a":{"items":[1]},"items":['],
    ['{"items":{},"rows":[2]}', 'rows', '{"items":{},"rows":['],
    ['{"a":1,"rows":[2],"items":[]}', 'rows', '{"a":1,"rows":['],
    ['{"items":[', 'items', '{"items":['],
  ])('%s', (text, name, before) => {
    expect(findItems(bytes(text))).toEqual({ name, start: before.length });
  });

  it.each([
    '',
    '[]',
    '{}',
    '{"a":[1]}',
    '{"items":1}',
    '{"items":{}}',
    '{"items"}',
    '{"items":',
    '{"items"',
    '["items",[1]]',
    '["items":[1]]',
    '{"items",[1]}',
    '{"a":1 "items":[1]}',
    '{"a":1;"items":[1]}',
    '{"a":"b";"items":[1]}',
    '{"a":"items":[1]}',
    '{a,"items":[1]}',
    '{"a":{"items":[1]}}',
    '{"a":{"items":[1]',
    'x"items":[1]}',
  ])('finds none in %s', (text) => {
    expect(findItems(bytes(text))).toBeUndefined();
  });
});

describe('findMember', () => {
  const find = (text: string, key = '"k"', object = 0): Member | undefined =>
    findMember(bytes(text), object, text.length, bytes(key));

  it.each<[text: string, start: number, value: number]>([
    ['{"k":1}', 0, 5],
    ['{ "k" : 1}', 0, 8],
    ['{"a":1,"k":2}', 6, 11],
    ['{"a":"k","k":2}', 8, 13],
    ['{"a":{"k":1},"k":2}', 12, 17],
    ['{"a":[{"k":1}],"k":2}', 14, 19],
    ['{"a":"}\\"","k":2}', 10, 15],
    ['{"a":"\\\\","k":2}', 9, 14],
    ['{"a":["]"],"k":2}', 10, 15],
    ['{"a":true ,"k":2}', 10, 15],
    ['{"kk":1,"k":2}', 7, 12],
    ['{"j":1,"k":2,"k":3}', 6, 11],
  ])('%s', (text, start, value) => {
    expect(find(text)).toEqual({ start, value });
  });

  it.each([
    '["k",1]',
    '["k":1]',
    '{}',
    '{"j":1}',
    '{"a":{"k":1}}',
    '{"a":1;"k":2}',
    '{"a":1}"k":2}',
    '{k:1}',
    '{"k"',
    '{"k" ',
    '{"k',
    '{"a":',
    '{"a":[1,"k":2',
    '{"a":"b',
    '{"a":["b',
    '{"a":12',
    '{"k"=1}',
  ])('finds none in %s', (text) => {
    expect(find(text)).toBeUndefined();
  });

  it('begins at the object and ends before the end', () => {
    expect(find('[{"k":1}]', '"k"', 1)).toEqual({ start: 1, value: 6 });
    expect(findMember(bytes('{"a":1,"k":2}'), 0, 9, bytes('"k"'))).toBeUndefined();
  });
});

describe('the end of a list that may be left out', () => {
  /** Returns the rest of the object after the list, as found by both functions. */
  function rests(text: string, end = text.length): readonly (string | undefined)[] {
    const found = findMember(bytes(text), 0, text.length, bytes('"k"'));
    if (found === undefined) throw new Error('there is no member k');
    return [endOfList(bytes(text), found, end), guessEndOfList(bytes(text), found, end)].map((after) =>
      after === -1 ? undefined : text.slice(after),
    );
  }

  it.each<[text: string, exact: string | undefined, guessed: string | undefined]>([
    ['{"a":1,"k":[{}],"b":2}', ',"b":2}', ',"b":2}'],
    ['{"a":1,"k":[{}]}', '}', '}'],
    ['{"a":1,"k":[{}] }', ' }', ' }'],
    ['{"a":1,"k":[{},{"b":"c"}]}', '}', '}'],
    ['{"a":1,"k":[{"b":[1]}]}', '}', undefined],
    ['{"a":1,"k":[{"b":"[]"}]}', '}', undefined],
    ['{"a":1,"k":[1]}', '}', undefined],
    ['{"a":1,"k":[]}', '}', undefined],
    ['{"a":1,"k":[{}]]', undefined, undefined],
    ['{"a":1,"k":[{}]"', undefined, undefined],
    ['{"a":1,"k":[{}', undefined, undefined],
    ['{"a":1,"k":[{}}}', undefined, undefined],
    ['{"a":1,"k":[{"b', undefined, undefined],
    ['{"a":1,"k":{}}', undefined, undefined],
    ['{"a":1,"k":2}', undefined, undefined],
    ['{"k":[{}],"a":1}', undefined, undefined],
  ])('%s', (text, exact, guessed) => {
    expect(rests(text)).toEqual([exact, guessed]);
  });

  it('is not looked for behind the end', () => {
    const text = '{"a":1,"k":[{}],"b":2}';
    expect(rests(text, text.indexOf(']'))).toEqual([undefined, undefined]);
  });
});

describe('ItemGuess', () => {
  const mebibyte = 1024 * 1024;

  function learned(item = '{"kind":"Pod"}'): ItemGuess {
    const guess = new ItemGuess();
    guess.learn(bytes(item));
    return guess;
  }

  it('knows nothing at first', () => {
    const guess = new ItemGuess();
    expect(guess.ready).toBe(false);
    expect(guess.overlap).toBe(0);
    expect(guess.end(bytes('{},{'), 0, 4)).toBe(-1);
  });

  it('learns nothing from an object without a key within 64 bytes', () => {
    expect(learned('{}').ready).toBe(false);
    expect(learned(`{"${'a'.repeat(61)}":1}`).ready).toBe(false);
    expect(learned(`{"${'a'.repeat(60)}":1}`).ready).toBe(true);
  });

  it('keeps what it has learned first', () => {
    const guess = learned();
    guess.learn(bytes('{"other":1}'));
    expect(guess.overlap).toBe('},{"kind":'.length - 1);
  });

  it.each<[text: string, from: number, to: number, want: number]>([
    ['{"kind":1},{"kind":2}', 0, 21, 10],
    ['{"kind":1},{"kind":2}', 9, 21, 10],
    ['{"kind":1},{"kind":2}', 10, 21, -1],
    ['{"kind":1},{"kind":2}', 0, 19, 10],
    ['{"kind":1},{"kind":2}', 0, 18, -1],
    ['{"kind":1},{"name":2}', 0, 21, -1],
  ])('%s from %d to %d', (text, from, to, want) => {
    expect(learned().end(bytes(text), from, to)).toBe(want);
  });

  it('ends where wrong guesses have cost more than a mebibyte beyond what right ones have saved', () => {
    const guess = learned();
    guess.right(mebibyte);
    guess.wrong(mebibyte - 1);
    expect(guess.ready).toBe(true);
    guess.right(10);
    guess.wrong(10);
    expect(guess.ready).toBe(true);
    guess.wrong(1);
    expect(guess.ready).toBe(false);
  });
});

describe('ByteWindow', () => {
  it.each<[rest: number, more: number, size: number]>([
    [8, 1, 32],
    [4, 4, 16],
    [3, 5, 16],
    [0, 8, 16],
    [0, 4, 8],
    [2, 2, 8],
    [2, 3, 16],
  ])('with %d bytes and %d more has room for %d', (rest, more, size) => {
    const window = new ByteWindow(8);
    window.push(new Uint8Array(8).fill(1));
    window.consume(8 - rest);
    window.push(new Uint8Array(more).fill(2));
    expect(window.bytes.length).toBe(size);
    expect([window.start, window.end, window.length]).toEqual([0, rest + more, rest + more]);
    expect([...window.bytes.subarray(0, window.end)]).toEqual([
      ...Array(rest).fill(1),
      ...Array(more).fill(2),
    ]);
  });

  it('moves nothing while there is room', () => {
    const window = new ByteWindow(8);
    window.push(Uint8Array.of(1, 2, 3, 4));
    window.consume(3);
    window.push(Uint8Array.of(5, 6, 7, 8));
    expect([window.start, window.end, window.bytes.length]).toEqual([3, 8, 8]);
  });
});
