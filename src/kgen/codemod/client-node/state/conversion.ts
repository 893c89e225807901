/** State of the conversion of one file: the text of a node is computed from the texts of the nodes in it. */
import { ts } from 'ts-morph';
import { type Remark, visitAll } from '../../rewriting.ts';
import { isLibrary, moduleOf } from './specifiers.ts';

/** A statement whose text is being computed. */
interface Frame {
  readonly before: string[];
  readonly after: string[];
  readonly remarks: Set<string>;
}

/** Returns the text of a node, or `undefined` if the rule does not apply. */
export type Rule = (conversion: Conversion, node: ts.Node) => string | undefined;

/** Mark in place of a statement that is left out; a line with nothing else is removed. */
const removed = '\u0000';

/** Conversion of one file. */
export class Conversion {
  readonly source: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  readonly isTypeScript: boolean;
  readonly imports: ImportList;
  readonly names: Set<string>;
  readonly changes: Remark[] = [];
  readonly problems: Remark[] = [];
  /** Declarations at the start of the module. */
  readonly hoisted: string[] = [];
  /** Expressions in place of variables. */
  readonly replaced: Map<ts.Symbol, string> = new Map();
  /** Statements that are left out. */
  readonly dropped: Set<ts.Node> = new Set();
  /** Parameters whose types are left out. */
  readonly untyped: Set<ts.Node> = new Set();
  /** `return` statements of functions that have become the body of a loop. */
  readonly continued: Set<ts.Node> = new Set();
  /** Names of client-node that remain. */
  readonly kept: Set<string> = new Set();
  readonly unit: string;
  readonly #rules: readonly Rule[];
  readonly #frames: Frame[] = [];
  readonly #scopes: Map<string, readonly ts.Node[]> = new Map();

  constructor(source: ts.SourceFile, checker: ts.TypeChecker, rules: readonly Rule[]) {
    this.source = source;
    this.checker = checker;
    this.isTypeScript = /\.[cm]?tsx?$/.test(source.fileName);
    this.names = new Set(namesOf(source));
    this.imports = new ImportList((name) => this.names.has(name) || this.#scopes.has(name));
    this.unit = /^( +|\t)\S/m.exec(source.text)?.[1] ?? '  ';
    this.#rules = rules;
  }

  /** Returns the text of a node with all conversions in it. */
  render(node: ts.Node): string {
    return ts.isStatement(node) && !ts.isBlock(node) ? this.#statement(node) : this.#node(node);
  }

  /** Returns the text of a node whose children are converted, without a rule for the node itself. */
  renderChildren(node: ts.Node): string {
    const start = node.getStart(this.source);
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => {
      children.push(child);
    });
    children.sort((a, b) => a.pos - b.pos);
    let [text, end] = ['', start];
    for (const child of children) {
      const from = child.getStart(this.source);
      if (from < end || child.end === from) continue;
      text += this.source.text.slice(end, from) + this.render(child);
      end = child.end;
    }
    return text + this.source.text.slice(end, node.end);
  }

  /** Adds statements before that of the node whose text is being computed. */
  before(lines: readonly string[]): void {
    for (const line of lines) this.#frames.at(-1)?.before.push(line);
  }

  /** Adds statements after that of the node whose text is being computed. */
  after(lines: readonly string[]): void {
    for (const line of lines) this.#frames.at(-1)?.after.push(line);
  }

  /** Records a place that must be changed by hand, and comments it. */
  report(node: ts.Node, message: string): void {
    const position = node.getStart(this.source);
    if (this.problems.some((each) => each.position === position && each.text === message)) return;
    this.problems.push({ position, text: message });
    this.#frames.at(-1)?.remarks.add(message);
  }

  /** Records a change. */
  note(node: ts.Node, message: string): void {
    this.changes.push({ position: node.getStart(this.source), text: message });
  }

  /** Leaves out a statement. Comments before it remain. */
  remove(): string {
    return removed;
  }

  /** Returns the name of an export, which is imported. */
  use(entry: string, name: string, isType = false, alias?: string): string {
    return this.imports.use(entry, name, isType, alias);
  }

  /** Returns a name that the file does not contain, and reserves it in the function of a node. */
  fresh(requested: string, place: ts.Node = this.source): string {
    const scope = ts.findAncestor(place, ts.isFunctionLike) ?? this.source;
    const isUsed = (name: string) =>
      this.names.has(name) || (this.#scopes.get(name) ?? []).some((each) => overlap(each, scope));
    let name = requested;
    for (let count = 2; isUsed(name); count += 1) name = `${requested}${count}`;
    this.#scopes.set(name, [...(this.#scopes.get(name) ?? []), scope]);
    return name;
  }

  /** Returns the white space at the start of the line of a node. */
  indentOf(node: ts.Node): string {
    const { text } = this.source;
    const start = text.lastIndexOf('\n', node.getStart(this.source) - 1) + 1;
    return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
  }

  /** Returns the text of a node as it is written at another depth. */
  moved(node: ts.Node, place: ts.Node): string {
    const text = this.render(node);
    const [from, to] = [this.indentOf(node), this.indentOf(place)];
    if (from === to || hasLongTemplate(node)) return text;
    const [first = '', ...rest] = text.split('\n');
    return [first, ...rest.map((line) => (line.startsWith(from) ? to + line.slice(from.length) : line))].join(
      '\n',
    );
  }

  symbolOf(node: ts.Node): ts.Symbol | undefined {
    return ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node);
  }

  #statement(node: ts.Statement): string {
    if (this.dropped.has(node)) return removed;
    const frame: Frame = { before: [], after: [], remarks: new Set() };
    this.#frames.push(frame);
    const text = this.#node(node);
    this.#frames.pop();
    const own = this.source.text.slice(node.getFullStart(), node.getStart(this.source));
    const remarks = [...frame.remarks]
      .map((remark) => `// kgen codemod: ${remark}`)
      .filter((line) => !own.includes(line));
    const parts = [...remarks, ...frame.before, text, ...frame.after].filter((part) => part !== removed);
    if (parts.length === 0) return removed;
    const indent = this.indentOf(node);
    const body = parts.join(`\n${indent}`);
    const isSingle = parts.length === 1 || ts.isBlock(node.parent) || ts.isSourceFile(node.parent);
    const isListed = isSingle || ts.isModuleBlock(node.parent) || ts.isCaseOrDefaultClause(node.parent);
    return isListed ? body : `{\n${indent}${body}\n${indent}}`;
  }

  #node(node: ts.Node): string {
    for (const rule of this.#rules) {
      const text = rule(this, node);
      if (text !== undefined) return text;
    }
    return this.renderChildren(node);
  }
}

interface Imported {
  readonly local: string;
  readonly isType: boolean;
}

/** Requested imports, by entry point and name. */
class ImportList {
  readonly #isUsed: (name: string) => boolean;
  readonly #locals: Set<string> = new Set();
  readonly #entries: Map<string, Map<string, Imported>> = new Map();

  constructor(isUsed: (name: string) => boolean) {
    this.#isUsed = (name) => isUsed(name) || this.#locals.has(name);
  }

  /** Returns the local name of an export. `alias` is used if the file already has the name. */
  use(entry: string, name: string, isType: boolean, alias: string = aliasOf(name)): string {
    const known = this.#entries.get(entry) ?? new Map<string, Imported>();
    this.#entries.set(entry, known);
    const found = known.get(name);
    const local = found?.local ?? this.#localName(name, alias);
    known.set(name, { local, isType: isType && (found?.isType ?? true) });
    return local;
  }

  /** Returns the import declarations, in order. */
  lines(quote: string, end: string): readonly string[] {
    return [...this.#entries].sort(byKey).map(([entry, known]) => {
      const all = [...known].sort(byKey);
      const isAllTypes = all.every(([, { isType }]) => isType);
      const names = all.map(([name, { local, isType }]) => {
        const type = isType && !isAllTypes ? 'type ' : '';
        return `${type}${local === name ? name : `${name} as ${local}`}`;
      });
      return `import ${isAllTypes ? 'type ' : ''}{ ${names.join(', ')} } from ${quote}${entry}${quote}${end}`;
    });
  }

  #localName(name: string, alias: string): string {
    const free = [name, alias].find((each) => !this.#isUsed(each));
    let local = free ?? alias;
    for (let count = 2; this.#isUsed(local); count += 1) local = `${alias}${count}`;
    this.#locals.add(local);
    return local;
  }
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => {
  const [first, second] = [a.toLowerCase(), b.toLowerCase()];
  return first < second ? -1 : first > second ? 1 : 0;
};

const aliasOf = (name: string): string => `kgen${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Returns a text without the lines of statements that were left out. */
export function withoutRemoved(text: string): string {
  const withoutLines = text
    .replace(/(?<=\n[ \t]*\n)(?:[ \t]*\0[ \t;]*\n)+[ \t]*\n/g, '')
    .replace(/(?<=^|\n)[ \t]*\0[ \t;]*(?:\n|$|(?=\/[/*]))/g, '');
  return withoutLines.replaceAll('\0', '');
}

const overlap = (a: ts.Node, b: ts.Node): boolean =>
  (a.pos <= b.pos && b.end <= a.end) || (b.pos <= a.pos && a.end <= b.end);

/** Returns whether a node contains a template literal with several lines, whose space must not change. */
export function hasLongTemplate(node: ts.Node): boolean {
  if ((ts.isTemplateLiteral(node) || ts.isTemplateSpan(node)) && node.getText().includes('\n')) return true;
  return ts.forEachChild(node, hasLongTemplate) ?? false;
}

/** Returns the identifiers of a file that an import could hide, without those of client-node. */
function namesOf(source: ts.SourceFile): ReadonlySet<string> {
  const [names, imported] = [new Set<string>(), new Set<string>()];
  visitAll(source, (node) => {
    if (!ts.isIdentifier(node)) return;
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isPart = ts.isQualifiedName(parent) && parent.right === node;
    const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
    if (importsNamed(parent)) imported.add(node.text);
    if (!isMember && !isPart && !isKey) names.add(node.text);
  });
  return new Set([...names].filter((name) => !imported.has(name)));
}

/** Returns whether a node names one export of client-node in an import. */
function importsNamed(node: ts.Node): boolean {
  const owner = ts.isImportSpecifier(node) || ts.isBindingElement(node) ? node.parent.parent : undefined;
  if (owner === undefined) return false;
  const declaration = ts.isImportClause(owner) ? owner.parent : owner;
  const module = moduleOf(declaration);
  return module !== undefined && isLibrary(module.text);
}
