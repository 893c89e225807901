import type { MicroTime } from './meta.ts';

/**
 * A moment in the form that fields of type `MicroTime` need, such as `renewTime` of a lease. Default: now.
 * @throws {RangeError} an invalid date
 */
export function microTime(date: Date = new Date()): MicroTime {
  return date.toISOString().replace(/Z$/, '000Z');
}
