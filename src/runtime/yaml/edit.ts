/** YAML that is changed in place: comments, order, styles and everything that nobody asked about stay. */
import { ConfigError } from '../errors.ts';
import { parseYaml } from './parse.ts';

/** Where a value is: keys of mappings, indices of lists. */
export type YamlPath = readonly (string | number)[];

/** A text of YAML or JSON that can be changed. */
export interface YamlEditor {
  /** The present value. `null` for an empty text. */
  read(): unknown;
  /** Sets one value; mappings and lists on the way to it are made where they are missing or null. */
  set(path: YamlPath, value: unknown): void;
  /** Removes one value; does nothing where there is none. */
  remove(path: YamlPath): void;
  /** Whether anything is different from the text that was opened. */
  readonly changed: boolean;
  /** The text with the changes: JSON stays JSON. */
  toString(): string;
}

type Yaml = typeof import('yaml');
type YamlDocument = ReturnType<Yaml['parseDocument']>;
type ToStringOptions = NonNullable<Parameters<YamlDocument['toString']>[0]>;
type Tag = Exclude<import('yaml').Tags[number], string>;
type ScalarTag = import('yaml').ScalarTag;

/** How deep an alias may lead; a text with more is refused before it gets here. */
const maxAliasCount = 100;

/** The white space that JSON is indented with; `undefined` when the text is no JSON. */
function jsonIndent(text: string): string | undefined {
  try {
    JSON.parse(text);
    return /^\s*[[{]\r?\n([ \t]+)/.exec(text)?.[1] ?? '';
  } catch {
    // Whatever the parser has against it: it is not JSON.
    return undefined;
  }
}

/** The style of the text, as far as a document does not remember it itself. */
function styleOf(text: string): ToStringOptions {
  const [, deeper, inItem] =
    /^[^\s#-][^\n]*:[ \t]*\n( +)[^\s#]|^- [^\n]*:[ \t]*\n {2}( +)[^\s#]/m.exec(text) ?? [];
  return {
    lineWidth: 0,
    indent: Math.min((deeper ?? inItem)?.length ?? 2, 8),
    // Lists that begin in the column of their key, as kubectl writes them, stay there.
    indentSeq: /^[^\s#-][^\n]*:[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)* +- /m.test(text),
  };
}

const ignore = (): void => undefined;

function isNumberTag(tag: Tag): tag is ScalarTag {
  return /:(?:int|float)$/.test(tag.tag) && tag.collection === undefined;
}

/** Numbers that nobody changed are written as they were: `0644`, and more digits than a double holds. */
function keepingNumbers(tag: Tag): Tag {
  if (!isNumberTag(tag)) return tag;
  return {
    ...tag,
    stringify: (item, ...rest) =>
      item.source !== undefined && Object.is(tag.resolve(item.source, ignore, {}), item.value)
        ? item.source
        : (tag.stringify?.(item, ...rest) ?? String(item.value)),
  };
}

/** Texts that YAML 1.1, which kubectl reads, takes for something else where they have no quotes. */
const needsQuotes = /^(?:y|yes|n|no|on|off|true|false|null|~|=|<<|)$|^[-+.]?[\d.]/i;

/** Aliases (`*name`) become copies: a change of one place is none of another, and an anchor may go. */
function withoutAliases({ isAlias, isNode, visit }: Yaml, document: YamlDocument): void {
  visit(document, {
    Alias: (_, alias) => {
      const copy: unknown = alias.resolve(document)?.clone();
      if (!isNode(copy)) return undefined;
      if (!isAlias(copy)) delete copy.anchor;
      return copy;
    },
  });
}

class DocumentEditor implements YamlEditor {
  readonly #yaml: Yaml;
  readonly #document: YamlDocument;
  readonly #style: ToStringOptions;
  readonly #json: string | undefined;
  #changed = false;

  constructor(yaml: Yaml, text: string) {
    this.#yaml = yaml;
    this.#json = jsonIndent(text);
    this.#style = styleOf(text);
    this.#document = yaml.parseDocument(text, {
      merge: true,
      prettyErrors: false,
      customTags: (tags) => tags.map((tag) => (typeof tag === 'string' ? tag : keepingNumbers(tag))),
    });
  }

  get isSound(): boolean {
    if (this.#document.errors.length > 0) return false;
    try {
      this.read();
      return true;
    } catch {
      // Only aliases and merged mappings can fail here.
      return false;
    }
  }

  get changed(): boolean {
    return this.#changed;
  }

  read(): unknown {
    return this.#document.toJS({ maxAliasCount }) ?? null;
  }

  set(path: YamlPath, value: unknown): void {
    const { isCollection, isNode } = this.#yaml;
    const present: unknown = this.#document.getIn(path, true);
    const known = isNode(present) ? present.toJS(this.#document) : present;
    if (present !== undefined && JSON.stringify(known) === JSON.stringify(value)) return;
    this.#beginChange();
    const missing = path.findIndex(
      (_, depth) => !isCollection(this.#document.getIn(path.slice(0, depth), true)),
    );
    const depth = missing === -1 ? path.length : missing;
    const rest = path.slice(depth);
    const made = rest.reduceRight<unknown>(
      (inner, key) => (typeof key === 'number' ? [inner] : new Map([[key, inner]])),
      value,
    );
    this.#put(path.slice(0, depth), made);
  }

  remove(path: YamlPath): void {
    if (!this.#document.hasIn(path)) return;
    this.#beginChange();
    this.#document.deleteIn(path);
  }

  toString(): string {
    return this.#json === undefined
      ? this.#document.toString(this.#style)
      : `${JSON.stringify(this.read(), null, this.#json)}\n`;
  }

  #beginChange(): void {
    if (!this.#changed) withoutAliases(this.#yaml, this.#document);
    this.#changed = true;
  }

  #put(path: YamlPath, value: unknown): void {
    const { isCollection, isScalar } = this.#yaml;
    const made = this.#node(value);
    const present: unknown = this.#document.getIn(path, true);
    if (isScalar(present) && isScalar(made)) {
      // The node that is there stays, and with it its comment.
      present.value = made.value;
      if (made.type !== undefined) present.type = made.type;
      return;
    }
    const parent: unknown = this.#document.getIn(path.slice(0, -1), true);
    // An empty list or mapping has to be written in brackets; one that is not empty any more need not.
    if (isCollection(parent) && parent.items.length === 0) parent.flow = false;
    if (path.length > 0) this.#document.setIn(path, made);
    else this.#document.contents = made;
  }

  #node(value: unknown): import('yaml').Node {
    const node = this.#document.createNode(value);
    this.#yaml.visit(node, {
      Scalar: (_, scalar) => {
        if (typeof scalar.value === 'string' && needsQuotes.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
      },
    });
    return node;
  }
}

/**
 * Opens a text for changing. The parser is loaded when it is first needed.
 * @param source how messages name it
 * @throws {ConfigError} it is not YAML, with line and column; or its aliases cannot be followed
 */
export async function editYaml(text: string, source: string): Promise<YamlEditor> {
  const editor = new DocumentEditor(await import('yaml'), text);
  if (editor.isSound) return editor;
  // Says what is wrong and where, as for all other YAML.
  await parseYaml(text, source);
  throw new ConfigError(`${source}: the merged mappings (<<) of the YAML cannot be followed`);
}
