/** Parts of a document's style that the parser does not keep. */
import type { ToStringOptions } from 'yaml';

/** Byte order mark and line ends of a document. */
export interface Framing {
  /** The document without a byte order mark, with `\n` as line end. */
  readonly body: string;
  /** Restores byte order mark and line ends for a new body. */
  readonly frame: (body: string) => string;
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
