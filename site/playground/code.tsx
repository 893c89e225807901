/** TypeScript with highlighted syntax. */
import { classHighlighter, highlightCode } from '@lezer/highlight';
import { parser } from '@lezer/javascript';
import type { JSX } from 'preact';

const typescript = parser.configure({ dialect: 'ts' });

/** A block of code, which scrolls by keyboard, too. */
export function Code({ label, text }: { readonly label: string; readonly text: string }): JSX.Element {
  const parts: (string | JSX.Element)[] = [];
  highlightCode(
    text,
    typescript.parse(text),
    classHighlighter,
    (part, classes) => parts.push(classes === '' ? part : <span class={classes}>{part}</span>),
    () => parts.push('\n'),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="code" aria-label={label} tabIndex={0}>
      <pre>
        <code>{parts}</code>
      </pre>
    </section>
  );
}
