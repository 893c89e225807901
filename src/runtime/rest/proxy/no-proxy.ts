/** Hosts that `NO_PROXY` excludes from proxies, by the rules of Go. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

/** Host of a URL: lower case, IPv6 in brackets, and the effective port. */
export interface Target {
  readonly hostname: string;
  readonly port: number;
}

type Family = 'ipv4' | 'ipv6';

interface Address {
  readonly text: string;
  readonly family: Family;
}

const bits: Readonly<Record<Family, number>> = { ipv4: 32, ipv6: 128 };

/** An address and the length of its network prefix in bits. */
interface Network extends Address {
  readonly length: number;
}

/**
 * Returns whether an entry of `NO_PROXY` matches a host. Entries are separated by commas: `*`; an address or
 * a network (`10.0.0.0/8`); a name, which includes its subdomains; `.name` or `*.name`, which match only
 * subdomains. All but networks may have a port.
 */
export function isExempt(noProxy: string, target: Target): boolean {
  const entries = noProxy.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => entry !== '' && matches(entry, target));
}

function matches(entry: string, { hostname, port }: Target): boolean {
  if (entry === '*') return true;
  const address = addressOf(hostname.replace(/^\[|\]$/g, ''));
  const network = networkOf(entry);
  if (network !== undefined) return address !== undefined && isWithin(address, network);
  const { host, port: expected } = splitPort(entry);
  if (host === '' || (expected !== '' && expected !== String(port))) return false;
  const named = addressOf(host);
  if (named === undefined) return address === undefined && matchesName(hostname, host);
  return address !== undefined && isWithin(address, { ...named, length: bits[named.family] });
}

/** Parses an address. An IPv4-mapped IPv6 address is an IPv4 address. */
function addressOf(text: string): Address | undefined {
  if (isIPv4(text)) return { text, family: 'ipv4' };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${text}]`).hostname) ?? [];
  if (high === undefined || low === undefined) return { text, family: 'ipv6' };
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return { text: [first >> 8, first & 255, second >> 8, second & 255].join('.'), family: 'ipv4' };
}

function networkOf(entry: string): Network | undefined {
  const [, text = '', digits] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  const address = addressOf(text);
  if (address === undefined || digits === undefined) return undefined;
  const length = Number(digits);
  const mapped = address.family === 'ipv4' && isIPv6(text) ? 96 : 0;
  if (length > bits[address.family] + mapped) return undefined;
  return length < mapped ? { text, family: 'ipv6', length } : { ...address, length: length - mapped };
}

function isWithin({ text, family }: Address, network: Network): boolean {
  if (network.family !== family) return false;
  const list = new BlockList();
  list.addSubnet(network.text, network.length, family);
  return list.check(text, family);
}

/** Splits an entry into host and port; an empty port matches any port. */
function splitPort(entry: string): { readonly host: string; readonly port: string } {
  const [match, bracketed, plain = '', port = ''] =
    /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:[\]]*)$/.exec(entry) ?? [];
  return match === undefined ? { host: entry, port: '' } : { host: bracketed ?? plain, port };
}

/** Compares names in the form of URLs, which encode other alphabets in ASCII. */
function matchesName(hostname: string, pattern: string): boolean {
  const suffix = pattern.startsWith('*.') ? pattern.slice(1) : pattern;
  const onlyBelow = suffix.startsWith('.');
  const plain = onlyBelow ? suffix.slice(1) : suffix;
  const name = /^\p{ASCII}*$/u.test(plain) ? plain : domainToASCII(plain);
  if (name === '') return plain === '' && hostname.endsWith('.');
  return hostname.endsWith(`.${name}`) || (!onlyBelow && hostname === name);
}
