/** Two groups that are to have one name, which would then mean neither; undefined when there are none. */
export function rivals(aliases: Readonly<Record<string, unknown>>): readonly [string, string] | undefined {
  const owners = new Map<unknown, string>();
  for (const [group, name] of Object.entries(aliases)) {
    const owner = owners.get(name);
    if (owner !== undefined) return [owner, group];
    owners.set(name, group);
  }
  return undefined;
}

/** True for the name that a group's accessors may begin with. */
export function isAlias(text: string): boolean {
  return /^[a-z][A-Za-z0-9]*$/.test(text);
}
