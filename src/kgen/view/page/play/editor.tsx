/** Editor of YAML with completions and errors at their lines. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { TextError } from '../../live-document.ts';
import { type SchemaDocument, suggestionsAt } from './completion.ts';

/** Properties of an editor. */
export interface EditorProps {
  readonly label: string;
  /** A text that replaces the present one when it changes. */
  readonly initial: string;
  readonly errors: readonly TextError[];
  readonly schema: SchemaDocument | undefined;
  readonly onChange: (text: string) => void;
}

/** The editor. Escape and Tab leave it: it does not keep the focus. */
export function Editor({ label, initial, errors, schema, onChange }: EditorProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>();
  // The editor is created once: it reads the present values.
  const present = useRef({ schema, onChange });
  present.current = { schema, onChange };
  useEffect(() => {
    if (host.current === null) return undefined;
    // In a shadow root, style sheets are adopted, which the policy of the page permits.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const complete = (context: CompletionContext) => completionsOf(context, present.current.schema);
    const update = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) present.current.onChange(state.doc.toString());
    });
    const attributes = EditorView.contentAttributes.of({ 'aria-label': label });
    const state = EditorState.create({
      doc: initial,
      extensions: [...extensions, autocompletion({ override: [complete], icons: false }), update, attributes],
    });
    const created = new EditorView({ state, parent: root, root });
    view.current = created;
    return () => created.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === initial) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: initial } });
  }, [initial]);
  useEffect(() => {
    const editor = view.current;
    if (editor !== undefined) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor, errors)));
  }, [errors]);
  return <div ref={host} class="editor" />;
}

function completionsOf(
  context: CompletionContext,
  schema: SchemaDocument | undefined,
): CompletionResult | null {
  const found = schema && suggestionsAt(context.state.doc.toString(), context.pos, schema);
  if (found === undefined || (!context.explicit && found.from === context.pos)) return null;
  const options = found.options.map(({ label, detail, info, text }) => ({
    ...{ label, detail, apply: text },
    // A function returns an element, a string is text in any case.
    ...(info !== '' && { info }),
  }));
  return { from: found.from, options };
}

function diagnosticsOf({ state: { doc } }: EditorView, errors: readonly TextError[]): readonly Diagnostic[] {
  return errors.map(({ line, column = 1, message }) => {
    const found = doc.line(Math.min(Math.max(1, line), doc.lines));
    const from = Math.min(found.from + column - 1, found.to);
    return { from, to: found.to, severity: 'error', message };
  });
}

const theme = EditorView.theme({
  '&': { border: '1px solid var(--line)', borderRadius: '6px', maxHeight: '60vh', color: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
    fontSize: '12.5px',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--ink)', minHeight: '8rem' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--raised)', color: 'var(--quiet)', border: '0' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--chosen)',
  },
  '.cm-tooltip': { background: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--chosen)', color: 'var(--ink)' },
  // Its own forms are images, which the policy of the page refuses.
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-lint-marker-error': { content: '"!"', color: 'var(--bad)', fontWeight: '700', textAlign: 'center' },
  '.cm-completionDetail': { color: 'var(--quiet)' },
  '.cm-completionInfo': { maxWidth: '24rem', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
});

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--warn)' },
  { tag: [tags.comment, tags.lineComment, tags.meta], color: 'var(--quiet)' },
]);

const extensions = [
  lineNumbers(),
  history(),
  drawSelection(),
  yaml(),
  syntaxHighlighting(highlight),
  lintGutter(),
  keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
  theme,
];
