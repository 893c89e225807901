// Changes between two API reports, with the verdict of semantic versioning. Pure.
import ts from 'typescript';

/**
 * A changed declaration or member.
 *
 * @typedef {object} ApiChange
 * @property {string} entry specifier of the entry point: `@kgen/runtime/rest`
 * @property {string} name declaration, or member with its declaration: `Pods.list`
 * @property {'added' | 'removed' | 'changed'} kind
 * @property {'major' | 'minor'} level `major` if a program that compiles may cease to
 * @property {string | undefined} before declaration in the earlier report, in one line
 * @property {string | undefined} after declaration in the later report, in one line
 */

/**
 * Returns the changes between two reports of `npm run api`. Removed and changed declarations are major,
 * also those that only widen a type: whether a type is read or written by its users is not known from its
 * declaration. So is a required member that is added to an interface, which its implementations lack. Other
 * additions are minor.
 *
 * @param {string} before
 * @param {string} after
 * @returns {ApiChange[]}
 */
export function changesOf(before, after) {
  const [old, present] = [declarationsOf(before), declarationsOf(after)];
  const changes = [];
  for (const [key, { entry, name, text }] of old) {
    const now = present.get(key);
    if (now === undefined) changes.push({ entry, name, kind: 'removed', level: 'major', before: text });
    else if (now.text !== text)
      changes.push({ entry, name, kind: 'changed', level: 'major', before: text, after: now.text });
  }
  for (const [key, { entry, name, text, owner, isRequired }] of present) {
    if (old.has(key)) continue;
    // A new declaration is one change, whatever its members are.
    if (owner !== undefined && !old.has(owner)) continue;
    changes.push({ entry, name, kind: 'added', level: isRequired ? 'major' : 'minor', after: text });
  }
  return changes.filter(({ name, kind }) => kind !== 'removed' || !hasRemovedOwner(name, changes));
}

/** Members of a removed declaration are not changes of their own. */
function hasRemovedOwner(name, changes) {
  const owner = name.slice(0, name.indexOf('.'));
  return name.includes('.') && changes.some((each) => each.name === owner && each.kind === 'removed');
}

/**
 * Returns the lowest next version for changes since a version. Before 1.0, a major change needs a minor
 * version.
 *
 * @param {string} version
 * @param {readonly ApiChange[]} changes
 */
export function leastVersion(version, changes) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const isBreaking = changes.some(({ level }) => level === 'major');
  if (isBreaking && major > 0) return `${major + 1}.0.0`;
  if (isBreaking || (changes.length > 0 && major > 0)) return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + 1}`;
}

/**
 * Whether a version is at least another one.
 *
 * @param {string} version
 * @param {string} least
 */
export function isAtLeast(version, least) {
  const [a, b] = [version, least].map((each) => each.split('-', 1)[0].split('.').map(Number));
  const at = a.findIndex((number, index) => number !== b[index]);
  return at === -1 || a[at] > b[at];
}

/** Returns the declarations of a report with their members, by entry point and name. */
function declarationsOf(report) {
  const found = new Map();
  for (const [, entry, code] of report.matchAll(/^## `([^`]+)`\n\n```ts\n([\s\S]*?)```/gm)) {
    const file = ts.createSourceFile('report.d.ts', code, ts.ScriptTarget.Latest, true);
    const add = (name, node, more) => {
      const key = `${entry} ${name}`;
      const text = [found.get(key)?.text, lineOf(node, file)].filter(Boolean).join(' ');
      found.set(key, { entry, name, text, ...more });
    };
    for (const statement of file.statements) addStatement(statement, entry, add);
  }
  return found;
}

function addStatement(statement, entry, add) {
  if (ts.isVariableStatement(statement)) {
    for (const one of statement.declarationList.declarations) add(one.name.getText(), statement);
    return;
  }
  const name = statement.name?.getText();
  if (name === undefined) return;
  if (!ts.isInterfaceDeclaration(statement) && !ts.isClassDeclaration(statement)) {
    add(name, statement);
    return;
  }
  const { typeParameters = [], heritageClauses = [] } = statement;
  add(name, [...typeParameters, ...heritageClauses]);
  for (const member of statement.members) {
    const isRequired = ts.isInterfaceDeclaration(statement) && member.questionToken === undefined;
    const title = member.name?.getText() ?? ts.SyntaxKind[member.kind];
    add(`${name}.${title}`, member, { owner: `${entry} ${name}`, isRequired });
  }
}

function lineOf(node, file) {
  const nodes = Array.isArray(node) ? node : [node];
  return nodes
    .map((each) => each.getText(file))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
