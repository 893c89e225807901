import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../test/support/runtime/fake-clock.ts';
import { FailureLog } from './log.ts';

const lastingMs = 15_000;

function failureLog(ms = lastingMs) {
  const clock = new FakeClock();
  const entries: string[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    entries.push(`${clock.now() - 1000} ${level} ${message} ${JSON.stringify(fields)}`);
  const [debug, info, warn, error] = ['debug', 'info', 'warn', 'error'].map(write);
  if (!debug || !info || !warn || !error) throw new Error('four levels');
  const failures = new FailureLog({ log: { debug, info, warn, error }, clock, lastingMs: ms });
  return { clock, failures, entries };
}

describe('a log of failures', () => {
  it('has a warning for the first one, and an error each minute once they last', () => {
    const { clock, failures, entries } = failureLog();
    for (let ms = 0; ms <= 140_000; ms += 1000) {
      failures.failed('no lease', { code: 1 });
      clock.leap(1000);
    }
    expect(entries).toEqual([
      '0 warn no lease {"code":1,"failures":1}',
      '15000 error no lease {"code":1,"failures":15}',
      '75000 error no lease {"code":1,"failures":60}',
      '135000 error no lease {"code":1,"failures":60}',
    ]);
  });

  it.each(['succeeds', 'does not fail for a while'])('has no error if the operation %s meanwhile', (how) => {
    const { clock, failures, entries } = failureLog();
    for (let count = 0; count < 8; count += 1) {
      failures.failed('no lease');
      if (how === 'succeeds') failures.succeeded();
      clock.leap(how === 'succeeds' ? 10_000 : 2 * lastingMs + 1);
    }
    expect(entries.map((entry) => entry.split(' ')[1])).toEqual(
      Array.from({ length: how === 'succeeds' ? 2 : 4 }, () => 'warn'),
    );
  });
});
