const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Returns an age as kubectl prints it, such as `5m30s` or `3d`. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds <= 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return pair(seconds, minute, 'm', 1, 's', minute);
  if (seconds < 3 * hour) return `${Math.trunc(seconds / minute)}m`;
  if (seconds < 8 * hour) return pair(seconds, hour, 'h', minute, 'm', minute);
  if (seconds < 2 * day) return `${Math.trunc(seconds / hour)}h`;
  if (seconds < 8 * day) return pair(seconds, day, 'd', hour, 'h', 24);
  if (seconds < 2 * year) return `${Math.trunc(seconds / day)}d`;
  if (seconds < 8 * year) return pair(seconds, year, 'y', day, 'd', 365);
  return `${Math.trunc(seconds / year)}y`;
}

function pair(
  seconds: number,
  large: number,
  largeUnit: string,
  small: number,
  smallUnit: string,
  modulus: number,
): string {
  const rest = Math.trunc(seconds / small) % modulus;
  return `${Math.trunc(seconds / large)}${largeUnit}${rest === 0 ? '' : `${rest}${smallUnit}`}`;
}

/** Returns the time since a timestamp, or `<unknown>` without one. */
export function age(timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? '<unknown>' : humanDuration(now - time);
}
