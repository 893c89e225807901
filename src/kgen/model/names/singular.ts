/** Singular of the names of lists, for the types of their items. */

/** Words that the rules below would spell wrong. Unchanged words are their own singular. */
const irregular: ReadonlyMap<string, string> = new Map([
  ['alias', 'alias'],
  ['aliases', 'alias'],
  ['always', 'always'],
  ['axes', 'axis'],
  ['caches', 'cache'],
  ['cookies', 'cookie'],
  ['indices', 'index'],
  ['kubernetes', 'kubernetes'],
  ['movies', 'movie'],
  ['news', 'news'],
  ['postgres', 'postgres'],
  ['series', 'series'],
  ['species', 'species'],
  ['statuses', 'status'],
]);

/** Endings in order; the first that matches applies. */
const endings: readonly (readonly [ending: RegExp, singular: string])[] = [
  [/(?<=[a-z]{2})ies$/, 'y'],
  [/(?<=ss|x|ch|sh)es$/, ''],
  // Neither singular words (`egress`, `status`, `analysis`), nor words with two spellings (`causes`,
  // `viruses`).
  [/(?:ss|us|is|uses|oes)$/, '$&'],
  [/s$(?<=[aeiouy][a-z]*)/, ''],
  [/(?<=[A-Z])s$/, ''],
];

/**
 * Returns a name in camel case with its last word in the singular: `conditions` -> `condition`, `hostAliases`
 * -> `hostAlias`, `podIPs` -> `podIP`. A name that is not recognised as a plural is returned unchanged.
 */
export function singular(name: string): string {
  const start = /(?:(?:[A-Z]|(?<![a-z]))[a-z]+|(?<![A-Z])[A-Z]+s)$/.exec(name)?.index ?? name.length;
  const word = name.slice(start);
  const known = irregular.get(word.toLowerCase());
  if (known !== undefined) return name.slice(0, start + 1) + known.slice(1);
  const rule = endings.find(([ending]) => ending.test(word));
  return rule === undefined ? name : name.slice(0, start) + word.replace(rule[0], rule[1]);
}
