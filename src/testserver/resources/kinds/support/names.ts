/** Problems of names and references in built-in kinds, in the words of the API server. */
import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import {
  labelKeyProblem,
  labelProblem,
  labelValueProblem,
  subdomainProblem,
} from '@kgen/schema/values/names';

const ports = /^[-a-z0-9]+$/;

/** Returns the problems of the name of a port. */
export function portNameProblems(value: string): readonly string[] {
  const found: string[] = [];
  if (value.length > 15) found.push('must be no more than 15 characters');
  if (!ports.test(value))
    found.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(value)) found.push('must contain at least one letter (a-z)');
  if (value.includes('--')) found.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) found.push('must not begin or end with a hyphen');
  return found;
}

/** Returns the problem of the name of an environment variable. */
export function environmentProblem(value: string): string | undefined {
  if (/^[ -<>-~]+$/.test(value)) return undefined;
  return "a valid environment variable name must consist only of printable ASCII characters other than '='";
}

/** Returns the problems of a key of a config map or secret. */
export function configKeyProblems(value: string): readonly string[] {
  const found: string[] = [];
  if (value.length > 253) found.push('must be no more than 253 bytes');
  if (!/^[-._a-zA-Z0-9]+$/.test(value)) {
    found.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (value === '.') found.push("must not be '.'");
  else if (value === '..') found.push("must not be '..'");
  else if (value.startsWith('..')) found.push("must not start with '..'");
  return found;
}

/** Returns the problem of a name that becomes a segment of a path, such as the name of a role. */
export function pathSegmentProblem(value: string): string | undefined {
  if (value === '.' || value === '..') return `may not be '${value}'`;
  const illegal = ['/', '%'].filter((character) => value.includes(character));
  return illegal.length === 0 ? undefined : `may not contain '${illegal[0]}'`;
}

/** Returns the problem of an IPv4 or IPv6 address. */
export function addressProblem(value: string): string | undefined {
  return isAddress(value) ? undefined : 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
}

/** Returns whether a string is an IP address. */
export function isAddress(value: string): boolean {
  const parts = value.split('.');
  if (parts.length === 4) return parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return value.includes(':') && /^[0-9a-fA-F:.]+$/.test(value) && value.split(':').length <= 8;
}

/** Returns the problem of a range of addresses. */
export function networkProblem(value: string): string | undefined {
  const [address = '', bits = ''] = value.trim().split('/');
  if (isAddress(address) && /^\d+$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32))
    return undefined;
  return 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
}

/** Returns whether a range of addresses is a smaller part of another one. */
export function isSubset(range: string, whole: string): boolean {
  const [[base, bits], [wholeBase, wholeBits]] = [parsed(range), parsed(whole)];
  const width = wholeBase.includes(':') ? 128n : 32n;
  const shift = width - BigInt(wholeBits);
  const isSame = base.includes(':') === wholeBase.includes(':');
  return isSame && bits > wholeBits && numberOf(base) >> shift === numberOf(wholeBase) >> shift;
}

function parsed(range: string): readonly [base: string, bits: number] {
  const [base = '', bits = '0'] = range.split('/');
  return [base, Number(bits)];
}

function numberOf(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail] = address.split('::');
  const groups = (text: string): readonly string[] => text.split(':').filter((group) => group !== '');
  const end = tail === undefined ? [] : groups(tail);
  const missing = Array<string>(Math.max(0, 8 - groups(head).length - end.length)).fill('0');
  return [...groups(head), ...missing, ...end].reduce(
    (sum, group) => sum * 65_536n + BigInt(`0x${group.replace(/[^0-9a-f]/gi, '') || '0'}`),
    0n,
  );
}

/** Returns the problems of a qualified name, such as the key of a label: of its prefix and of its name. */
export function qualifiedProblems(value: string): readonly string[] {
  const [name = '', prefix, ...others] = value.split('/').reverse();
  const ofName = labelKeyProblem(name);
  if (others.length > 0) return [labelKeyProblem(value) ?? ''];
  return [
    ...(prefix === undefined ? [] : [labelKeyProblem(`${prefix}/a`)].filter((found) => found !== undefined)),
    ...(ofName === undefined ? [] : [ofName]),
    // An empty name has the wrong form, too.
    ...(name === '' ? [labelKeyProblem('-') ?? ''] : []),
  ];
}

/** Returns the problems of a path with a domain in front, such as that of a controller. */
export function domainPathErrors(value: string, field: string): readonly FieldError[] {
  if (value === '') return [required(field)];
  const [domain = '', ...rest] = value.split('/');
  const path = rest.join('/');
  if (domain === '' || path === '')
    return [invalidValue(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const problem = subdomainProblem(domain);
  return problem === undefined ? [] : [invalidValue(field, domain, problem)];
}

export { labelProblem, labelValueProblem, subdomainProblem };
