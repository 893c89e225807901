/** The query parameter `timeout`: the time that a client allows for its request, as Go writes durations. */
import { badRequest } from '../errors/failures.ts';
import type { Attributes } from './attributes.ts';

/** Requests without a deadline: their parameter is not read. */
const longRunning: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

/**
 * Checks the timeout of a request. A real server does so before it authenticates the user.
 * @throws {Failure} 400 if it is not a duration
 */
export function checkTimeout({ verb, subresource }: Attributes, query: URLSearchParams): void {
  const timeout = query.get('timeout') ?? '';
  if (timeout === '' || verb === 'watch' || verb === 'proxy' || longRunning.has(subresource)) return;
  const problem = durationProblem(timeout);
  if (problem !== undefined)
    throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`);
}

/** Nanoseconds of the units. */
const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const longest = 2n ** 63n;

/** Returns the message of Go's `ParseDuration`; `undefined` for a duration. */
export function durationProblem(duration: string): string | undefined {
  const quoted = JSON.stringify(duration);
  const invalid = `invalid duration ${quoted}`;
  const unsigned = duration.replace(/^[-+]/, '');
  if (unsigned === '0') return undefined;
  let total = 0n;
  let rest = unsigned;
  do {
    const [text = '', whole = '', fraction = ''] = /^(\d*)(?:\.(\d*))?/.exec(rest) ?? [];
    if (whole === '' && fraction === '') return invalid;
    const [unit = ''] = /^[^\d.]*/.exec(rest.slice(text.length)) ?? [];
    if (unit === '') return `missing unit in duration ${quoted}`;
    const factor = units.get(unit);
    if (factor === undefined) return `unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
    total += BigInt(whole) * factor + (BigInt(fraction) * factor) / 10n ** BigInt(fraction.length);
    rest = rest.slice(text.length + unit.length);
  } while (rest !== '' && total <= longest);
  const isNegative = duration.startsWith('-');
  return total > longest || (total === longest && !isNegative) ? invalid : undefined;
}
