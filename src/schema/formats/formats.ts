import { addressOf } from '../values/addresses.ts';

type Check = (value: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    pattern.test(value);

/** The string formats of CustomResourceDefinitions, by name without dashes. Other formats are not checked. */
const formats: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['uri', isUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', isIPv6],
  ['cidr', isCidr],
  ['mac', matches(/^([0-9a-f]{2}([:-]))([0-9a-f]{2}\2){4}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}[0-9a-f]{4}$/i)],
  ['uuid', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (value) => isIsbn10(value) || isIsbn13(value)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ['hexcolor', matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', isRgbColor],
  ['byte', matches(/^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (value) => value.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(value)],
  ['k8slongname', isLongName],
]);

const numeric: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/**
 * Returns whether API servers know a format of a type. They drop the others.
 * @param type empty for schemas without a type, or with several types
 */
export function isSupported(format: string, type: string): boolean {
  if (type === '' || type === 'string') return formats.has(format.replaceAll('-', ''));
  return numeric[type]?.includes(format) === true;
}

/** Returns whether `value` has the format. Unknown formats always match, as on the API server. */
export function hasFormat(format: string, value: string): boolean {
  return formats.get(format.replaceAll('-', ''))?.(value) ?? true;
}

function isIPv4(value: string): boolean {
  return addressOf(value)?.length === 4;
}

function isIPv6(value: string): boolean {
  return addressOf(value)?.length === 16;
}

function isUri(value: string): boolean {
  if (value.startsWith('/')) return !/\s|\p{Cc}/u.test(value);
  return URL.canParse(value) && !/\s/.test(value);
}

function isEmail(value: string): boolean {
  return /^(?:[^<>@]*<)?[^\s<>@"(),:;\\[\]]+@[^\s<>@,]+>?$/.test(value);
}

function isHostname(value: string): boolean {
  if (value.length > 255) return false;
  return value
    .split('.')
    .every((label) => /^[\p{L}\p{S}\p{N}]([\p{L}\p{S}\p{N}-]{0,61}[\p{L}\p{S}\p{N}])?$/u.test(label));
}

function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

function isIsbn10(value: string): boolean {
  const digits = value.replace(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, i) => total + (digit === 'X' ? 10 : Number(digit)) * (10 - i),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(value: string): boolean {
  const digits = value.replace(/[\s-]/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

function isCreditCard(value: string): boolean {
  const digits = [...value.replace(/\D/g, '')].reverse().map(Number);
  if (digits.length < 13 || digits.length > 16) return false;
  const sum = digits.reduce((total, digit, i) => {
    const doubled = i % 2 === 0 ? digit : digit * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function isRgbColor(value: string): boolean {
  const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value);
  return parts?.slice(1).every((part) => Number(part) <= 255) ?? false;
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function isDateTime(value: string): boolean {
  const [date = '', time] = value.toLowerCase().split('t');
  const parts = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time ?? '');
  if (parts === null || !isDate(date)) return false;
  return Number(parts[1]) < 24 && Number(parts[2]) < 60 && Number(parts[3]) < 60;
}

function isDuration(value: string): boolean {
  if (/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(value)) return true;
  return /\d\s*(ns|nanos?|us|µs|micros?|ms|millis?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)\b/i.test(
    value,
  );
}

function isLongName(value: string): boolean {
  return (
    value.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(value)
  );
}
