/** Semver library of Kubernetes. */
import { bool, int, string, structOf } from '../../check/types.ts';
import { type Functions, member, type Overload, overload } from '../../environment.ts';
import { EvaluationError, noSuchOverload, Opaque, type Value } from '../../values/value.ts';
import { text } from '../strings.ts';
import { succeeds } from './network.ts';

class Semver extends Opaque {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: Opaque): boolean {
    return other instanceof Semver && compare(this, other) === 0;
  }
}

const names = ['Major', 'Minor', 'Patch'];

function compare(a: Semver, b: Semver): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Math.sign(b.prerelease.length - a.prerelease.length);
  for (const [index, identifier] of a.prerelease.entries()) {
    const order = compareIdentifiers(identifier, b.prerelease[index]);
    if (order !== 0) return order;
  }
  return a.prerelease.length === b.prerelease.length ? 0 : -1;
}

function compareIdentifiers(a: string, b: string | undefined): number {
  if (b === undefined) return 1;
  if (a === b) return 0;
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : 1;
}

const semver = structOf('kubernetes.Semver');

/** Functions of semantic versions. */
export const versions: Functions = new Map<string, readonly Overload[]>([
  [
    'semver',
    [
      overload('string_to_semver', [string], semver, ([a]) => parseAs(a, false)),
      overload('string_bool_to_semver', [string, bool], semver, ([a, b]) => parseAs(a, b)),
    ],
  ],
  [
    'isSemver',
    [
      overload('is_semver_string', [string], bool, ([a]) => succeeds(() => parseAs(a, false))),
      overload('is_semver_string_bool', [string, bool], bool, ([a, b]) => succeeds(() => parseAs(a, b))),
    ],
  ],
  ['isGreaterThan', [comparison('semver_is_greater_than', (order) => order > 0)]],
  ['isLessThan', [comparison('semver_is_less_than', (order) => order < 0)]],
  [
    'compareTo',
    [
      member('semver_compare_to', [semver, semver], int, ([a, b]) =>
        BigInt(compare(versionOf(a), versionOf(b))),
      ),
    ],
  ],
  ...names.map((name, index): [string, readonly Overload[]] => [
    name.toLowerCase(),
    [
      member(`semver_${name.toLowerCase()}`, [semver], int, ([a]) =>
        BigInt.asIntN(64, versionOf(a).numbers[index] ?? 0n),
      ),
    ],
  ]),
]);

function versionOf(value: Value | undefined): Semver {
  if (!(value instanceof Semver)) throw noSuchOverload();
  return value;
}

function parseAs(source: Value | undefined, isNormalized: Value | undefined): Semver {
  return parse(isNormalized === true ? normalize(text(source)) : text(source));
}

/** Parses a version as github.com/blang/semver. */
function parse(source: string): Semver {
  if (source === '') throw new EvaluationError('Version string empty');
  const parts = splitAt(source, '.', 3);
  if (parts.length !== 3) throw new EvaluationError('No Major.Minor.Patch elements found');
  const [major = '', minor = '', rest = ''] = parts;
  const [release = '', build] = splitAt(rest, '+', 2);
  const [patch = '', prerelease] = splitAt(release, '-', 2);
  const numbers = [major, minor, patch].map((part, index) => numberOf(part, names[index] ?? ''));
  for (const identifier of build?.split('.') ?? []) checkIdentifier(identifier, 'Build meta data');
  const identifiers = prerelease?.split('.') ?? [];
  for (const identifier of identifiers) checkPrerelease(identifier);
  return new Semver(numbers, identifiers);
}

function splitAt(source: string, separator: string, count: number): readonly string[] {
  const parts = source.split(separator);
  return parts.length <= count
    ? parts
    : [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function numberOf(part: string, name: string): bigint {
  if (!/^\d*$/.test(part))
    throw new EvaluationError(
      `Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(part)}`,
    );
  if (part.length > 1 && part.startsWith('0'))
    throw new EvaluationError(`${name} number must not contain leading zeroes ${JSON.stringify(part)}`);
  if (part === '') throw new EvaluationError('strconv.ParseUint: parsing "": invalid syntax');
  return BigInt(part);
}

function checkIdentifier(part: string, what: string): void {
  if (part === '') throw new EvaluationError(`${what} is empty`);
  if (!/^[0-9A-Za-z-]+$/.test(part))
    throw new EvaluationError(`Invalid character(s) found in ${what.toLowerCase()} ${JSON.stringify(part)}`);
}

function checkPrerelease(part: string): void {
  if (part === '') throw new EvaluationError('Prerelease is empty');
  if (/^\d+$/.test(part) && part.length > 1 && part.startsWith('0'))
    throw new EvaluationError(
      `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`,
    );
  if (!/^[0-9A-Za-z-]+$/.test(part))
    throw new EvaluationError(`Invalid character(s) found in prerelease ${JSON.stringify(part)}`);
}

/** Accepts a leading `v`, leading zeros and missing numbers. */
function normalize(source: string): string {
  const parts = splitAt(source.replace(/^v/, ''), '.', 3).map((part) => {
    if (part.length <= 1) return part;
    const rest = part.replace(/^0+/, '');
    return /^\d/.test(rest) ? rest : `0${rest}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? ''))
    throw new EvaluationError('short version cannot contain PreRelease/Build meta data');
  return [...parts, '0', '0'].slice(0, Math.max(parts.length, 3)).join('.');
}

function comparison(id: string, accepts: (order: number) => boolean): Overload {
  return member(id, [semver, semver], bool, ([a, b]) => accepts(compare(versionOf(a), versionOf(b))));
}
