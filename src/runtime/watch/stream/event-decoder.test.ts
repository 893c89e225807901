import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { Seeded } from '../../../../test/support/runtime/random.ts';
import { ScriptedSource, type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import { isDecodeError } from '../../api/errors.ts';
import type { APIResponse } from '../../api/transport.ts';
import type { Stored } from '../../api/types.ts';
import type { StreamEvent } from '../machine/machine-types.ts';
import type { ListWatch } from '../source.ts';
import { decoderFor, type EventDecoder } from './event-decoder.ts';

const operation = { verb: 'watch', resource: 'things', namespace: 'shop' };
const protobuf = 'application/vnd.kubernetes.protobuf;stream=watch';

type Event = StreamEvent<Stored<Thing>>;
type Decoder = EventDecoder<Stored<Thing>>;

type Readers = Pick<ListWatch<Thing>, 'parseLine'> & Pick<APIResponse, 'readFrame'>;

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

describe('decodes events regardless of chunk boundaries', () => {
  const forms: { name: string; bytes: Buffer; make: () => Decoder }[] = [
    { name: 'lines', bytes: Buffer.from(`${texts.join('\n')}\n`), make: () => decoder('application/json') },
    {
      name: 'lines that end with \\r\\n',
      bytes: Buffer.from(`${texts.join('\r\n')}\r\n`),
      make: () => decoder(undefined),
    },
    {
      name: 'lines with blank lines between them',
      bytes: Buffer.from(`\n${texts.join('\n \r\n\n')}\n`),
      make: () => decoder('application/json;stream=watch'),
    },
    {
      name: 'lines that the source parses',
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

describe('decoder of a response', () => {
  it.each(['text/html', 'Text/HTML; charset=utf-8'])('throws DecodeError for an HTML page: %s', (type) => {
    expect(() => decoder(type)).toThrow(
      'watch things in namespace shop: the response is text/html, not a stream of JSON; is a proxy or a login page in between?',
    );
  });

  it.each([
    protobuf,
    'application/vnd.kubernetes.protobuf; stream=watch',
    'Application/Vnd.Kubernetes.Protobuf;stream=watch',
  ])('decodes frames if the response has a decoder for them: %s', (type) => {
    expect(() => decoder(type)).toThrow(
      `watch things in namespace shop: the server responded with "${type}", although JSON was requested: its frames cannot be decoded`,
    );
    const [event] = decoder(type, { readFrame: parse }).push(frameOf(texts[0] ?? ''));
    expect(event).toEqual(changes[0]);
  });

  it('passes lines without their ends to the source', () => {
    const lines: string[] = [];
    const parseLine = (line: Uint8Array): unknown => {
      lines.push(Buffer.from(line).toString());
      return parse(line);
    };
    decoder(undefined, { parseLine }).push(Buffer.from(`${texts[0]}\r\n${texts[1]}\n`));
    expect(lines).toEqual(texts.slice(0, 2));
  });

  it.each([undefined, 'application/json', 'text/plain', ''])('decodes lines for content-type %s', (type) => {
    const [event] = decoder(type, { readFrame: () => undefined }).push(Buffer.from(`${texts[0]}\n`));
    expect(event).toEqual(changes[0]);
  });
});

describe('end of a stream', () => {
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
  ])('frames: $bytes received bytes', ({ bytes, want }) => {
    const one = decoder(protobuf, { readFrame: parse });
    one.push(frameOf(texts[0] ?? '').subarray(0, bytes));
    expect(one.end()).toBe(want);
  });
});

const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };

describe('a frame in an unsupported format', () => {
  /** The third frame is in another format. */
  const frames = Buffer.concat([...texts.slice(0, 2), 'other', ...texts.slice(2)].map(frameOf));
  const read = (frame: Uint8Array): unknown => (frame.length === 5 ? undefined : parse(frame));

  it.each([1, 7, 400, frames.length])(
    'is detected after the events before it, in chunks of %i bytes',
    (size) => {
      const one = decoder(protobuf, { readFrame: read });
      const seen: Event[] = [];
      for (let at = 0; at < frames.length && !one.unsupportedFormat; at += size)
        seen.push(...one.push(frames.subarray(at, at + size)));
      expect(seen).toEqual(changes.slice(0, 2));
      expect(one.unsupportedFormat).toBe(true);
    },
  );

  it('is not detected if all frames are decoded', () => {
    const one = decoder(protobuf, { readFrame: parse });
    expect(one.push(Buffer.concat(texts.map(frameOf)))).toEqual(changes);
    expect(one.unsupportedFormat).toBe(false);
    expect(decoder(undefined).unsupportedFormat).toBe(false);
  });
});

describe('malformed data', () => {
  it.each<{ name: string; given: string[]; readers?: Readers; want: string[] }>([
    {
      name: 'ends the stream',
      given: [texts[0] ?? '', '{"type":', texts[1] ?? ''],
      want: [
        'ADDED grüße 7',
        'watch things in namespace shop: a line of the stream is not JSON: "{\\"type\\":"',
      ],
    },
    {
      name: 'is an ApiError if the server sends an error',
      given: [texts[0] ?? '', JSON.stringify({ type: 'ERROR', object: status }), texts[1] ?? ''],
      want: ['ADDED grüße 7', 'watch things in namespace shop: 410 Expired: too old'],
    },
    {
      name: 'is the error that the source throws',
      given: [texts[0] ?? ''],
      readers: {
        parseLine: () => {
          throw new TypeError('oops');
        },
      },
      want: [
        `watch things in namespace shop: a line of the stream cannot be decoded: oops: ${JSON.stringify(`${texts[0]?.slice(0, 40)}…`)}`,
      ],
    },
    {
      name: 'is quoted up to the beginning of the line',
      given: ['<html>502 Bad Gateway, and much more that nobody needs</html>'],
      want: [
        'watch things in namespace shop: a line of the stream is not JSON: "<html>502 Bad Gateway, and much more tha…"',
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

  it('ends the stream in a line that an earlier chunk began', () => {
    const one = decoder(undefined);
    expect(one.push(Buffer.from('{"ty'))).toEqual([]);
    expect(one.push(Buffer.from(`pe"\n${texts[0]}\n`)).map(short)).toEqual([
      'watch things in namespace shop: a line of the stream is not JSON: "{\\"type\\""',
    ]);
  });

  it('includes lines above the limit', () => {
    const one = decoder(undefined);
    const [event] = [...one.push(Buffer.alloc(2 ** 24, 'x')), ...one.push(Buffer.from('x'))];
    expect(event?.type === 'ERROR' && isDecodeError(event.error) && event.error.message).toBe(
      'watch things in namespace shop: a line of the stream cannot be decoded: a line is longer than 16777216 bytes',
    );
  });

  it.each([
    {
      name: 'above the limit',
      given: Buffer.of(255, 0, 0, 0),
      want: 'a frame has 4278190080 bytes; 16777216 is the limit',
    },
    {
      name: 'that its decoder rejects',
      given: frameOf('no'),
      want: 'a frame of the stream is not JSON',
    },
    {
      name: 'that is not an event',
      given: frameOf('[]'),
      want: 'the stream contains a value that is not an event',
    },
    { name: 'of an unknown type', given: frameOf('{"type":"TOUCHED"}'), want: 'unknown event type' },
    {
      name: 'with an error of the server',
      given: frameOf(JSON.stringify({ type: 'ERROR', object: status })),
      want: '410 Expired',
    },
  ])('includes a frame $name', ({ given, want }) => {
    const events = decoder(protobuf, { readFrame: parse }).push(
      Buffer.concat([frameOf(texts[0] ?? ''), given, frameOf('{}')]),
    );
    expect(events).toHaveLength(2);
    expect(events.map(short)[1]).toContain(want);
  });
});
