/** What is decided about an exchange before it begins, and how long it may then take. */
import type { Random } from '../../fuzz/random.ts';
import { limited, unlimited } from './calls.ts';

const proxies = ['none', 'none', 'none', 'http', 'https', 'socks5'] as const;

/** What is decided about an exchange before it begins. */
export interface Plan {
  readonly secure: boolean;
  readonly http2: boolean;
  readonly proxy: (typeof proxies)[number];
  /** The protocol and the proxy, in words. */
  readonly wire: string;
  readonly calls: readonly string[];
  /** What ends the calls, besides their limits. */
  readonly end: 'nothing' | 'abort' | 'close';
  /** Milliseconds of the client. */
  readonly timeoutMs: number;
  readonly endMs: number;
  /** Milliseconds of the client in which nothing happens, before `close()`. */
  readonly idleMs: number;
}

/** Everything that plans are made of: a run that is long enough meets all of it. */
export const everything: readonly string[] = [
  ...['HTTP', 'HTTPS', 'HTTP/2'].flatMap((wire) => proxies.map((proxy) => `${wire} through ${proxy}`)),
  ...['nothing', 'abort', 'close', 'idle', 'busy'],
  ...Object.keys(limited),
  ...Object.keys(unlimited),
];

export function planOf(random: Random): Plan {
  const secure = random.chance(0.65);
  const http2 = secure && random.chance(0.6);
  const names: readonly string[] = Object.keys(random.chance(0.75) ? limited : unlimited);
  const calls = [random.pick([names[random.int(names.length)] ?? 'get'])];
  while (random.chance(0.5)) calls.push(random.pick(Object.keys(limited) as [string, ...string[]]));
  const needsEnd = calls.some((name) => name in unlimited);
  const proxy = random.pick(proxies);
  return {
    secure,
    http2,
    proxy,
    wire: `${http2 ? 'HTTP/2' : secure ? 'HTTPS' : 'HTTP'} through ${proxy}`,
    calls,
    end: needsEnd ? random.pick(['abort', 'close']) : random.pick(['nothing', 'nothing', 'abort', 'close']),
    timeoutMs: 500 + random.int(15_000),
    endMs: random.int(15_000),
    idleMs: random.chance(0.15) ? 28_000 + random.int(20_000) : 0,
  };
}

/** The same choices with fewer faults, for half of the exchanges: more of a call comes after its first answer. */
export function calmer(random: Random): Random {
  if (random.chance(0.5)) return random;
  return {
    ...random,
    chance: (probability) => random.chance(probability < 0.25 ? probability / 10 : probability),
  };
}

/** How long a call may take, in milliseconds of the client. */
export function limitOf(name: string, { timeoutMs, endMs, end }: Plan): number {
  if (end === 'nothing') return timeoutMs;
  return name in limited ? Math.min(timeoutMs, endMs) : endMs;
}
