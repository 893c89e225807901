import { describe, expect, it } from 'vitest';
import {
  encodeFrame,
  type FrameEvent,
  type FrameFailure,
  type FrameState,
  firstFrame,
  parseFrames,
} from '../../src/runtime/client/streams/websocket/frames.ts';
import { campaign, type Random, randomOf } from '../support/random.ts';
import { expectBounded } from './mutations.ts';
import { closeFrame, serverFrame } from './server-frames.ts';

const most = 1 << 17;

interface Parsed {
  readonly state: FrameState;
  readonly events: readonly FrameEvent[];
  readonly failure?: FrameFailure | undefined;
}

/** Parses bytes in chunks of the lengths that `next` returns. */
function parse(bytes: Uint8Array, next: () => number = () => bytes.length): Parsed {
  const events: FrameEvent[] = [];
  let state = firstFrame;
  for (let start = 0; start < bytes.length; ) {
    const end = start + Math.max(1, next());
    const step = parseFrames(state, bytes.subarray(start, end), most);
    state = step.state;
    events.push(...step.events);
    if (step.failure !== undefined) return { state, events, failure: step.failure };
    start = end;
  }
  return { state, events };
}

/** Joins the parts of messages, and describes the events as strings. */
function described(events: readonly FrameEvent[]): readonly string[] {
  const out: string[] = [];
  let message = '';
  for (const event of events) {
    if (event.type === 'close') out.push(`close ${event.code} ${event.reason}`);
    else if (event.type === 'ping') out.push(`ping ${Buffer.from(event.bytes).toString('latin1')}`);
    else if (event.type === 'pong') out.push('pong');
    else {
      message += Buffer.from(event.bytes).toString('latin1');
      if (event.last) out.push(`message ${message}`);
      if (event.last) message = '';
    }
  }
  return out;
}

describe('parseFrames', () => {
  const half = { final: false };
  it.each<[string, Buffer, readonly string[]]>([
    ['a message', serverFrame(2, 'abc'), ['message abc']],
    ['an empty message', serverFrame(2, ''), ['message ']],
    ['a message of 126 bytes', serverFrame(2, 'x'.repeat(126)), [`message ${'x'.repeat(126)}`]],
    ['a message of 65536 bytes', serverFrame(2, 'x'.repeat(65_536)), [`message ${'x'.repeat(65_536)}`]],
    [
      'a fragmented message with a ping within it',
      Buffer.concat([
        serverFrame(2, 'a', half),
        serverFrame(9, 'p'),
        serverFrame(0, '', half),
        serverFrame(0, 'b'),
      ]),
      ['ping p', 'message ab'],
    ],
    ['a pong', serverFrame(10, 'x'), ['pong']],
    ['a close frame', closeFrame(1000, 'done'), ['close 1000 done']],
    ['a close frame without a code', serverFrame(8, ''), ['close 1005 ']],
    ['nothing after a close frame', Buffer.concat([closeFrame(1001), serverFrame(2, 'x')]), ['close 1001 ']],
  ])('parses %s', (_, bytes, want) => {
    expect(described(parse(bytes).events)).toEqual(want);
    expect(described(parse(bytes, () => 1).events)).toEqual(want);
  });

  it.each<[string, Buffer, number]>([
    ['a masked frame', serverFrame(2, 'a', { masked: true }), 1002],
    ['reserved bits', serverFrame(2, 'a', { reserved: 0x40 }), 1002],
    ['an unknown opcode', serverFrame(3, 'a'), 1002],
    ['an unknown control opcode', serverFrame(11, 'a'), 1002],
    ['a fragmented control frame', serverFrame(9, 'a', half), 1002],
    ['a control frame of 126 bytes', serverFrame(9, 'a'.repeat(126)), 1002],
    ['a continuation without a message', serverFrame(0, 'a'), 1002],
    ['a message within a message', Buffer.concat([serverFrame(2, 'a', half), serverFrame(2, 'b')]), 1002],
    ['a text message', serverFrame(1, 'a'), 1003],
    ['a close frame of one byte', serverFrame(8, 'a'), 1002],
    ['a close code of the client itself', closeFrame(1006), 1002],
    ['a close reason that is not UTF-8', serverFrame(8, Buffer.from([3, 232, 255])), 1002],
    ['a frame above the limit', serverFrame(2, '', { length: most + 1 }), 1009],
    ['a length of 63 bits', serverFrame(2, '', { length: Number.MAX_SAFE_INTEGER }), 1009],
    [
      'fragments above the limit',
      Buffer.concat([serverFrame(2, Buffer.alloc(most), half), serverFrame(0, 'a')]),
      1009,
    ],
  ])('rejects %s', (_, bytes, code) => {
    expect(parse(bytes).failure?.code).toBe(code);
    expect(parse(bytes, () => 1).failure?.code).toBe(code);
  });

  it('returns the events before a violation', () => {
    const { events, failure } = parse(Buffer.concat([serverFrame(2, 'a'), serverFrame(3, 'b')]));
    expect(described(events)).toEqual(['message a']);
    expect(failure?.message).toBe('a frame has the unknown opcode 3');
  });
});

/** Returns the frames of random messages, and their description. */
function conversation(random: Random): { readonly bytes: Buffer; readonly want: readonly string[] } {
  const frames: Buffer[] = [];
  const want: string[] = [];
  for (let count = random.int(8); count >= 0; count -= 1) {
    const length = random.pick([0, 1, 125, 126, 1000, 70_000]);
    const text = 'x'.repeat(length);
    const cuts = [0, ...Array.from({ length: random.int(3) }, () => random.int(length + 1)), length];
    cuts.sort((a, b) => a - b);
    for (let index = 1; index < cuts.length; index += 1) {
      const part = text.slice(cuts[index - 1], cuts[index]);
      frames.push(serverFrame(index === 1 ? 2 : 0, part, { final: index === cuts.length - 1 }));
      if (random.chance(0.2) && index < cuts.length - 1) {
        frames.push(serverFrame(9, 'p'));
        want.push('ping p');
      }
    }
    want.push(`message ${text}`);
  }
  return { bytes: Buffer.concat(frames), want };
}

describe('random conversations', () => {
  it('are parsed independently of the boundaries of chunks', () => {
    for (const seed of campaign('conversations', { rounds: 400 })) {
      const random = randomOf(seed);
      const { bytes, want } = conversation(random);
      expect(described(parse(bytes, () => random.int(5000)).events), `seed ${seed}`).toEqual(want);
    }
  });

  it('with changed bytes end in events or one failure, with a bounded state', { timeout: 120_000 }, () => {
    const valid = [false, true].map((final) =>
      Buffer.concat([serverFrame(2, 'abc', { final }), serverFrame(9, 'p'), closeFrame(1000)]),
    );
    expectBounded('mutations', 500_000, valid, {
      first: firstFrame,
      step: (state, chunk) => {
        const { state: next, events, failure } = parseFrames(state, chunk, most);
        let content = 0;
        for (const event of events) if (event.type === 'part') content += event.bytes.length;
        const isBounded = next.head.length < 10 && (next.frame?.control.length ?? 0) < 126;
        const isOver = failure === undefined || next.over;
        return { state: next, content, isOk: isBounded && isOver, isEnd: next.over };
      },
    });
  });
});

describe('encodeFrame', () => {
  const mask = Uint8Array.of(1, 2, 3, 250);

  it.each([0, 1, 5, 125, 126, 65_535, 65_536])('masks %i bytes', (length) => {
    const payload = Buffer.alloc(length, 7);
    const frame = Buffer.from(encodeFrame(2, [9], payload, mask));
    const head = length + 1 < 126 ? 2 : length + 1 < 65_536 ? 4 : 10;
    expect([...frame.subarray(head, head + 4)]).toEqual([...mask]);
    const sent = frame.subarray(head + 4).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
    expect(Buffer.compare(sent, Buffer.concat([Buffer.of(9), payload]))).toBe(0);
    const declared = frame.subarray(0, head);
    expect([...declared]).toEqual(
      length + 1 < 126
        ? [0x82, 0x80 | (length + 1)]
        : length + 1 < 65_536
          ? [0x82, 0xfe, (length + 1) >> 8, (length + 1) & 255]
          : [0x82, 0xff, 0, 0, 0, 0, 0, 1, ((length + 1) >> 8) & 255, (length + 1) & 255],
    );
  });
});
