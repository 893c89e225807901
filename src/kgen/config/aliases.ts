/** Returns two groups with equal aliases, which would be ambiguous, or `undefined`. */
export function rivals(aliases: Readonly<Record<string, unknown>>): readonly [string, string] | undefined {
  const owners = new Map<unknown, string>();
  for (const [group, name] of Object.entries(aliases)) {
    const owner = owners.get(name);
    if (owner !== undefined) return [owner, group];
    owners.set(name, group);
  }
  return undefined;
}

/** Returns whether the string is a valid prefix of a group's accessors. */
export function isAlias(text: string): boolean {
  return /^[a-z][A-Za-z0-9]*$/.test(text);
}
