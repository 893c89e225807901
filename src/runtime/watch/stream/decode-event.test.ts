import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { ScriptedSource, type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import { DecodeError, isApiError } from '../../api/errors.ts';
import { isExpired } from '../../api/failure-reasons.ts';
import type { Stored } from '../../api/types.ts';
import { classify, retryAfterMs } from '../machine/failure.ts';
import type { StreamEvent } from '../machine/machine-types.ts';
import { decoderFor } from './event-decoder.ts';

const operation = { verb: 'watch', resource: 'things', namespace: 'shop' };

/** Returns the one event of a line. @throws the error of an `ERROR` */
function decode(value: unknown): StreamEvent<Stored<Thing>> {
  const source = new ScriptedSource();
  const decoder = decoderFor(new ByteStream().response, source, operation);
  const [event] = decoder.push(Buffer.from(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`));
  if (event === undefined) throw new Error('no event');
  if (event.type === 'ERROR' && !isApiError(event.error)) throw event.error;
  return event;
}

function thrown(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('one line of a watch', () => {
  it.each(['ADDED', 'MODIFIED', 'DELETED'])('returns the object of %s', (type) => {
    expect(decode({ type, object: thing('a', 7) })).toEqual({ type, object: thing('a', 7) });
  });

  it('keeps only version and annotations of a bookmark', () => {
    const object = {
      kind: 'Thing',
      apiVersion: 'example.com/v1',
      metadata: { resourceVersion: '9', creationTimestamp: null, annotations: { a: 'b' } },
      spec: { containers: null },
    };
    expect(decode({ type: 'BOOKMARK', object })).toEqual({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: '9', annotations: { a: 'b' } } },
    });
  });

  it.each<{ name: string; object: unknown; annotations?: Record<string, string> }>([
    { name: 'no annotations', object: { metadata: { resourceVersion: '9' } } },
    { name: 'annotations of a wrong type', object: { metadata: { resourceVersion: '9', annotations: [1] } } },
    {
      name: 'annotations that are not strings',
      object: { metadata: { resourceVersion: '9', annotations: { a: 'b', c: 1, d: null, e: {} } } },
      annotations: { a: 'b' },
    },
    {
      name: 'no kind, and unknown members',
      object: { x: 1, metadata: { resourceVersion: '9', name: 7, labels: 'y' } },
    },
  ])('accepts a bookmark with $name', ({ object, annotations }) => {
    const metadata = { resourceVersion: '9', ...(annotations && { annotations }) };
    expect(decode({ type: 'BOOKMARK', object })).toEqual({ type: 'BOOKMARK', object: { metadata } });
  });

  it('creates an ApiError from a Status', () => {
    const event = decode({
      type: 'ERROR',
      object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' },
    });
    expect(event.type === 'ERROR' && isExpired(event.error)).toBe(true);
    expect(event.type === 'ERROR' && event.error.message).toBe(
      'watch things in namespace shop: 410 Expired: too old',
    );
  });

  it('omits invalid members of a Status', () => {
    const details = { causes: 7, retryAfterSeconds: 'soon' };
    const event = decode({ type: 'ERROR', object: { code: 500, message: 5, details } });
    expect(event).toMatchObject({ type: 'ERROR', error: { code: 500, details: {} } });
    expect(event.type === 'ERROR' && [classify(event.error), retryAfterMs(event.error)]).toEqual([
      'transient',
      0,
    ]);
  });

  it('keeps a property named __proto__ as a property', () => {
    const line = `{"type":"ADDED","object":${JSON.stringify(thing('a', 7)).replace('{', '{"__proto__":{"polluted":1},')}}`;
    const event = decode(line);
    expect(event.type).toBe('ADDED');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(event.type === 'ADDED' && Reflect.get(event.object, 'polluted')).toBeUndefined();
  });

  it.each<{ given: unknown; want: string }>([
    { given: '<html>502 Bad Gateway</html>', want: 'not JSON' },
    { given: 'null', want: 'is not an event' },
    { given: '[]', want: 'is not an event' },
    { given: { type: 'TOUCHED', object: thing('a', 1) }, want: 'unknown event type' },
    { given: { object: thing('a', 1) }, want: 'unknown event type' },
    { given: { type: 'ADDED' }, want: 'no object' },
    {
      given: { type: 'ADDED', object: { metadata: { name: 'a', resourceVersion: '1' } } },
      want: 'no apiVersion',
    },
    { given: { type: 'ADDED', object: { apiVersion: 'v1', kind: 'Thing' } }, want: 'no metadata' },
    { given: { type: 'ADDED', object: { apiVersion: 'v1', kind: 'Thing', metadata: {} } }, want: 'no name' },
    {
      given: { type: 'ADDED', object: { ...thing('a', 1), metadata: { name: 'a' } } },
      want: 'no resourceVersion',
    },
    { given: { type: 'ADDED', object: 'text' }, want: 'no object' },
    { given: { type: 'ADDED', object: [] }, want: 'no object' },
    { given: { type: 'ADDED', object: { ...thing('a', 1), kind: undefined } }, want: 'no kind' },
    { given: { type: 'ADDED', object: { ...thing('a', 1), kind: 7 } }, want: 'no kind' },
    { given: { type: 'ADDED', object: { ...thing('a', 1), metadata: null } }, want: 'no metadata' },
    { given: { type: 'added', object: thing('a', 1) }, want: 'unknown event type' },
    { given: { type: 7, object: thing('a', 1) }, want: 'unknown event type' },
    { given: '7', want: 'is not an event' },
    { given: { type: 'BOOKMARK', object: { metadata: {} } }, want: 'no resourceVersion' },
    { given: { type: 'BOOKMARK', object: { metadata: { resourceVersion: 9 } } }, want: 'no resourceVersion' },
    {
      given: { type: 'BOOKMARK', object: { metadata: { resourceVersion: '' } } },
      want: 'no resourceVersion',
    },
    { given: { type: 'BOOKMARK' }, want: 'no resourceVersion' },
  ])('rejects $given: $want', ({ given, want }) => {
    expect(() => decode(given)).toThrow(DecodeError);
    expect(() => decode(given)).toThrow(want);
    expect(() => decode(given)).toThrow('watch things in namespace shop: ');
  });

  it('throws one DecodeError for a value that is not an event', () => {
    expect(() => decode('null')).toThrow(
      /^watch things in namespace shop: the stream contains a value that is not an event: "null"$/,
    );
  });

  it('contains only the beginning of a malformed line', () => {
    const secret = `${'x'.repeat(100)}password`;
    expect(() => decode(secret)).toThrow(/^(?!.*password)/);
  });

  it('has no cause that contains another part of a malformed line', () => {
    const line = '{"type":"ADDED","object":{"kind":"Secret","data":{"a":password}}}';
    expect(() => JSON.parse(line)).toThrow('password');
    const error = thrown(() => decode(line));
    expect(error).toBeInstanceOf(DecodeError);
    expect(inspect(error)).not.toContain('password');
  });
});
