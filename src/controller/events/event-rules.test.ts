import { describe, expect, it } from 'vitest';
import { mulberry32 } from '../../../test/support/random.ts';
import type { EventToRecord } from './event.ts';
import { checkReportingController, checkReportingInstance, cutBytes, validEvent } from './event-rules.ts';

const regarding = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', uid: 'u1' } };
const event: EventToRecord = {
  regarding,
  type: 'Normal',
  reason: 'Deployed',
  action: 'Reconcile',
  note: 'ok',
};

const asEvent = (changes: object): EventToRecord => ({ ...event, ...changes });

describe('cutBytes', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['aé', 2, 'a'],
    ['aé', 3, 'aé'],
    ['a€', 3, 'a'],
    ['a😀b', 4, 'a'],
    ['a😀b', 5, 'a😀'],
    ['\ud800', 3, '\ufffd'],
    ['\ud800', 2, ''],
    ['', 8, ''],
  ])('cuts %j at %i bytes to %j', (text, bytes, expected) => {
    expect(cutBytes(text, bytes)).toBe(expected);
  });

  it('returns the longest beginning of complete characters within the limit', () => {
    const random = mulberry32(1);
    const characters = ['a', 'é', '€', '😀', '\ud83d', '\udc00'];
    for (let round = 0; round < 2000; round += 1) {
      const text = Array.from({ length: 20 }, () => characters[Math.floor(random() * 6)]).join('');
      const limit = Math.floor(random() * 40);
      const wellFormed = [...Buffer.from(text).toString()];
      let expected = '';
      for (const character of wellFormed) {
        if (Buffer.byteLength(expected + character) > limit) break;
        expected += character;
      }
      expect(cutBytes(text, limit)).toBe(expected);
    }
  });
});

describe('validEvent', () => {
  it('builds references without the resource version', () => {
    const metadata = { ...regarding.metadata, resourceVersion: '7', labels: { a: 'b' } };
    expect(validEvent(asEvent({ regarding: { ...regarding, metadata } }))).toEqual({
      ...event,
      regarding: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'shop', uid: 'u1' },
      related: undefined,
    });
  });

  it.each([
    ['n'.repeat(1024), 'n'.repeat(1024)],
    ['n'.repeat(1025), `${'n'.repeat(1021)}…`],
    ['€'.repeat(341), '€'.repeat(341)],
    ['€'.repeat(342), `${'€'.repeat(340)}…`],
    ['😀'.repeat(257), `${'😀'.repeat(255)}…`],
    [`${'n'.repeat(1022)}\ud800`, `${'n'.repeat(1021)}…`],
    [`${'n'.repeat(1021)}\ud800`, `${'n'.repeat(1021)}\ufffd`],
  ])('limits a note to 1024 bytes of UTF-8 (case %#)', (note, expected) => {
    const valid = validEvent(asEvent({ note }));
    expect(valid).toMatchObject({ note: expected });
  });

  it('limits reason and action to 128 bytes of UTF-8', () => {
    const valid = validEvent(asEvent({ reason: 'é'.repeat(100), action: 'a'.repeat(129) }));
    expect(valid).toMatchObject({ reason: 'é'.repeat(64), action: 'a'.repeat(128) });
  });

  it.each([
    [{ type: 'Error' }, /^type must be 'Normal' or 'Warning'$/],
    [{ reason: '' }, /^reason must be/],
    [{ reason: undefined }, /^reason must be/],
    [{ action: '' }, /^action must be/],
    [{ action: ' ' }, /^action must be/],
    [{ note: 7 }, /^note must be/],
    [{ regarding: undefined }, /^regarding must have apiVersion, kind and metadata.name: .* add them$/],
    [{ regarding: { metadata: { name: 'web' } } }, /^regarding must have/],
    [{ regarding: { apiVersion: 'v1', kind: 'Pod' } }, /^regarding must have/],
    [{ related: { kind: 'Pod' } }, /^related must have/],
    [{ related: null }, /^related must have/],
  ])('names the violated rule for %j', (changes, rule) => {
    expect(validEvent(asEvent(changes))).toMatch(rule);
  });

  it.each([null, undefined, 7])('does not throw for %j in place of an event', (value) => {
    // seam: values of programs without types
    expect(validEvent(value as unknown as EventToRecord)).toEqual(expect.any(String));
  });

  it('does not throw if a getter throws', () => {
    const throwing = Object.defineProperty({ ...event }, 'note', {
      get: () => {
        throw new Error('broken');
      },
    });
    expect(validEvent(throwing)).toBe('the event cannot be read: broken');
  });
});

describe('checkReportingController', () => {
  it.each(['kgen', 'example.com/shop-operator', 'a.b_c-D', 'x'.repeat(63)])('accepts %s', (name) => {
    expect(() => checkReportingController(name)).not.toThrow();
  });

  it.each(['', '/', 'a/', '/a', 'a/b/c', 'A.com/x', 'a..b/x', '-a', 'a-', 'a b', 'x'.repeat(64)])(
    'throws TypeError for %j',
    (name) => {
      expect(() => checkReportingController(name)).toThrow(/reportingController must be a qualified name/);
    },
  );
});

describe('checkReportingInstance', () => {
  it.each(['', ' ', 'x'.repeat(129), 'é'.repeat(65)])('throws TypeError for %j', (name) => {
    expect(() => checkReportingInstance(name)).toThrow(/1 to 128 bytes/);
  });
});
