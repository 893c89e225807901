import { describe, expect, it } from 'vitest';
import {
  dataHead,
  firstSpdyFrame,
  openStreamFrame,
  parseSpdy,
  type SpdyEvent,
} from '../../src/runtime/client/streams/spdy/frames.ts';
import { expectBounded } from './mutations.ts';
import { control, data, word } from './spdy-server.ts';

/** Parses bytes in chunks of the lengths that `next` returns. */
function parse(bytes: Uint8Array, next: () => number = () => bytes.length) {
  const events: SpdyEvent[] = [];
  let state = firstSpdyFrame;
  for (let start = 0; start < bytes.length; ) {
    const end = start + Math.max(1, next());
    const step = parseSpdy(state, bytes.subarray(start, end));
    state = step.state;
    events.push(...step.events);
    if (step.failure !== undefined) return { state, events, failure: step.failure };
    start = end;
  }
  return { state, events, failure: undefined };
}

/** Describes events, with the parts of data joined. */
function described(events: readonly SpdyEvent[]): readonly string[] {
  const out: string[] = [];
  const texts = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'data') {
      const text = (texts.get(event.stream) ?? '') + Buffer.from(event.bytes).toString('latin1');
      texts.set(event.stream, text);
      if (event.last) out.push(`end ${event.stream} ${text}`);
    } else out.push(Object.values(event).join(' '));
  }
  return out;
}

describe('parseSpdy', () => {
  const headers = Buffer.from('compressed headers');
  it.each<[string, Buffer, readonly string[]]>([
    ['data', Buffer.concat([data(1, 'ab'), data(1, ''), data(1, 'c', true)]), ['end 1 abc']],
    ['an empty end', data(5, '', true), ['end 5 ']],
    [
      'data of two streams',
      Buffer.concat([data(1, 'a'), data(3, 'b', true), data(1, 'c', true)]),
      ['end 3 b', 'end 1 ac'],
    ],
    ['a reply with headers', control(2, Buffer.concat([word(1), headers])), ['reply 1 false']],
    ['a reset', control(3, Buffer.concat([word(7), word(5)])), ['reset 7 5']],
    ['a ping', control(6, word(2)), ['ping 2']],
    ['goaway', control(7, Buffer.concat([word(1), word(0)])), ['goaway']],
    ['a stream of the server', control(1, Buffer.concat([word(2), word(0), word(0), headers])), ['opened 2']],
    ['headers that end a stream', control(8, Buffer.concat([word(1), headers]), 1), ['end 1 ']],
    ['settings and window updates', Buffer.concat([control(4, word(0)), control(9, Buffer.alloc(8))]), []],
  ])('parses %s', (_, bytes, want) => {
    expect(described(parse(bytes).events)).toEqual(want);
    expect(described(parse(bytes, () => 1).events)).toEqual(want);
  });

  it.each<[string, Buffer, RegExp]>([
    ['another version', Buffer.concat([word(0x80020001), word(10), Buffer.alloc(10)]), /SPDY version 2/],
    ['an unknown type', control(77, Buffer.alloc(8)), /unknown SPDY type 77/],
    ['a short reset', control(3, Buffer.alloc(4)), /type 3 has 4 bytes/],
    ['an empty ping', control(6, Buffer.alloc(0)), /type 6 has 0 bytes/],
  ])('rejects %s', (_, bytes, want) => {
    expect(parse(bytes).failure).toMatch(want);
    expect(parse(bytes, () => 1).failure).toMatch(want);
  });

  it('reads changed bytes with a bounded state', { timeout: 120_000 }, () => {
    const valid = Buffer.concat([
      control(2, Buffer.concat([word(1), headers])),
      data(1, 'abc'),
      control(6, word(2)),
    ]);
    expectBounded('spdy mutations', 500_000, [valid], {
      first: firstSpdyFrame,
      step: (state, chunk) => {
        const { state: next, events, failure } = parseSpdy(state, chunk);
        let content = 0;
        for (const event of events) if (event.type === 'data') content += event.bytes.length;
        const isBounded = next.head.length < 8 && (next.frame?.kept.length ?? 0) <= 8;
        return { state: next, content, isOk: isBounded, isEnd: failure !== undefined };
      },
    });
  });
});

it('openStreamFrame ends header blocks with an empty block, which flushes decompressors', () => {
  for (const isFirst of [true, false]) {
    const frame = Buffer.from(openStreamFrame(1, { port: '80' }, isFirst));
    expect(frame.subarray(-5).toString('hex')).toBe('000000ffff');
    expect(frame.readUIntBE(5, 3)).toBe(frame.length - 8);
  }
});

it('dataHead rejects lengths above 24 bits', () => {
  expect(() => dataHead(1, 2 ** 24, false)).toThrow(RangeError);
  expect([...dataHead(3, 5, true)]).toEqual([0, 0, 0, 3, 1, 0, 0, 5]);
});
