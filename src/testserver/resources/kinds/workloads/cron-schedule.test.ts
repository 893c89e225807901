import { describe, expect, test } from 'vitest';
import { formatInZone, parseSchedule } from './cron-schedule.ts';

function next(line: string, after: string, timeZone?: string): string {
  const schedule = parseSchedule(line, timeZone);
  if (typeof schedule === 'string') return schedule;
  const time = schedule.next(Date.parse(after));
  return time === undefined ? 'never' : new Date(time).toISOString().replace('.000Z', 'Z');
}

// The expected values are those of the library of kube-controller-manager.
describe('schedules of CronJobs', () => {
  test.each([
    ['* * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'],
    ['*/15 9-17 * * mon-FRI', '2026-01-02T17:50:01Z', '2026-01-05T09:00:00Z'],
    ['5/20 * * * ?', '2026-01-01T00:46:00Z', '2026-01-01T01:05:00Z'],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['0 0 13 * *', '2026-01-01T00:00:00Z', '2026-01-13T00:00:00Z'],
    ['0 0 31 2 *', '2026-01-01T00:00:00Z', 'never'],
    ['@hourly', '2026-01-01T00:00:30Z', '2026-01-01T01:00:00Z'],
    ['@weekly', '2026-01-01T00:00:00Z', '2026-01-04T00:00:00Z'],
    ['@yearly', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['@every 1h30m', '2026-01-01T00:00:10Z', '2026-01-01T01:30:10Z'],
    ['@every 0.5s', '2026-01-01T00:00:10Z', '2026-01-01T00:00:11Z'],
  ])('%j continues after %s at %s', (line, after, expected) => {
    expect(next(line, after)).toBe(expected);
  });

  test.each([
    // The hour that is skipped in spring has no time, that which is repeated in autumn has two.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
    ['0 9 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', '2026-01-01T03:30:00Z'],
    // This day began at 01:00.
    ['20 15 4 11 *', 'America/Sao_Paulo', '2018-11-03T12:00:00Z', '2018-11-04T17:20:00Z'],
  ])('%j in %s continues after %s at %s', (line, zone, after, expected) => {
    expect(next(line, after, zone)).toBe(expected);
  });

  test.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['9-5 * * * *', 'beginning of range (9) beyond end of range (5): 9-5'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['@often', 'unrecognized descriptor: @often'],
    ['constructor', 'expected exactly 5 fields, found 1: [constructor]'],
    ['@every day', 'failed to parse duration @every day: time: invalid duration "day"'],
  ])('refuses %j: %s', (line, message) => {
    expect(next(line, '2026-01-01T00:00:00Z')).toBe(message);
  });

  test('prints times with the offset of their zone', () => {
    const time = Date.parse('2026-07-01T12:00:00Z');
    expect(['UTC', 'Europe/Berlin', 'America/St_Johns'].map((zone) => formatInZone(time, zone))).toEqual([
      '2026-07-01T12:00:00Z',
      '2026-07-01T14:00:00+02:00',
      '2026-07-01T09:30:00-02:30',
    ]);
  });
});
