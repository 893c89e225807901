/** Plan of an exchange, and its time limits. */
import type { Random } from '../../support/random.ts';
import { limited, unlimited } from './calls.ts';

const proxies = ['none', 'none', 'none', 'http', 'https', 'socks5'] as const;

/** Properties of an exchange that are chosen before it begins. */
export interface Plan {
  readonly secure: boolean;
  readonly proxy: (typeof proxies)[number];
  /** Description of the protocol and the proxy. */
  readonly wire: string;
  readonly calls: readonly string[];
  /** Event that ends the calls, besides their limits. */
  readonly end: 'nothing' | 'abort' | 'close';
  /** In milliseconds of the client clock. */
  readonly timeoutMs: number;
  readonly endMs: number;
  /** Idle time before `close()`, in milliseconds of the client clock. */
  readonly idleMs: number;
}

/** All parts of plans: a sufficiently long run covers each of them. */
export const everything: readonly string[] = [
  ...['HTTP', 'HTTPS'].flatMap((wire) => proxies.map((proxy) => `${wire} through ${proxy}`)),
  ...['nothing', 'abort', 'close', 'idle', 'busy'],
  ...Object.keys(limited),
  ...Object.keys(unlimited),
];

export function planOf(random: Random): Plan {
  const secure = random.chance(0.65);
  const names: readonly string[] = Object.keys(random.chance(0.75) ? limited : unlimited);
  const calls = [random.pick([names[random.int(names.length)] ?? 'get'])];
  while (random.chance(0.5)) calls.push(random.pick(Object.keys(limited) as [string, ...string[]]));
  const needsEnd = calls.some((name) => name in unlimited);
  const proxy = random.pick(proxies);
  return {
    secure,
    proxy,
    wire: `${secure ? 'HTTPS' : 'HTTP'} through ${proxy}`,
    calls,
    end: needsEnd ? random.pick(['abort', 'close']) : random.pick(['nothing', 'nothing', 'abort', 'close']),
    timeoutMs: 500 + random.int(15_000),
    endMs: random.int(15_000),
    idleMs: random.chance(0.15) ? 28_000 + random.int(20_000) : 0,
  };
}

/**
 * Returns the same choices with fewer faults, for half of the exchanges: calls progress further after their
 * first response.
 */
export function calmer(random: Random): Random {
  if (random.chance(0.5)) return random;
  return {
    ...random,
    chance: (probability) => random.chance(probability < 0.25 ? probability / 10 : probability),
  };
}

/** Returns the limit of a call, in milliseconds of the client clock. */
export function limitOf(name: string, { timeoutMs, endMs, end }: Plan): number {
  if (end === 'nothing') return timeoutMs;
  return name in limited ? Math.min(timeoutMs, endMs) : endMs;
}
