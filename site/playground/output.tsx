/** Generated files and programs. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Code } from './code.tsx';
import type { PlaygroundFile, PlaygroundResponse } from './protocol.ts';

const tabs = ['Types', 'Program', 'Other files'] as const;

type Tab = (typeof tabs)[number];

/** The output, in tabs. A tab with several files has a menu of them. */
export function Output({ response }: { readonly response: PlaygroundResponse | undefined }): JSX.Element {
  const [tab, setTab] = useState<Tab>('Types');
  const [chosen, setChosen] = useState('');
  const files = filesOf(tab, response);
  const file = files.find(({ name }) => name === chosen) ?? files[0];
  return (
    <section class="output" aria-label="Output">
      <div class="bar">
        {tabs.map((name) => (
          <button type="button" key={name} aria-pressed={name === tab} onClick={() => setTab(name)}>
            {name}
          </button>
        ))}
        <Copy text={file?.text ?? ''} />
      </div>
      {files.length > 1 && (
        <select
          aria-label="File"
          value={file?.name}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {files.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      <Code label={file?.name ?? 'Output'} text={file?.text ?? emptyText} />
    </section>
  );
}

const emptyText = '// No output: paste a CustomResourceDefinition.\n';

function filesOf(tab: Tab, response: PlaygroundResponse | undefined): readonly PlaygroundFile[] {
  if (response === undefined) return [];
  if (tab === 'Program') return response.snippets;
  return response.files.filter(({ name }) => name.endsWith('/types.ts') === (tab === 'Types'));
}

function Copy({ text }: { readonly text: string }): JSX.Element {
  const [state, setState] = useState('Copy');
  const copy = (): void => {
    // Absent on pages without TLS.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject();
    written.then(
      () => setState('Copied'),
      () => setState('Select the text to copy it'),
    );
  };
  return (
    <button type="button" class="copy" onClick={copy} onBlur={() => setState('Copy')}>
      {state}
    </button>
  );
}
