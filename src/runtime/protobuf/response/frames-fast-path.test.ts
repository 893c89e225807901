import { describe, expect, it } from 'vitest';
import { enveloped, field, frameBytes, message } from '../../../../test/support/runtime/protobuf-bytes.ts';
import { envelopeHead, UsualFrame } from './frames-fast-path.ts';

const object = Buffer.alloc(300, 1);
const bytes = frameBytes('MODIFIED', enveloped('apps/v1', 'Thing', object)).subarray(4);
const head = envelopeHead('apps/v1', 'Thing') ?? '';

describe('a frame as servers write it', () => {
  it.each(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'])('is known: %s', (type) => {
    const frame = new UsualFrame();
    const given = frameBytes(type, enveloped('apps/v1', 'Thing', object)).subarray(4);
    expect([frame.isEvent(given), frame.type, frame.isObject(given, head)]).toEqual([true, type, true]);
    expect(given.subarray(frame.start, frame.end)).toEqual(object);
  });

  it('may have an object of no bytes', () => {
    const frame = new UsualFrame();
    const given = frameBytes('ADDED', enveloped('v1', 'Pod', Buffer.alloc(0))).subarray(4);
    expect(frame.isEvent(given) && frame.isObject(given, envelopeHead('v1', 'Pod') ?? '')).toBe(true);
    expect(frame.start).toBe(frame.end);
  });

  it.each<{ name: string; given: Buffer }>([
    { name: 'no bytes', given: Buffer.alloc(0) },
    { name: 'another type', given: frameBytes('MODIFIES', object).subarray(4) },
    { name: 'no object', given: field(1, 'ADDED') },
    { name: 'more', given: message(bytes, field(3, '')) },
    { name: 'less', given: bytes.subarray(0, -1) },
  ])('is not what has $name', ({ given }) => {
    expect(new UsualFrame().isEvent(given)).toBe(false);
  });

  it.each<{ name: string; given: Buffer }>([
    { name: 'another kind', given: enveloped('apps/v1', 'Think', object) },
    { name: 'another group', given: enveloped('v1', 'Thing', object) },
    {
      name: 'an encoding',
      given: message(enveloped('apps/v1', 'Thing', object).subarray(0, -4), field(3, 'x'), field(4, '')),
    },
    {
      name: 'no object',
      given: message(
        enveloped('apps/v1', 'Thing', Buffer.alloc(0)).subarray(0, -6),
        field(3, ''),
        field(4, ''),
      ),
    },
    { name: 'no bytes', given: Buffer.alloc(0) },
  ])('has no object of a kind where it has $name', ({ given }) => {
    const frame = new UsualFrame();
    const whole = frameBytes('ADDED', given).subarray(4);
    expect([frame.isEvent(whole), frame.isObject(whole, head)]).toEqual([true, false]);
  });
});

describe('what an envelope begins with', () => {
  it.each([
    { apiVersion: 'grüße/v1', kind: 'Thing' },
    { apiVersion: 'v1', kind: 'T'.repeat(122) },
    { apiVersion: 'v1', kind: 'T'.repeat(200) },
  ])('is not known of $apiVersion $kind', ({ apiVersion, kind }) => {
    expect(envelopeHead(apiVersion, kind)).toBeUndefined();
  });

  it('has a length of at most 127 bytes', () => {
    expect(envelopeHead('v1', 'T'.repeat(121))).toHaveLength(4 + 2 + 127);
  });
});
