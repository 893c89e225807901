/** `NO_PROXY`: which hosts are reached without a proxy, by the rules of programs written in Go. */
import { BlockList, isIP } from 'node:net';

/** A host as a URL has it: lower case, brackets around IPv6, and the port that is meant. */
export interface Target {
  readonly hostname: string;
  readonly port: number;
}

function family(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}

/** The address without its brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function inNetwork(address: string, network: string): boolean | undefined {
  const [prefix = '', bits, ...rest] = network.split('/');
  const kind = family(prefix);
  if (bits === undefined || rest.length > 0 || kind === undefined) return undefined;
  const length = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (!(length <= (kind === 'ipv4' ? 32 : 128))) return undefined;
  const list = new BlockList();
  list.addSubnet(prefix, length, kind);
  return family(address) === kind && list.check(address, kind);
}

/** An entry's host and port; the port is absent where any is meant. */
function splitPort(entry: string): { readonly host: string; readonly port?: string } {
  if (family(entry) !== undefined) return { host: entry };
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry);
  if (match === null) return { host: entry };
  const [, bracketed, plain = '', port] = match;
  return { host: bracketed ?? plain, ...(port !== undefined && { port }) };
}

function sameAddress(one: string, other: string): boolean {
  return inNetwork(one, `${other}/${isIP(other) === 4 ? 32 : 128}`) === true;
}

function matchesName(hostname: string, pattern: string): boolean {
  const suffix = pattern.startsWith('*.') ? pattern.slice(1) : pattern;
  if (suffix.startsWith('.')) return hostname.endsWith(suffix);
  return hostname === suffix || hostname.endsWith(`.${suffix}`);
}

function matches(entry: string, { hostname, port }: Target): boolean {
  if (entry === '*') return true;
  const address = bare(hostname);
  const network = inNetwork(address, entry);
  if (network !== undefined) return network;
  const { host, port: wanted } = splitPort(entry);
  if (host === '' || (wanted !== undefined && wanted !== String(port))) return false;
  return family(host) === undefined ? matchesName(hostname, host) : sameAddress(address, host);
}

/**
 * Whether the entries of `NO_PROXY`, separated by commas, speak of a host: `*`; an address or a network
 * (`10.0.0.0/8`); a name, which includes what is below it; `.name` or `*.name`, which is only what is below it. All but
 * networks may have a port.
 */
export function isExempt(noProxy: string, target: Target): boolean {
  const entries = noProxy.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => entry !== '' && matches(entry, target));
}
