import { compare, grouped, homeOf } from './keys.mjs';
import { union } from './union.mjs';

/**
 * @typedef {import('./union.mjs').Table} Table
 * @typedef {import('./union.mjs').Field} Field
 * @typedef {{ release: string, before: Table, older: Table, newer: Table }} Step from one release to the
 * next; `before` is the union of all older ones
 */

/**
 * Returns a document of the differences between older servers and the table.
 *
 * @param {readonly { release: string, table: Table }[]} releases oldest first
 * @returns {string}
 */
export function differencesText(releases) {
  const steps = releases.slice(1).map(({ release, table }, index) => {
    const all = releases.slice(0, index + 1);
    return { release: minor(release), before: union(all), older: all.at(-1).table, newer: table };
  });
  const [first, last] = [releases[0], releases.at(-1)].map(({ release }) => minor(release));
  const sections = chapters.map(({ title, text, columns, rows }) => {
    const found = steps.flatMap((step) => rows(step).map((cells) => [step.release, ...cells]));
    const shown = found.length === 0 ? 'None.' : grid(['Since', ...columns], found);
    return [`## ${title}`, ...(text === '' ? [] : [text]), shown].join('\n\n');
  });
  return [
    '<!-- Written by test/envtest/fields/write.mjs from the Go types of Kubernetes; do not edit. -->',
    `# Fields of Kubernetes ${first} to ${last}`,
    `The table has the fields of ${last}, and further fields of the releases since ${first}. Types are written as in table.ts.`,
    ...sections,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** @type {readonly { title: string, text: string, columns: string[], rows: (step: Step) => string[][] }[]} */
const chapters = [
  {
    title: 'Changed',
    text: 'The newest rule also applies to objects of older servers.',
    columns: ['Message', 'Number', 'Was', 'Is'],
    rows: (step) => changes(step, (was, is) => isSame(was, is) && stated(was) !== stated(is)),
  },
  {
    title: 'Numbers with another name or type',
    text: 'The table contains only the newer one.',
    columns: ['Message', 'Number', 'Was', 'Is'],
    rows: (step) => changes(step, (was, is) => !isSame(was, is)),
  },
  {
    title: 'Removed fields',
    text: 'The table still contains them, as optional fields; removed messages and kinds are unchanged since their last release.',
    columns: ['Message', 'Number', 'Field'],
    rows: ({ older, newer }) => added(newer, older).map(fieldCells),
  },
  {
    title: 'Added fields that are always there',
    text: 'In protobuf of an older server they are decoded as empty; its JSON has no such members.',
    columns: ['Message', 'Number', 'Field'],
    rows: ({ before, newer }) => added(before, newer).filter(isAlwaysThere).map(fieldCells),
  },
  {
    title: 'Added fields',
    text: 'In messages that older servers have.',
    columns: ['Message', 'Fields'],
    rows: ({ before, newer }) =>
      [...grouped(added(before, newer), ({ name }) => name)].map(([name, fields]) => [
        name,
        fields.map(({ field }) => field.json).join(' '),
      ]),
  },
  {
    title: 'Removed kinds',
    text: '',
    columns: ['API version', 'Kinds'],
    rows: ({ older, newer }) => addedKinds(newer, older),
  },
  {
    title: 'Added kinds',
    text: '',
    columns: ['API version', 'Kinds'],
    rows: ({ before, newer }) => addedKinds(before, newer),
  },
  {
    title: 'Removed messages',
    text: '',
    columns: ['Home', 'Messages'],
    rows: ({ older, newer }) => addedMessages(newer, older),
  },
];

function minor(release) {
  return release.split('.').slice(0, 2).join('.');
}

function grid(columns, rows) {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

/** Returns fields of both tables that differ according to `isWanted`. */
function changes({ before, newer }, isIncluded) {
  return Object.keys(newer.messages)
    .sort(compare)
    .flatMap((name) => {
      const older = new Map(before.messages[name]?.fields.map((field) => [field.number, field]));
      return newer.messages[name].fields.flatMap((is) => {
        const was = older.get(is.number);
        return was && isIncluded(was, is) ? [[name, String(is.number), stated(was), stated(is)]] : [];
      });
    });
}

/** Returns true if one type can be read and written as the other: pointers are ignored. */
function isSame(was, is) {
  return was.json === is.json && was.type.replace(/^\*/, '') === is.type.replace(/^\*/, '');
}

function stated({ json, type, omission }) {
  return `\`${json}${{ never: '', omitempty: '?', omitzero: '??' }[omission]} ${type}\``;
}

/** Returns fields that `to` has and `from` does not have, in messages that both have. */
function added(from, to) {
  return Object.keys(to.messages)
    .sort(compare)
    .flatMap((name) => {
      const numbers = from.messages[name] && new Set(from.messages[name].fields.map(({ number }) => number));
      const fields = numbers ? to.messages[name].fields.filter(({ number }) => !numbers.has(number)) : [];
      return fields.map((field) => ({ name, field }));
    });
}

function fieldCells({ name, field }) {
  return [name, String(field.number), stated(field)];
}

/** Returns true if JSON has the member without a written value: structs are never omitted as empty. */
function isAlwaysThere({ field: { type, omission } }) {
  return omission === 'never' || (omission === 'omitempty' && /^\$|^[^*[{]*\//.test(type));
}

function addedKinds(from, to) {
  const known = new Set(from.kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  const kinds = to.kinds.filter(({ apiVersion, kind }) => !known.has(`${apiVersion} ${kind}`));
  const groups = grouped(kinds, ({ apiVersion }) => apiVersion);
  return [...groups].map(([apiVersion, members]) => [apiVersion, members.map(({ kind }) => kind).join(' ')]);
}

function addedMessages(from, to) {
  const names = Object.keys(to.messages)
    .filter((name) => !(name in from.messages))
    .sort(compare);
  return [...grouped(names, homeOf)].map(([home, keys]) => [
    home,
    keys.map((key) => key.slice(home.length + 1)).join(' '),
  ]);
}
