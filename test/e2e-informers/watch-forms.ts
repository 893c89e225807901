/** Watch events in both encodings of servers. */
import { enveloped, field, frameBytes, message, varint } from '../support/runtime/protobuf-bytes.ts';
import type { FalseEvent } from './steps.ts';

/** False events that are independent of the real one, or derived from it. */
type Invented = Exclude<FalseEvent, 'repeated' | 'stale'>;

/** Encoding of the events of a watch. */
export interface WatchForm {
  /** Returns the length of the first event in the bytes; `undefined` if it is incomplete. */
  length(bytes: Buffer): number | undefined;
  isBookmark(event: Buffer): boolean;
  /** Returns a false event about an object of the same kind. */
  falseEvent(what: Invented, event: Buffer): Buffer;
}

const gone = { message: 'too old resource version', reason: 'Expired', code: 410 } as const;

/** JSON, one line per event. */
const lines: WatchForm = {
  length(bytes) {
    const end = bytes.indexOf('\n');
    return end === -1 ? undefined : end + 1;
  },
  isBookmark: (event) => event.toString('latin1', 0, 18) === '{"type":"BOOKMARK"',
  falseEvent(what) {
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...gone };
    const reported: Readonly<Record<Invented, string>> = {
      garbage: '{"type":"MODIFIED","object":{"met',
      undecodable: '{"type":"MODIFIED","object":{"kind":"ConfigMap","apiVersion":"v1","data":{}}}',
      expired: JSON.stringify({ type: 'ERROR', object: status }),
    };
    return Buffer.from(`${reported[what]}\n`);
  },
};

const header = 4;
const prefix = 'k8s\0';

/** Returns the beginning of an event's envelope, which contains the kind of the object. */
function kindOf(event: Buffer): Buffer {
  const start = event.indexOf(prefix);
  const length = event[start + prefix.length + 1] ?? 0;
  return event.subarray(start, start + prefix.length + 2 + length);
}

const status: Buffer = enveloped(
  'v1',
  'Status',
  message(
    field(1, ''),
    field(2, 'Failure'),
    field(3, gone.message),
    field(4, gone.reason),
    varint(6 * 8),
    varint(gone.code),
  ),
);

/** Protobuf, a length and a message per event. */
const frames: WatchForm = {
  length(bytes) {
    if (bytes.length < header) return undefined;
    const end = header + bytes.readUInt32BE(0);
    return bytes.length < end ? undefined : end;
  },
  isBookmark: (event) => event.includes(field(1, 'BOOKMARK')),
  falseEvent(what, event) {
    switch (what) {
      case 'garbage':
        return frameBytes('MODIFIED', message(kindOf(event), Buffer.of(0x12, 0x7f)));
      case 'undecodable':
        return frameBytes('MODIFIED', message(kindOf(event), field(2, field(1, ''))));
      case 'expired':
        return frameBytes('ERROR', status);
    }
  },
};

/** Returns the encoding of a response. */
export function formOf(contentType = ''): WatchForm {
  return contentType.startsWith('application/vnd.kubernetes.protobuf') ? frames : lines;
}
