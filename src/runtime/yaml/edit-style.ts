/** The style of a text, as far as a parsed document does not remember it. */
import type { ToStringOptions } from 'yaml';

/** What stands around and between the lines. */
export interface Framing {
  /** The text without it: no mark of the byte order, lines that end in `\n`. */
  readonly body: string;
  /** Puts it around another body. */
  readonly frame: (body: string) => string;
}

/** Takes a text as Windows writes it apart. Lines end as the first one does. */
export function framingOf(text: string): Framing {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const isWindows = /^[^\n]*\r\n/.test(text);
  return {
    body: text.slice(mark.length).replaceAll('\r\n', '\n'),
    frame: (body) => `${mark}${isWindows ? body.replaceAll('\n', '\r\n') : body}`,
  };
}

/** How a body of YAML is indented. Lines are never folded. */
export function styleOf(body: string): ToStringOptions {
  const [, deeper, inItem] =
    /^[^\s#-][^\n]*:[ \t]*\n( +)[^\s#]|^- [^\n]*:[ \t]*\n {2}( +)[^\s#]/m.exec(body) ?? [];
  return {
    lineWidth: 0,
    indent: Math.min((deeper ?? inItem)?.length ?? 2, 8),
    // Lists that begin in the column of their key, as kubectl writes them, stay there.
    indentSeq: /^[^\s#-][^\n]*:[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)* +- /m.test(body),
  };
}
