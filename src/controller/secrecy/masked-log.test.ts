import { ApiError, isNotFound } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { TerminalError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { maskedLogger } from './masked-log.ts';
import { SecretValues } from './secret-values.ts';

const value = 'hunter22!';

function world(isKnown = true) {
  const secrets = new SecretValues();
  if (isKnown) secrets.wrote({ stringData: { a: value } });
  const entries: { readonly fields: object; readonly message: string }[] = [];
  const note = (fields: object, message: string): void => void entries.push({ fields, message });
  const log: Logger = { debug: note, info: note, warn: note, error: note };
  return { entries, log: maskedLogger(log, secrets) };
}

/** Returns the entry of an error. */
function shown(error: unknown): unknown {
  const { entries, log } = world();
  log.error({ err: error }, 'failed');
  return Reflect.get(entries[0]?.fields ?? {}, 'err');
}

describe('entries of a log', () => {
  it('contain no value in messages and fields', () => {
    const { entries, log } = world();
    log.info({ text: `is ${value}`, list: [{ deep: value }], count: 3, name: 'web' }, `is ${value}`);
    expect(entries).toEqual([
      {
        fields: { text: 'is (redacted)', list: [{ deep: '(redacted)' }], count: 3, name: 'web' },
        message: 'is (redacted)',
      },
    ]);
  });

  it.each([true, false])('are passed on as they are without a value (values are known: %s)', (isKnown) => {
    const { entries, log } = world(isKnown);
    const fields = { err: new Error('other'), when: new Date(0), map: new Map([[value, value]]), list: [1] };
    log.warn(fields, 'message');
    expect(entries[0]?.fields).toBe(fields);
  });
});

it('an entry has no fields if one of them cannot be read', () => {
  const { entries, log } = world();
  const fields = {
    get broken(): never {
      throw new Error('broken');
    },
  };
  log.error(fields, 'failed');
  expect(entries).toEqual([{ fields: {}, message: 'failed' }]);
});

describe('errors in a log', () => {
  it('keep their class, their members and the error of the program', () => {
    const error = new ApiError({ code: 404, reason: 'NotFound', message: `no ${value}` });
    const stack = error.stack;
    const copy = shown(error);
    expect(copy).not.toBe(error);
    expect(isNotFound(copy)).toBe(true);
    expect(copy).toBeInstanceOf(ApiError);
    expect(JSON.stringify(copy) + String(copy)).not.toContain(value);
    expect([error.message.includes(value), error.stack]).toEqual([true, stack]);
  });

  it('contain no value in stacks, causes and further errors', () => {
    const cause = new AggregateError([new Error(`one ${value}`), value], 'several');
    const copy = shown(new TerminalError(`is ${value}`, { cause }));
    expect(copy).toMatchObject({ name: 'TerminalError', message: 'is (redacted)' });
    expect(Reflect.get(Object(copy), 'stack')).toContain('is (redacted)');
    const shownCause: unknown = Reflect.get(Object(copy), 'cause');
    expect(shownCause).toBeInstanceOf(AggregateError);
    expect(Reflect.get(Object(shownCause), 'errors')).toMatchObject([
      { message: 'one (redacted)' },
      '(redacted)',
    ]);
    expect(cause.errors).toMatchObject([{ message: `one ${value}` }, value]);
  });

  it('that contain themselves are limited', () => {
    const error: Error = new Error(`is ${value}`);
    Object.assign(error, { self: error });
    expect(shown(error)).toMatchObject({ message: 'is (redacted)' });
  });
});
