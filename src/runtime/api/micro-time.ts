import type { MicroTime } from './meta.ts';

/**
 * Formats a date for fields of type `MicroTime`, such as `renewTime` of a lease. Default: the current time.
 * @throws {RangeError} the date is invalid
 */
export function microTime(date: Date = new Date()): MicroTime {
  return date.toISOString().replace(/Z$/, '000Z');
}
