/** The playground: definitions in, types and a program out, without a server. */
import { type JSX, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Editor } from './editor.tsx';
import { Output } from './output.tsx';
import './playground.css';
import type { PlaygroundProblem, PlaygroundRequest, PlaygroundResponse } from './protocol.ts';
import bakery from './samples/bakery.yaml?raw';
import errors from './samples/errors.yaml?raw';
import rules from './samples/rules.yaml?raw';
import versions from './samples/versions.yaml?raw';

/** Definitions to begin with. */
const samples: readonly (readonly [name: string, text: string])[] = [
  ['A bakery', bakery],
  ['Rules and alternatives', rules],
  ['Two versions', versions],
  ['Errors', errors],
];

/** Shows the playground in an element. Returns a function that removes it. */
export function mount(host: HTMLElement): () => void {
  render(<Playground />, host);
  return () => render(null, host);
}

function Playground(): JSX.Element {
  const [initial, setInitial] = useState(bakery);
  const [text, setText] = useState(bakery);
  const [chosen, setChosen] = useState<PlaygroundProblem>();
  const { response, failure } = useGenerated(text);
  const problems = response?.problems ?? noProblems;
  return (
    <div class="playground">
      <section class="input" aria-label="Input">
        <div class="bar">
          <label for="sample">Sample</label>
          <select
            id="sample"
            onChange={({ currentTarget }) => setInitial(samples[currentTarget.selectedIndex]?.[1] ?? '')}
          >
            {samples.map(([name]) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <button type="button" onClick={() => setInitial('')}>
            Clear
          </button>
        </div>
        <Editor
          label="CustomResourceDefinitions, YAML"
          {...{ initial, problems, chosen }}
          onChange={setText}
        />
        <p role="status">{failure ?? summaryOf(response)}</p>
        <ul class="problems" aria-label="Problems">
          {problems.map((problem) => (
            <li key={`${problem.line}:${problem.column}:${problem.message}`}>
              <button type="button" onClick={() => setChosen({ ...problem })}>
                <span class={problem.severity}>{problem.severity}</span>{' '}
                {problem.line !== undefined && `${problem.line}:${problem.column ?? 1} `}
                {problem.message}
              </button>
            </li>
          ))}
        </ul>
      </section>
      <Output response={response} />
    </div>
  );
}

const noProblems: readonly PlaygroundProblem[] = [];

/** Delay after the last change of the text, in milliseconds. */
const typingMs = 150;

interface Generated {
  readonly response: PlaygroundResponse | undefined;
  /** Set if the thread failed, or cannot be loaded. */
  readonly failure: string | undefined;
}

/** Returns the output for a text, or that for an earlier text until it arrives. */
function useGenerated(text: string): Generated {
  const [response, setResponse] = useState<PlaygroundResponse>();
  const [failure, setFailure] = useState<string>();
  const worker = useRef<Worker>();
  const id = useRef(0);
  useEffect(() => {
    const created = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    created.addEventListener('message', ({ data }: MessageEvent<PlaygroundResponse>) => {
      if (data.id !== id.current) return;
      setResponse(data);
      setFailure(undefined);
    });
    created.addEventListener('error', ({ message }) => {
      setFailure(`The generator failed${message === undefined ? '' : `: ${message}`}`);
    });
    worker.current = created;
    return () => created.terminate();
  }, []);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        id.current += 1;
        const request: PlaygroundRequest = { id: id.current, text };
        worker.current?.postMessage(request);
      },
      id.current === 0 ? 0 : typingMs,
    );
    return () => clearTimeout(timer);
  }, [text]);
  return { response, failure };
}

function summaryOf(response: PlaygroundResponse | undefined): string {
  if (response === undefined) return 'Generating …';
  const { files, problems } = response;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const counts = [
    counted(files.length, 'file'),
    counted(errors, 'error'),
    counted(problems.length - errors, 'warning'),
  ];
  return (
    counts.filter((count) => !count.startsWith('0 ')).join(', ') ||
    'Nothing to generate: paste a CustomResourceDefinition.'
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
