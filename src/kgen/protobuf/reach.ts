/** Finds the messages that are needed to read and write kinds. */
import type { FieldTable, TableKind, TableMessage } from './types.ts';

/** Returns the message of a key. The table is part of kgen, so a missing key is a bug. */
export function messageOf(table: FieldTable, key: string): TableMessage {
  const message = table.messages.get(key);
  if (message === undefined) throw new Error(`the table of fields has no message ${key}`);
  return message;
}

/**
 * Returns the messages that `kinds` consist of, by key, each with the homes that use it. For lists it starts
 * at their items, because the runtime has the codec of lists. Messages in `owned` are not followed.
 */
export function reach(
  table: FieldTable,
  kinds: readonly (TableKind & { readonly home: string })[],
  owned: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  const open: string[] = [];
  const use = (key: string, home: string): void => {
    if (owned.has(key)) return;
    const known = users.get(key);
    if (known !== undefined) {
      known.add(home);
      return;
    }
    users.set(key, new Set([home]));
    open.push(key);
  };
  for (const { message, items = message, home } of kinds) use(items, home);
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const { home, fields } = messageOf(table, key);
    for (const { element } of fields) if ('message' in element) use(element.message, home);
  }
  return users;
}
