/** Edits YAML in place: comments, order, styles and all unrelated parts are kept. */
import type { Document, ToStringOptions } from 'yaml';
import { ConfigError } from '../api/errors.ts';
import { meetsAliases, withoutAliases } from './edit-aliases.ts';
import { jsonIndent, jsonText } from './edit-json.ts';
import { parseEditable } from './edit-parse.ts';
import { needsQuotes } from './scalars.ts';

/** Byte order mark and line ends of a document. */
interface Framing {
  /** The document without a byte order mark, with `\n` as line end. */
  readonly body: string;
  /** Restores byte order mark and line ends for a new body. */
  readonly frame: (body: string) => string;
}

/** Path of a value: keys of mappings, indices of lists. */
export type YamlPath = readonly (string | number)[];

/** A YAML or JSON document that can be edited. */
export interface YamlEditor {
  /**
   * Returns the current value as parsed by kubectl; `null` for an empty document. Returns the same object
   * until the next change.
   */
  read(): unknown;
  /** Sets one value. Missing or null mappings and lists on the path are created. */
  set(path: YamlPath, value: unknown): void;
  /** Removes one value. Has no effect if it is absent. */
  remove(path: YamlPath): void;
  /** Whether the document differs from the one that was opened. */
  readonly changed: boolean;
  /** Returns the edited document. JSON stays JSON, and line ends are kept. */
  toString(): string;
}

type Yaml = typeof import('yaml');
type Values = typeof import('./values.ts');

class DocumentEditor implements YamlEditor {
  readonly #yaml: Yaml;
  readonly #documentValue: Values['documentValue'];
  readonly #framing: Framing;
  readonly #document: Document;
  readonly #json: string | undefined;
  #value: { readonly read: unknown } | undefined;
  #changed = false;

  constructor(yaml: Yaml, { documentValue }: Values, framing: Framing, document: Document) {
    this.#yaml = yaml;
    this.#documentValue = documentValue;
    this.#framing = framing;
    this.#json = jsonIndent(framing.body);
    this.#document = document;
  }

  get changed(): boolean {
    return this.#changed;
  }

  read(): unknown {
    this.#value ??= { read: this.#documentValue(this.#document) };
    return this.#value.read;
  }

  set(path: YamlPath, value: unknown): void {
    const { isCollection, isNode } = this.#yaml;
    const present: unknown = this.#document.getIn(path, true);
    const known = isNode(present) ? valueAt(this.read(), path) : present;
    if (present !== undefined && JSON.stringify(known) === JSON.stringify(value)) return;
    this.#beginChange(path);
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
    if (valueAt(this.read(), path) === undefined) return;
    this.#beginChange(path);
    this.#document.deleteIn(path);
  }

  toString(): string {
    const { frame, body } = this.#framing;
    return frame(
      this.#json === undefined
        ? this.#document.toString(styleOf(body))
        : jsonText(this.#yaml, this.#document, this.#json),
    );
  }

  #beginChange(path: YamlPath): void {
    if (meetsAliases(this.#yaml, this.#document, path)) withoutAliases(this.#yaml, this.#document);
    this.#value = undefined;
    this.#changed = true;
  }

  #put(path: YamlPath, value: unknown): void {
    const { isCollection, isScalar } = this.#yaml;
    const made = this.#node(value);
    const present: unknown = this.#document.getIn(path, true);
    if (isScalar(present) && isScalar(made)) {
      // Keeps the existing node with its comment.
      present.value = made.value;
      delete present.source;
      if (made.type !== undefined) present.type = made.type;
      return;
    }
    const parent: unknown = this.#document.getIn(path.slice(0, -1), true);
    // An empty list or mapping uses brackets; one with items uses block style again.
    if (isCollection(parent) && parent.items.length === 0) parent.flow = false;
    if (path.length > 0) this.#document.setIn(path, made);
    else this.#document.contents = made;
  }

  #node(value: unknown): import('yaml').Node {
    const node = this.#document.createNode(value);
    this.#yaml.visit(node, {
      Scalar: (_, scalar) => {
        if (typeof scalar.value === 'string' && needsQuotes(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
      },
    });
    return node;
  }
}

function valueAt(value: unknown, path: YamlPath): unknown {
  return path.reduce<unknown>((inner, key) => own(inner, key), value);
}

function own(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

/**
 * Opens a document for editing. The parser is loaded on first use. Messages never quote a line of the
 * document, which may contain a credential.
 * @param source name of the document in messages
 * @throws {ConfigError} invalid YAML, with line and column; or aliases that cannot be resolved
 */
export async function editYaml(text: string, source: string): Promise<YamlEditor> {
  const { yaml } = await import('./yaml-package.ts');
  const values = await import('./values.ts');
  const framing = framingOf(text);
  const document = await parseEditable(yaml, framing.body, source);
  const editor = new DocumentEditor(yaml, values, framing, document);
  try {
    editor.read();
  } catch (error) {
    // Only this error is possible here.
    const why = error instanceof values.Unreadable ? error.fault.why : 'it is nested too deeply';
    throw new ConfigError(`${source}: the YAML cannot be resolved: ${why}`);
  }
  return editor;
}

/** Splits a document from Windows. All lines end as the first one does. */
export function framingOf(text: string): Framing {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const isWindows = /^[^\n]*\r\n/.test(text);
  return {
    body: text.slice(mark.length).replaceAll('\r\n', '\n'),
    frame: (body) => `${mark}${isWindows ? body.replaceAll('\n', '\r\n') : body}`,
  };
}

/** Returns the indentation of a YAML body. Lines are never folded. */
export function styleOf(body: string): ToStringOptions {
  const [, deeper, inItem] =
    /^[^\s#-][^\n]*:[ \t]*\n( +)[^\s#]|^- [^\n]*:[ \t]*\n {2}( +)[^\s#]/m.exec(body) ?? [];
  return {
    lineWidth: 0,
    indent: Math.min((deeper ?? inItem)?.length ?? 2, 8),
    // Lists that start in the column of their key, as kubectl writes them, are kept.
    indentSeq: /^[^\s#-][^\n]*:[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)* +- /m.test(body),
  };
}
