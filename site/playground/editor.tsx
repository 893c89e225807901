/** Editor of YAML with problems at their lines. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PlaygroundProblem } from './protocol.ts';

/** Properties of an editor. */
export interface EditorProps {
  readonly label: string;
  /** A text that replaces the present one when it changes. */
  readonly initial: string;
  readonly problems: readonly PlaygroundProblem[];
  /** The cursor moves to its place when it changes. */
  readonly chosen: PlaygroundProblem | undefined;
  readonly onChange: (text: string) => void;
}

/** The editor. Tab leaves it: it does not keep the focus. */
export function Editor({ label, initial, problems, chosen, onChange }: EditorProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>();
  // The editor is created once: it calls the present function.
  const present = useRef(onChange);
  present.current = onChange;
  useEffect(() => {
    if (host.current === null) return undefined;
    const update = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) present.current(state.doc.toString());
    });
    const attributes = EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' });
    const state = EditorState.create({ doc: initial, extensions: [...extensions, update, attributes] });
    const created = new EditorView({ state, parent: host.current });
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
    if (editor === undefined) return;
    const found = problems.flatMap((problem) => diagnosticOf(editor, problem) ?? []);
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [problems]);
  useEffect(() => {
    const editor = view.current;
    const place = editor && chosen && diagnosticOf(editor, chosen);
    if (editor === undefined || place === undefined) return;
    editor.dispatch({
      selection: { anchor: place.from },
      effects: EditorView.scrollIntoView(place.from, { y: 'center' }),
    });
    editor.focus();
  }, [chosen]);
  return <div ref={host} class="editor" />;
}

/** Returns the range from the place of a problem to the end of its line. The text may have changed since. */
function diagnosticOf(
  { state: { doc } }: EditorView,
  { line, column = 1, severity, message }: PlaygroundProblem,
): Diagnostic | undefined {
  if (line === undefined) return undefined;
  const found = doc.line(Math.min(Math.max(1, line), doc.lines));
  return { from: Math.min(found.from + column - 1, found.to), to: found.to, severity, message };
}

const theme = EditorView.theme({
  '&': { height: '100%' },
  '.cm-scroller': { overflow: 'auto' },
});

const extensions = [
  lineNumbers(),
  history(),
  drawSelection(),
  yaml(),
  syntaxHighlighting(classHighlighter),
  lintGutter(),
  keymap.of([...historyKeymap, ...defaultKeymap]),
  theme,
];
