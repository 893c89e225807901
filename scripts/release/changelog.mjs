// The changelog of a release.

/** Heading of the changes since the last release. */
const unreleased = /^## (\S+) – unreleased$/m;

/**
 * Returns the changelog in which the changes since the last release are those of a version. Notes of
 * changesets that are not among its lines are added. A changelog that has the version already remains as it
 * is.
 *
 * @param {string} text
 * @param {{ readonly version: string, readonly date: string, readonly notes: readonly string[] }} release
 * @throws {Error} the changelog has no heading `## VERSION – unreleased`
 */
export function releasedChangelog(text, { version, date, notes }) {
  if (notes.length === 0 && text.includes(`\n## ${version} – 2`)) return text;
  if (!unreleased.test(text)) throw new Error('CHANGELOG.md has no heading "## VERSION – unreleased"');
  const plain = (note) => note.replace(/\s+/g, ' ');
  const known = plain(text);
  const missing = notes.filter((note) => !known.includes(plain(note)));
  const lines = missing.map((note) => `- ${note.replaceAll('\n', '\n  ')}\n`).join('');
  const dated = text.replace(unreleased, `## ${version} – ${date}`);
  if (lines === '') return dated;
  const start = dated.indexOf(`## ${version} – ${date}`);
  const list = dated.indexOf('\n- ', start);
  if (list < 0) return `${dated.trimEnd()}\n\n${lines}`;
  return `${dated.slice(0, list + 1)}${lines}${dated.slice(list + 1)}`;
}
