import { compare, grouped, homeOf } from './keys.mjs';

/** @typedef {import('./union.mjs').Table} Table */

const marks = { never: '', omitempty: '?', omitzero: '??' };

/**
 * Returns the source of kgen's module with a table, in the form that `parseTable` reads.
 *
 * @param {Table} table
 * @param {string} newest the release whose rules apply
 * @returns {string}
 */
export function moduleText(table, newest) {
  return [
    `// Written by test/envtest/fields/write.mjs from the Go types of Kubernetes, up to ${newest}; do not edit.`,
    '// protobuf/table.ts of kgen documents the format of the lines.',
    '',
    `export const messages: string = \`\n${messageLines(table).join('\n')}\n\`;`,
    '',
    `export const kinds: string = \`\n${kindLines(table).join('\n')}\n\`;`,
    '',
  ].join('\n');
}

/**
 * Returns the source of the test server's module with the Go types of one release that differ from those of
 * the table of all releases, without their numbers.
 *
 * @param {Table} table
 * @param {string} release
 * @param {Table} all
 * @returns {string}
 */
export function goTypesText(table, release, all) {
  const lines = messageLines({ messages: differing(table.messages, all.messages) }).map((line) =>
    line.replace(/=\d+ /g, ' '),
  );
  return [
    `// Written by test/envtest/fields/write.mjs from the Go types of Kubernetes ${release}; do not edit.`,
    '// go-type.ts documents the format of the lines.',
    '',
    `export const goTypeLines: string = \`\n${lines.join('\n')}\n\`;`,
    '',
  ].join('\n');
}

/** Returns the messages of a release that the table of all releases has in another form. */
function differing(own, all) {
  const goLine = (name, message) => messageLine(name, message).replace(/=\d+ /g, ' ');
  return Object.fromEntries(
    Object.entries(own).filter(([name, message]) => goLine(name, message) !== goLine(name, all[name])),
  );
}

function messageLines({ messages }) {
  const homes = grouped(Object.keys(messages).sort(compare), homeOf);
  return [...homes].flatMap(([home, names]) => [
    home,
    ...names.map((name) => messageLine(name, messages[name])),
  ]);
}

function messageLine(name, { bare, fields }) {
  const home = homeOf(name);
  const head = `${name.slice(home.length + 1)}${bare ? '[]' : ''}`;
  const texts = fields.map(
    ({ number, json, type, omission }) => `${json}${marks[omission]}=${number} ${shortened(type, home)}`,
  );
  return `${head} ${texts.join(';')}`.trimEnd();
}

/** Returns a type without the home of its message. */
function shortened(type, home) {
  const [, shape, element] = /^(\*|\[\]|\{\}|)(.*)$/.exec(type);
  return shape + (homeOf(element) === home ? element.slice(home.length + 1) : element);
}

function kindLines({ kinds }) {
  const versions = grouped(kinds, ({ apiVersion }) => apiVersion);
  return [...versions.keys()].sort(compare).map((apiVersion) => {
    const words = versions.get(apiVersion).map(({ kind, message }) => {
      const home = apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`;
      return message === `${home}.${kind}` ? kind : `${kind}=${message}`;
    });
    return `${apiVersion} ${words.sort(compare).join(' ')}`;
  });
}
