/** Responses as values: any status, any headers, any body. The wires write them with further faults. */
import { gzipSync } from 'node:zlib';
import type { Random } from '../../support/random.ts';
import { anyEvent, anyResponse, anyValue } from './values.ts';

export interface Reply {
  readonly status: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

const statuses: readonly [string, ...string[]] = [
  ...[
    '201',
    '202',
    '204',
    '206',
    '301',
    '302',
    '304',
    '307',
    '400',
    '401',
    '403',
    '404',
    '405',
    '406',
    '407',
  ],
  ...[
    '409',
    '410',
    '413',
    '415',
    '422',
    '429',
    '429',
    '500',
    '500',
    '502',
    '503',
    '503',
    '504',
    '599',
    '999',
  ],
  ...['100', '101', '103', '199', '000', '600', 'abc', '-1', '65536', ''],
] as const;

const retryAfters: readonly [string, ...string[]] = [
  ...['0', '0', '0', '1', '1', '5', '300', '301', '31536000', '-1', '1.5', '1e3', '0x10', ' 2 ', '1, 2'],
  ...['9'.repeat(400), 'NaN', 'Infinity', '', 'soon', 'Wed, 21 Oct 2015 07:28:00 GMT', '\u00ff'],
] as const;

const types: readonly [string, ...string[]] = [
  ...['application/json', 'application/json', 'application/json; charset=utf-16', 'text/plain', 'text/html'],
  ...['application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf;stream=watch'],
  ...['application/json;stream=watch', 'application/cbor', 'garbage', ''],
] as const;

const warnings: readonly [string, ...string[]] = [
  '299 - "old"',
  '299 - "old\\"" , 299 a "b" "c"',
  `${'299 - "'.repeat(500)}`,
  `299 - "${'\\'.repeat(2000)}`,
  ','.repeat(2000),
];

const names: readonly [string, ...string[]] = [
  ...['__proto__', 'constructor', 'tostring', 'location', 'etag', 'date', 'audit-id', 'www-authenticate'],
  ...[
    'set-cookie',
    'link',
    'content-disposition',
    'trailer',
    'upgrade',
    'alt-svc',
    'x-kubernetes-pf-flowschema-uid',
  ],
] as const;

const texts: readonly [string, ...string[]] = [
  ...['', 'x', 'a'.repeat(5000), '\u00ff\u00fe', 'https://user:sesame@h/x', 'http://[', '//', 'W/"x"', '0'],
] as const;

export function anyBytes(random: Random, most: number): Buffer {
  return Buffer.from(Array.from({ length: random.int(most) }, () => random.int(256)));
}

/** Returns bytes with the prefix of protobuf objects. */
function protobuf(random: Random): Buffer {
  const type = Buffer.from('\x0a\x02v1\x12\x03Pod');
  const rest = anyBytes(random, 120);
  const envelope = [
    Buffer.from('k8s\0\x0a'),
    Buffer.of(type.length),
    type,
    Buffer.of(0x12, rest.length),
    rest,
  ];
  return Buffer.concat(random.chance(0.2) ? [Buffer.from('k8s\0'), rest] : envelope);
}

/** Returns frames of a protobuf watch, the last of which may be truncated. */
function frames(random: Random): Buffer {
  return Buffer.concat(
    Array.from({ length: 1 + random.int(3) }, () => {
      const event = random.chance(0.5) ? protobuf(random) : anyBytes(random, 60);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(random.chance(0.2) ? random.int(2 ** 32) : event.length);
      return Buffer.concat([length, event]);
    }),
  );
}

function lines(random: Random): string {
  const events = Array.from({ length: random.int(12) }, () => JSON.stringify(anyEvent(random)));
  return events.join(random.pick(['\n', '\n', '\r\n', '\n\n', ''])) + random.pick(['\n', '\n', '']);
}

function nested(random: Random): string {
  const depth = 10 ** random.int(6);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['{"kind":"Status","details":', '}'],
    ['{"metadata":{},"items":[', ']}'],
  ]);
  return `${open.repeat(depth)}1${random.chance(0.7) ? close.repeat(depth) : ''}`;
}

function long(random: Random): string {
  const one = JSON.stringify(anyResponse(random));
  const items = Array.from({ length: random.int(3000) }, () => one).join(',');
  return `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[${items}]}`;
}

type Make = (random: Random) => string | Buffer;

const bodies: readonly [Make, ...Make[]] = [
  (random) => JSON.stringify(anyResponse(random)),
  (random) => JSON.stringify(anyResponse(random)),
  (random) => JSON.stringify(anyResponse(random)),
  (random) => JSON.stringify(anyResponse(random), undefined, 2),
  (random) => JSON.stringify(anyValue(random, 5)),
  lines,
  lines,
  nested,
  long,
  protobuf,
  frames,
  (random) => anyBytes(random, 400),
  (random) => 'log\n'.repeat(random.int(500)),
  () => '',
];

function bodyOf(random: Random): Buffer {
  const whole = Buffer.from(random.pick(bodies)(random));
  return random.chance(0.1) ? whole.subarray(0, random.int(whole.length + 1)) : whole;
}

function encoded(body: Buffer, random: Random): Pick<Reply, 'headers' | 'body'> {
  const name = random.pick(['gzip', 'gzip', 'gzip', 'GZIP', 'br', 'gzip, gzip', 'identity']);
  const packed = random.chance(0.2) ? gzipSync(Buffer.alloc(random.int(8_000_000), 32)) : gzipSync(body);
  const cut = packed.subarray(0, random.int(packed.length + 1));
  const sent = random.pick([packed, packed, cut, body, Buffer.concat([packed, body])]);
  return { headers: [['content-encoding', name]], body: sent };
}

/** Returns a random response; half of them are successful. */
export function anyReply(random: Random): Reply {
  const status = random.chance(0.75) ? '200' : random.pick(statuses);
  const headers: (readonly [string, string])[] = [];
  if (random.chance(0.9)) headers.push(['content-type', random.chance(0.8) ? types[0] : random.pick(types)]);
  if (status !== '200' && random.chance(0.6)) headers.push(['retry-after', random.pick(retryAfters)]);
  if (random.chance(0.1)) headers.push(['warning', random.pick(warnings)]);
  if (/^30/.test(status)) headers.push(['location', random.pick(texts)]);
  while (random.chance(0.2)) headers.push([random.pick(names), random.pick(texts)]);
  const body = bodyOf(random);
  if (random.chance(0.85)) return { status, headers, body };
  const packed = encoded(body, random);
  return { status, headers: [...headers, ...packed.headers], body: packed.body };
}
