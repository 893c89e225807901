import { describe, expect, it } from 'vitest';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { seedsOf } from '../../../test/support/seeds.ts';
import { decodeText } from './json.ts';
import { decodeLong } from './json-stream.ts';

const operation = { verb: 'list', resource: 'pods' };

async function* given(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, undefined> {
  yield* chunks;
  return undefined;
}

/** Decodes a body whose head is the first chunk. */
function decode([head = new Uint8Array(), ...rest]: readonly Uint8Array[]): Promise<unknown> {
  return decodeLong({ head, rest: given(rest), operation, contentType: 'application/json' });
}

type Outcome = { readonly value: unknown; readonly text: string } | 'refused';

const seen = (value: unknown): Outcome => ({ value, text: JSON.stringify(value) });

async function ours(chunks: readonly Uint8Array[]): Promise<Outcome> {
  try {
    return seen(await decode(chunks));
  } catch (error) {
    expect(error).toMatchObject({ name: 'DecodeError', operation });
    return 'refused';
  }
}

function desired(bytes: Uint8Array): Outcome {
  try {
    return seen(JSON.parse(decodeText(bytes)));
  } catch {
    return 'refused';
  }
}

/** Splits the bytes at these positions. */
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places, bytes.length];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const documents: readonly string[] = [
  '{"items":[]}',
  '{"items":[{"a":1}]}',
  '{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}',
  '{"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}],"kind":"PodList","metadata":{}}',
  ' { "items" : [ { "a" : 1 } , { "a" : 2 } ] , "x" : 1 }\r\n\t ',
  '\ufeff{"items":[{"a":"\ufeff"},{"a":"ä€😀"}]}',
  '{"items":[1,-0,1.5e3,"a","\\"],[",true,false,null,[],{},[[{"items":[1]}]]]}',
  '{"items":[1]}',
  '{"items":[1 ]}',
  '{"items":[{"a":1},{"a":{"b":1},"c":[{"a":2},{"a":3}]},{"a":4}]}',
  '{"items":[{"a":"},{\\"a\\":"},{"a":"\\\\"},{"a":"\\\\\\""}]}',
  '{"items":[{},{},{"a":1},{}]}',
  '{"items":[{"__proto__":{"x":1},"constructor":2},{"__proto__":3}],"__proto__":{"y":1}}',
  '{"__proto__":{"items":[1]},"items":[2]}',
  '{"items":[1,2],"items":[3]}',
  '{"items":[1,2],"items":null}',
  '{"items":[1,2],"items":"a"}',
  '{"items":[1,2],"items":"b"}',
  '{"items":[1,2],"\\u0069tems":[3]}',
  '{"items":null,"items":[1]}',
  '{"items":{"items":[9]},"items":[1]}',
  '{"\\u0069tems":[3],"items":[4]}',
  '{"\\u0069tems":[3]}',
  '{"x":"items","y":["items",[1]],"items":[5]}',
  '{"x":{"items":[1,2]},"items":[5]}',
  '{"x":{"items":[1,2]}}',
  '{"kind":"Table","columnDefinitions":[{"items":[1]}],"rows":[{"cells":["a",1]},{"cells":[]}],"x":1}',
  '{"rows":[1],"items":[2],"rows":[3]}',
  '{"items":[1],"rows":[{"a":1}]}',
  '{"rows":[1}',
  '{"items":null}',
  '{"items":{}}',
  '{"items":"[1]"}',
  '[{"items":[1]}]',
  '"items"',
  'null',
  '12',
  ' ',
  '{"items":[,]}',
  '{"items":[1,]}',
  '{"items":[,1]}',
  '{"items":[1 2]}',
  '{"items":[1}',
  '{"items":[1]',
  '{"items":[1]]}',
  '{"items":[1]}}',
  '{"items":[1]} x',
  '{"items":[1].5}',
  '{"items":[1]e5}',
  '{"items":[1]"a"}',
  '{"items":[1],}',
  '{"items":[{"a":1}{"a":2}]}',
  '{"items":[{"a":1},{"a":2]}',
  '{"items":[{"a":1]},{"a":2}]}',
  '{"items":[01]}',
  '{"items":[tru]}',
  '{"items":[\u00a01]}',
  '{"items":["\n"]}',
  '{"a" 1,"items":[1]}',
  '{,"items":[1]}',
  '{"a":1 "items":[1]}',
  'x{"items":[1]}',
];

describe('a long body', () => {
  it.each(documents)('cut anywhere is what JSON.parse makes of it: %s', async (text) => {
    const bytes = Buffer.from(text);
    const want = desired(bytes);
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 3) {
        const got = await ours(cutAt(bytes, [first, second]));
        expect(got, `cut at ${first} and ${second}`).toStrictEqual(want);
      }
    }
  });

  it.each(documents.slice(0, 12))('that ends too early is refused at every byte: %s', async (text) => {
    const bytes = Buffer.from(text.trimEnd());
    for (let end = 0; end < bytes.length; end += 1) {
      expect(await ours(cutAt(bytes.subarray(0, end), [end - (end % 7)])), `cut at ${end}`).toBe('refused');
    }
  });

  it('tells neither what it read nor where it was', async () => {
    const chunks = [Buffer.from('{"items":[{"password":"sesame"'), Buffer.from(',]}')];
    await expect(decode(chunks)).rejects.toMatchObject({
      message: 'list pods: the response is incomplete or not JSON (33 bytes)',
    });
  });

  it.each(['items', 'rows'])('of many %s leaves time for other work', async (name) => {
    const items = Array.from({ length: 200_000 }, (_, cell) => ({ cells: [cell, 'a'] }));
    let turns = 0;
    let running = true;
    const turn = (): void => {
      turns += 1;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    const value = await decode([Buffer.from(JSON.stringify({ a: 1, [name]: items }))]);
    running = false;
    expect(turns).toBeGreaterThan(0);
    expect(value).toHaveProperty(name, items);
  });

  it('that breaks off is what it broke off with', async () => {
    const broken = new TypeError('the connection broke');
    async function* rest(): AsyncGenerator<Uint8Array, undefined> {
      yield Buffer.from('{"a":');
      throw broken;
    }
    for (const head of ['{"items":[', '{"items":[1]', '{"x":']) {
      const body = { head: Buffer.from(head), rest: rest(), operation, contentType: undefined };
      await expect(decodeLong(body)).rejects.toBe(broken);
    }
  });
});

/** Random JSON documents. */
class Writer {
  readonly #random: Seeded;

  constructor(random: Seeded) {
    this.#random = random;
  }

  list(): string {
    const members = [this.#member('kind', '"PodList"'), this.#member('items', this.#items())];
    if (this.#random.chance(0.5)) members.push(this.#member('metadata', this.value(2)));
    if (this.#random.chance(0.1)) members.push(this.#member(this.#key(), this.value(2)));
    if (this.#random.chance(0.05)) members.push(this.#member('items', this.value(2)));
    members.sort(() => this.#random.next() - 0.5);
    return `${this.#space()}{${members.join(',')}}${this.#space()}`;
  }

  #items(): string {
    const first = this.#key();
    const items = Array.from({ length: this.#random.below(12) }, () =>
      this.#random.chance(0.85) ? this.#object(3, first) : this.value(3),
    );
    return `[${items.join(',')}]`;
  }

  value(depth: number): string {
    const kind = this.#random.below(depth === 0 ? 4 : 7);
    if (kind === 0) return this.#text();
    if (kind === 1) return String(this.#random.pick([0, -1, 1.5, 1e21, 1e-7]));
    if (kind === 2) return String(this.#random.pick([true, false, null]));
    if (kind === 3) return `${this.#space()}1`;
    if (kind === 4) return `[${this.#space()}${this.#several(() => this.value(depth - 1))}]`;
    return this.#object(depth, this.#key());
  }

  #object(depth: number, first: string): string {
    const members = this.#several(() => this.#member(this.#key(), this.value(depth - 1)));
    const begin = this.#member(first, this.value(depth - 1));
    return this.#random.chance(0.1) ? '{}' : `{${begin}${members === '' ? '' : `,${members}`}}`;
  }

  #several(make: () => string): string {
    return Array.from({ length: this.#random.below(4) }, make).join(',');
  }

  #member(key: string, value: string): string {
    return `${this.#space()}"${key}"${this.#space()}:${this.#space()}${value}${this.#space()}`;
  }

  #key(): string {
    return (
      this.#random.pick(['metadata', 'items', 'rows', '__proto__', 'a', 'ä', '\\"', '\\u0069tems', '']) ?? ''
    );
  }

  #text(): string {
    const parts = ['},{"metadata":', '\\', '"', ']', '€', '😀', 'plain', '\u2028', '{"items":['];
    return JSON.stringify(
      Array.from({ length: this.#random.below(4) }, () => this.#random.pick(parts)).join(''),
    );
  }

  #space(): string {
    return this.#random.chance(0.05) ? (this.#random.pick([' ', '\n', '\r\n\t', '   ']) ?? '') : '';
  }
}

/** Returns the bytes with a random error. */
function mutated(bytes: Buffer, random: Seeded): Buffer {
  const copy = Buffer.from(bytes);
  const at = random.below(copy.length);
  const kind = random.below(4);
  if (kind === 0) return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1)]);
  if (kind === 1) return copy.subarray(0, at);
  copy[at] = kind === 2 ? random.below(256) : (Buffer.from('{}[],:"\\ \n')[random.below(10)] ?? 0);
  return copy;
}

function cutByChance(bytes: Uint8Array, random: Seeded): Uint8Array[] {
  const longest = random.pick([3, 20, 200]) ?? 20;
  const places: number[] = [];
  for (let at = random.below(bytes.length); at < bytes.length; at += 1 + random.below(longest))
    places.push(at);
  return cutAt(bytes, places);
}

describe('documents by chance', () => {
  it.each(seedsOf({ all: 8, few: 2 }))('are what JSON.parse makes of them: seed %i', async (seed) => {
    const random = new Seeded(seed);
    const writer = new Writer(random);
    let refused = 0;
    for (let round = 0; round < 500; round += 1) {
      const whole = Buffer.from(writer.list());
      const bytes = random.chance(0.4) ? mutated(whole, random) : whole;
      const want = desired(bytes);
      if (want === 'refused') refused += 1;
      const chunks = cutByChance(bytes, random);
      expect(await ours(chunks), `seed ${seed}, round ${round}: ${bytes}`).toStrictEqual(want);
    }
    expect(refused).toBeGreaterThan(50);
    expect(refused).toBeLessThan(300);
  });
});
