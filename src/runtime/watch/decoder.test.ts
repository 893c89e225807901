import { describe, expect, it } from 'vitest';
import { isDecodeError } from '../errors.ts';
import type { Response } from '../rest/types.ts';
import { ByteStream } from '../testkit/byte-stream.ts';
import { Seeded } from '../testkit/random.ts';
import { ScriptedSource, type Thing, thing } from '../testkit/scripted-source.ts';
import type { Stored } from '../types.ts';
import { decoderFor, type EventDecoder } from './decoder.ts';
import type { StreamEvent } from './machine.ts';
import type { ListWatch } from './source.ts';

const operation = { verb: 'watch', resource: 'things', namespace: 'shop' };
const protobuf = 'application/vnd.kubernetes.protobuf;stream=watch';

type Event = StreamEvent<Stored<Thing>>;
type Decoder = EventDecoder<Stored<Thing>>;

type Readers = Pick<ListWatch<Thing>, 'parseLine'> & Pick<Response, 'readFrame'>;

function decoder(type: string | undefined, { readFrame, ...readers }: Readers = {}): Decoder {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  return decoderFor(
    { ...new ByteStream().response, headers, ...(readFrame && { readFrame }) },
    Object.assign(new ScriptedSource(), readers),
    operation,
  );
}

const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());
const frameOf = (text: string): Buffer => {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(Buffer.byteLength(text));
  return Buffer.concat([header, Buffer.from(text)]);
};

/** Returns an event in short form: `ADDED a 7`, or the message of the error. */
const short = (event: Event): string => {
  if (event.type === 'ERROR') return event.error.message;
  if (event.type === 'BOOKMARK') return `BOOKMARK ${event.object.metadata.resourceVersion}`;
  return `${event.type} ${event.object.metadata.name} ${event.object.metadata.resourceVersion}`;
};

const changes: Event[] = [
  { type: 'ADDED', object: thing('grüße', 7) },
  { type: 'MODIFIED', object: thing('日本語', 8, { labels: { emoji: '🙂🙂', long: 'ß'.repeat(300) } }) },
  { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } },
  { type: 'DELETED', object: thing('plain', 10) },
];
const texts = changes.map((change) => JSON.stringify(change));

describe('events do not depend on where chunks end', () => {
  const forms: { name: string; bytes: Buffer; make: () => Decoder }[] = [
    { name: 'lines', bytes: Buffer.from(`${texts.join('\n')}\n`), make: () => decoder('application/json') },
    {
      name: 'lines that end with \\r\\n',
      bytes: Buffer.from(`${texts.join('\r\n')}\r\n`),
      make: () => decoder(undefined),
    },
    {
      name: 'lines with blank ones between',
      bytes: Buffer.from(`\n${texts.join('\n \r\n\n')}\n`),
      make: () => decoder('application/json;stream=watch'),
    },
    {
      name: 'lines that the source reads',
      bytes: Buffer.from(`${texts.join('\r\n\n')}\n`),
      make: () => decoder('application/json', { parseLine: parse }),
    },
    {
      name: 'frames',
      bytes: Buffer.concat(texts.map(frameOf)),
      make: () => decoder(protobuf, { readFrame: parse }),
    },
  ];
  it.each(forms)('$name', ({ bytes, make }) => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = new Seeded(seed);
      const [one, most] = [make(), 1 + random.below(400)];
      const seen: Event[] = [];
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + random.below(most);
        seen.push(...one.push(new Uint8Array(bytes.subarray(at, at + size))));
        at += size;
      }
      expect(seen, `seed ${seed}`).toEqual(changes);
      expect(one.end(), `seed ${seed}`).toBeUndefined();
    }
  });
});

describe('the form of an answer', () => {
  it.each(['text/html', 'Text/HTML; charset=utf-8'])('%s is a page for people', (type) => {
    expect(() => decoder(type)).toThrow(
      'watch things shop: the answer is text/html, not a stream of JSON; is there a proxy or a login page in between?',
    );
  });

  it.each([
    protobuf,
    'application/vnd.kubernetes.protobuf; stream=watch',
    'Application/Vnd.Kubernetes.Protobuf;stream=watch',
  ])('%s is frames, which an answer says how to read', (type) => {
    expect(() => decoder(type)).toThrow(
      `watch things shop: the server answered with "${type}", and JSON was asked for: nothing reads its frames`,
    );
    const [event] = decoder(type, { readFrame: parse }).push(frameOf(texts[0] ?? ''));
    expect(event).toEqual(changes[0]);
  });

  it('gives a source its lines without their ends', () => {
    const lines: string[] = [];
    const parseLine = (line: Uint8Array): unknown => {
      lines.push(Buffer.from(line).toString());
      return parse(line);
    };
    decoder(undefined, { parseLine }).push(Buffer.from(`${texts[0]}\r\n${texts[1]}\n`));
    expect(lines).toEqual(texts.slice(0, 2));
  });

  it.each([undefined, 'application/json', 'text/plain', ''])('%s is lines', (type) => {
    const [event] = decoder(type, { readFrame: () => undefined }).push(Buffer.from(`${texts[0]}\n`));
    expect(event).toEqual(changes[0]);
  });
});

describe('the end of a stream', () => {
  it.each([
    { given: Buffer.from(''), want: undefined },
    { given: Buffer.from(`${texts[0]}\n`), want: undefined },
    { given: Buffer.from(`${texts[0]}\n \r`), want: undefined },
    { given: Buffer.from(`${texts[0]}\n${texts[1]?.slice(0, 9)}`), want: 'a line' },
    { given: Buffer.from(texts[0] ?? ''), want: 'a line' },
  ])('lines: $given', ({ given, want }) => {
    const one = decoder(undefined);
    one.push(given);
    expect(one.end()).toBe(want);
  });

  it.each([
    { bytes: 0, want: undefined },
    { bytes: 3, want: 'a frame' },
    { bytes: 4, want: 'a frame' },
    { bytes: 9, want: 'a frame' },
  ])('frames, of which $bytes bytes are there', ({ bytes, want }) => {
    const one = decoder(protobuf, { readFrame: parse });
    one.push(frameOf(texts[0] ?? '').subarray(0, bytes));
    expect(one.end()).toBe(want);
  });
});

const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };

describe('a frame that is to come in another form', () => {
  /** The third frame is in another format. */
  const frames = Buffer.concat([...texts.slice(0, 2), 'other', ...texts.slice(2)].map(frameOf));
  const read = (frame: Uint8Array): unknown => (frame.length === 5 ? undefined : parse(frame));

  it.each([1, 7, 400, frames.length])('comes behind the events before it, in chunks of %i bytes', (size) => {
    const one = decoder(protobuf, { readFrame: read });
    const seen: Event[] = [];
    for (let at = 0; at < frames.length && !one.unfit; at += size)
      seen.push(...one.push(frames.subarray(at, at + size)));
    expect(seen).toEqual(changes.slice(0, 2));
    expect(one.unfit).toBe(true);
  });

  it('does not come where all are read', () => {
    const one = decoder(protobuf, { readFrame: parse });
    expect(one.push(Buffer.concat(texts.map(frameOf)))).toEqual(changes);
    expect(one.unfit).toBe(false);
    expect(decoder(undefined).unfit).toBe(false);
  });
});

describe('what cannot be read', () => {
  it.each<{ name: string; given: string[]; readers?: Readers; want: string[] }>([
    {
      name: 'ends what is looked at',
      given: [texts[0] ?? '', '{"type":', texts[1] ?? ''],
      want: ['ADDED grüße 7', 'watch things shop: a line of the stream is not JSON: "{\\"type\\":"'],
    },
    {
      name: 'may be the server, which gives up',
      given: [texts[0] ?? '', JSON.stringify({ type: 'ERROR', object: status }), texts[1] ?? ''],
      want: ['ADDED grüße 7', 'watch things shop: 410 Expired: too old'],
    },
    {
      name: 'may be what the source says',
      given: [texts[0] ?? ''],
      readers: {
        parseLine: () => {
          throw new TypeError('oops');
        },
      },
      want: [
        `watch things shop: a line of the stream cannot be read: oops: ${JSON.stringify(`${texts[0]?.slice(0, 40)}…`)}`,
      ],
    },
    {
      name: 'shows how a line begins',
      given: ['<html>502 Bad Gateway, and much more that nobody needs</html>'],
      want: [
        'watch things shop: a line of the stream is not JSON: "<html>502 Bad Gateway, and much more tha…"',
      ],
    },
  ])('$name', ({ given, readers, want }) => {
    expect(
      decoder(undefined, readers)
        .push(Buffer.from(`${given.join('\n')}\n`))
        .map(short),
    ).toEqual(want);
    const one = decoder(undefined, readers);
    const singly = given.flatMap((line) => one.push(Buffer.from(`${line}\n`)).map(short));
    expect(singly.slice(0, want.length)).toEqual(want);
  });

  it('ends what is looked at, also where it is a line that an earlier chunk began', () => {
    const one = decoder(undefined);
    expect(one.push(Buffer.from('{"ty'))).toEqual([]);
    expect(one.push(Buffer.from(`pe"\n${texts[0]}\n`)).map(short)).toEqual([
      'watch things shop: a line of the stream is not JSON: "{\\"type\\""',
    ]);
  });

  it('may be a line that is too long', () => {
    const one = decoder(undefined);
    const [event] = [...one.push(Buffer.alloc(2 ** 24, 'x')), ...one.push(Buffer.from('x'))];
    expect(event?.type === 'ERROR' && isDecodeError(event.error) && event.error.message).toBe(
      'watch things shop: a line of the stream cannot be read: a line is longer than 16777216 bytes',
    );
  });

  it.each([
    {
      name: 'that is too long',
      given: Buffer.of(255, 0, 0, 0),
      want: 'a frame has 4278190080 bytes; 16777216 is the limit',
    },
    {
      name: 'that its reader does not take',
      given: frameOf('no'),
      want: 'a frame of the stream is not JSON',
    },
    { name: 'that is no event', given: frameOf('[]'), want: 'the stream has what is no event' },
    { name: 'of an unknown type', given: frameOf('{"type":"TOUCHED"}'), want: 'unknown type of event' },
    {
      name: 'in which the server gives up',
      given: frameOf(JSON.stringify({ type: 'ERROR', object: status })),
      want: '410 Expired',
    },
  ])('may be a frame $name', ({ given, want }) => {
    const events = decoder(protobuf, { readFrame: parse }).push(
      Buffer.concat([frameOf(texts[0] ?? ''), given, frameOf('{}')]),
    );
    expect(events).toHaveLength(2);
    expect(events.map(short)[1]).toContain(want);
  });
});
