/** A write: the time before its check, the time of its response, and the process that sent it. */
export interface TimedWrite {
  readonly at: number;
  readonly end: number;
  readonly identity: string;
}

/** Returns the pairs of writes of one key by two processes that overlap. */
export function overlaps<Write extends TimedWrite>(
  writes: readonly Write[],
  keyOf: (write: Write) => string = () => '',
): readonly (readonly [Write, Write])[] {
  const found: (readonly [Write, Write])[] = [];
  const latest = new Map<string, Write>();
  for (const write of [...writes].sort((a, b) => a.at - b.at)) {
    const key = keyOf(write);
    const last = latest.get(key);
    if (last !== undefined && last.identity !== write.identity && write.at < last.end)
      found.push([last, write]);
    if (last === undefined || write.end > last.end) latest.set(key, write);
  }
  return found;
}
