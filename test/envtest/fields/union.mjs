/**
 * @typedef {{ number: number, json: string, type: string, omission: string }} Field
 * @typedef {{ bare?: boolean, fields: Field[] }} Message
 * @typedef {{ apiVersion: string, kind: string, message: string }} Kind
 * @typedef {{ messages: Record<string, Message>, kinds: Kind[] }} Table table of one release
 */

/**
 * Returns the union of the tables of all releases: if two differ, the newer one applies. Removed fields
 * remain, unless their number or their JSON name is used by another field of the same message.
 *
 * A removed field is optional, whatever it was before: newer servers neither write it nor have it in JSON, so
 * that an absent field must not be read or written.
 *
 * @param {readonly { release: string, table: Table }[]} releases oldest first
 * @returns {Table}
 */
export function union(releases) {
  const messages = {};
  const kinds = new Map();
  for (const { table } of releases) {
    for (const [name, message] of Object.entries(table.messages)) {
      messages[name] = { ...message, fields: joined(messages[name]?.fields ?? [], message.fields) };
    }
    for (const kind of table.kinds) kinds.set(`${kind.apiVersion} ${kind.kind}`, kind);
  }
  return { messages, kinds: [...kinds.values()] };
}

function joined(older, newer) {
  const numbers = new Set(newer.map(({ number }) => number));
  const names = new Set(newer.map(({ json }) => json));
  const kept = older.filter(({ number, json }) => !numbers.has(number) && !names.has(json));
  return [...kept.map(optional), ...newer].sort((a, b) => a.number - b.number);
}

function optional(field) {
  const isValue = !/^([*[{]|bytes$)/.test(field.type);
  return { ...field, type: `${isValue ? '*' : ''}${field.type}`, omission: 'omitempty' };
}
