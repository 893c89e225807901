import { describe, expect, it } from 'vitest';
import { jsonOf } from './integers/write-json.ts';
import { ItemsReader } from './items-reader.ts';
import { decodeJson } from './json.ts';
import { Pieces } from './json-stream.ts';
import { LeanReader } from './lean-json.ts';
import { StringPool } from './string-pool.ts';

/** Steps until the end or until bytes are missing. */
function read(reader: ItemsReader): 'ended' | 'incomplete' {
  for (let step = reader.step(); ; step = reader.step()) if (step !== 'item') return step;
}

describe('ItemsReader', () => {
  const lists = [
    '[]',
    '[ ]',
    '[1]',
    '[ 1 , "a" , null , [ 2 ] ]',
    '["a:b",{"a":1},{"a":2}]',
    '[{"a":1},{"a":2},{"a":3}]',
    '[ {"a":1} , {"a":2}\n,{"a":3},{"a":4} ]',
    '[{},{"a":1},{},{"b":2},{"a":3}]',
    '[{"a":[{"a":1},{"a":2}]},{"a":[{"a":3},{"a":4}]},{"a":5}]',
    '[{"a":"},{\\"a\\":"},{"a":"},{"},{"a":1}]',
    '[{"a":1},[{"a":1},{"a":2}],{"a":"]"},{"a":"\\""},{"a":2}]',
  ];

  it.each(lists)('reads %s in one piece', (text) => {
    const reader = new ItemsReader();
    reader.push(Buffer.from(`${text.slice(1)},"rest"`));
    reader.complete();
    expect(read(reader)).toBe('ended');
    expect(reader.items).toEqual(JSON.parse(text));
    expect(reader.rest.toString()).toBe(',"rest"');
  });

  it.each(lists)('reads %s byte by byte', (text) => {
    const reader = new ItemsReader();
    const steps = [...Buffer.from(text.slice(1))].map((byte) => {
      reader.push(Uint8Array.of(byte));
      return read(reader);
    });
    if (steps.at(-1) === 'incomplete') {
      // The end of an object is guessed only if more bytes follow, or the body is complete.
      reader.complete();
      steps.push(read(reader));
    }
    expect(steps.pop()).toBe('ended');
    expect(steps.every((step) => step === 'incomplete')).toBe(true);
    expect(reader.items).toEqual(JSON.parse(text));
  });

  it('has the first object as soon as its last byte has arrived', () => {
    const reader = new ItemsReader();
    reader.push(Buffer.from('{"a":1}'));
    expect(reader.step()).toBe('item');
    expect(reader.step()).toBe('incomplete');
  });

  it.each(['1;2]', '{"a":1}{"a":2}]', '1 2]', '1}', ',1]', '1,]', '{"a":1},{"a"}]'])(
    'refuses [%s',
    (text) => {
      const reader = new ItemsReader();
      reader.push(Buffer.from(text));
      reader.complete();
      expect(() => read(reader)).toThrow(SyntaxError);
    },
  );

  it.each(['', '1', '1,', '{"a":1},{"a":2', '"a'])('refuses [%s, which does not end', (text) => {
    const reader = new ItemsReader();
    reader.push(Buffer.from(text));
    expect(read(reader)).toBe('incomplete');
    reader.complete();
    expect(() => read(reader)).toThrow(SyntaxError);
  });

  it('passes on what else an item is refused with', () => {
    const refused = new RangeError('too large');
    const reader = new ItemsReader((json: Uint8Array, start: number, end: number): unknown => {
      const text = Buffer.from(json).toString('utf8', start, end);
      if (text === '{"a":2}') throw refused;
      return JSON.parse(text);
    });
    reader.push(Buffer.from('{"a":1},{"a":2},{"a":3}]'));
    reader.complete();
    expect(() => read(reader)).toThrow(refused);
  });
});

describe('Pieces', () => {
  const kibibyte = 1024;

  async function* chunks(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
    for (const size of sizes) yield new Uint8Array(size).fill(size % 251);
  }

  it('cuts chunks into pieces of at most 256 KiB and loses none', async () => {
    const head = new Uint8Array(600 * kibibyte).fill(7);
    const pieces = new Pieces([head], chunks(256 * kibibyte, 256 * kibibyte + 1));
    const sizes: number[] = [];
    for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
      sizes.push(piece.length);
      expect(pieces.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
    }
    expect(sizes).toEqual([256 * kibibyte, 256 * kibibyte, 88 * kibibyte, 256 * kibibyte, 256 * kibibyte, 1]);
    expect(pieces.failure).toBeUndefined();
  });
});

describe('StringPool', () => {
  const text = (): string => ['a long text', 'that recurs'].join(' ');

  /** Returns the members that are replaced while the list is shared. */
  function replaced(pool: StringPool, list: unknown[]): readonly string[] {
    const places: string[] = [];
    const set = (target: object, place: string | symbol, value: unknown): boolean => {
      places.push(String(place));
      return Reflect.set(target, place, value);
    };
    pool.share({ list: new Proxy(list, { set }) });
    return places;
  }

  it('shares the items of lists that are strings', () => {
    const pool = new StringPool();
    expect(replaced(pool, [text(), 1, 'short'])).toEqual([]);
    expect(replaced(pool, [1, text(), 'short', text()])).toEqual(['1', '3']);
  });

  it('shares what is in the items of lists', () => {
    const pool = new StringPool();
    pool.share(text());
    pool.share([text()]);
    const places: string[] = [];
    const watched = new Proxy<Record<string, string>>(
      { member: text() },
      { set: (target, key, value) => places.push(String(key)) > 0 && Reflect.set(target, key, value) },
    );
    pool.share([[watched]]);
    expect(places).toEqual(['member']);
  });

  it.each([
    [64, ['member']],
    [65, []],
  ])('looks at objects that are nested %d levels deep: %j', (levels, want) => {
    const pool = new StringPool();
    pool.share({ member: text() });
    const places: string[] = [];
    let value: unknown = new Proxy<Record<string, string>>(
      { member: text() },
      { set: (target, key, item) => places.push(String(key)) > 0 && Reflect.set(target, key, item) },
    );
    for (let level = 0; level < levels; level += 1) value = { value };
    pool.share(value);
    expect(places).toEqual(want);
  });
});

describe('LeanReader', () => {
  const lean = (keepManagedFields: boolean): LeanReader =>
    new LeanReader({ keepManagedFields, strings: new StringPool() });
  const long = 'x'.repeat(70_000);

  it.each<[title: string, object: string, before: string, after: string]>([
    ['alone', '{"metadata":{"name":"a","managedFields":[{"manager":"m"}],"uid":"u"}}', '', ''],
    [
      'at the start of a large buffer',
      '{"metadata":{"name":"a","managedFields":[{}],"uid":"u"}}',
      '',
      `,"${long}"]`,
    ],
    [
      'at the end of a large buffer',
      '{"metadata":{"name":"a","managedFields":[{}],"uid":"u"}}',
      `["${long}",`,
      '',
    ],
    ['of many bytes', `{"metadata":{"name":"a","managedFields":[{}],"x":"${long}"}}`, '[', ']'],
    ['with such a member in its root', '{"a":1,"managedFields":[{}],"metadata":{"name":"b"}}', '', ''],
  ])('reads an object without metadata.managedFields: %s', (_, object, before, after) => {
    const bytes = Buffer.from(`${before}${object}${after}`);
    const want = JSON.parse(object);
    delete want.metadata.managedFields;
    const { length } = before;
    expect(lean(false).readItem(bytes, length, length + object.length)).toEqual(want);
    expect(lean(false).parseLine(Buffer.from(`{"object":${object}}`))).toEqual({ object: want });
  });

  it.each([true, false])('keeps the digits of integers beyond 2^53, with managedFields: %o', (keep) => {
    const json = '{"metadata":{"name":"a"},"spec":{"nanos":1732272000123456789}}';
    const item = lean(keep).readItem(Buffer.from(json), 0, json.length);
    const event = lean(keep).parseLine(Buffer.from(`{"object":${json}}`));
    expect([jsonOf(item), jsonOf(event)]).toEqual([json, `{"object":${json}}`]);
  });

  it('keeps managedFields where they are to be kept, in items and in lines', () => {
    const reader = new LeanReader({ keepManagedFields: true, strings: new StringPool() });
    const object = { metadata: { name: 'a', managedFields: [{ manager: 'm' }], uid: 'u' } };
    const item = Buffer.from(JSON.stringify(object));
    expect(reader.readItem(item, 0, item.length)).toEqual(object);
    const event = { type: 'ADDED', object };
    expect(reader.parseLine(Buffer.from(JSON.stringify(event)))).toEqual(event);
  });
});

describe('decodeJson', () => {
  const operation = { verb: 'get', resource: 'pods' };

  it.each([undefined, '', ' ; charset=utf-8', 'application/json', 'Application/JSON; charset=utf-8'])(
    'does not blame the content type %j',
    (contentType) => {
      expect(() => decodeJson(Buffer.from('{'), operation, contentType)).toThrow('incomplete or not JSON');
    },
  );
});
