/** Problems of names and references in built-in kinds, in the words of the API server. */
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

/** Returns the problems of a qualified name, such as the key of a label. */
export function qualifiedProblems(value: string): readonly string[] {
  const found = labelKeyProblem(value);
  if (found === undefined) return [];
  // An empty name has the wrong form, too.
  return found === 'name part must be non-empty' ? [found, labelKeyProblem('-') ?? ''] : [found];
}

export { labelProblem, labelValueProblem, subdomainProblem };
