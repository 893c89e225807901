/** View of the actions of `kgen dev`, and of the test that repeats them. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ActionResult, PlayState } from '../../live-document.ts';
import { Block, Choice } from '../parts.tsx';
import { type Actions, kindIn, perform, useActions, useSchema } from './actions.ts';
import { Editor } from './editor.tsx';

/** The view. */
export function Play(): JSX.Element {
  const actions = useActions();
  const { state } = actions;
  if (state === undefined)
    return <p class="empty">{actions.result?.message ?? 'The server does not respond.'}</p>;
  const parts = { state, actions };
  return (
    <div class="play">
      <section aria-label="Actions">
        <Create {...parts} />
        <Operator {...parts} />
        <Faults {...parts} />
        <Watches {...parts} />
        <Time {...parts} />
        <Snapshots {...parts} />
      </section>
      <section aria-label="Test">
        <Result result={actions.result} />
        <Steps {...parts} />
      </section>
    </div>
  );
}

interface PartProps {
  readonly state: PlayState;
  readonly actions: Actions;
}

/** Result of an action with its code. */
export function Result({ result }: { readonly result: ActionResult | undefined }): JSX.Element {
  return (
    <div role="status" class={result?.isDone === false ? 'problem' : 'result'}>
      {result?.message}
      {result?.code !== undefined && <Block kind="yaml" text={result.code} />}
    </div>
  );
}

function Create({ state, actions }: PartProps): JSX.Element {
  const [initial, setInitial] = useState(state.samples[0]?.yaml ?? '');
  const [yaml, setYaml] = useState(initial);
  const [errors, setErrors] = useState<ActionResult['errors']>([]);
  const { apiVersion, kind } = kindIn(yaml);
  const schema = useSchema(apiVersion, kind);
  const load = async (from: string): Promise<void> => {
    const sample = state.samples.find(({ name }) => `sample ${name}` === from);
    const of = state.kinds.find((each) => nameOf(each) === from);
    const generated =
      of && (await perform({ type: 'sample', apiVersion: of.apiVersion, kind: of.kind })).value;
    const text = sample?.yaml ?? (typeof generated === 'string' ? generated : '');
    setInitial(text);
    setYaml(text);
    setErrors([]);
  };
  const create = async (): Promise<void> =>
    setErrors((await actions.run({ type: 'create', yaml })).errors ?? []);
  return (
    <Group title="Create an object">
      <Choice
        {...{ label: 'From', value: '' }}
        options={[
          ['', 'choose a sample or a kind'],
          ...state.samples.map(({ name }) => [`sample ${name}`, name] as const),
          ...state.kinds.map((each) => [nameOf(each), nameOf(each)] as const),
        ]}
        onChange={(from) => void load(from)}
      />
      <Editor {...{ label: 'Object in YAML', initial, errors: errors ?? [], schema, onChange: setYaml }} />
      <button type="button" disabled={actions.isBusy || yaml === ''} onClick={() => void create()}>
        Create
      </button>
    </Group>
  );
}

function Group({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function nameOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${kind} ${apiVersion}`;
}

function Operator({ state, actions }: PartProps): JSX.Element {
  return (
    <Group title={`Operator: ${state.isRunning ? 'runs' : 'does not run'}`}>
      <ActionButton {...{ actions, action: { type: 'restart' } }}>Restart</ActionButton>
      <ActionButton {...{ actions, action: { type: 'kill' } }}>Kill</ActionButton>
    </Group>
  );
}

interface ActionButtonProps {
  readonly actions: Actions;
  readonly action: object;
  readonly children: ComponentChildren;
}

function ActionButton({ actions: { run, isBusy }, action, children }: ActionButtonProps): JSX.Element {
  return (
    <button type="button" disabled={isBusy} onClick={() => void run(action)}>
      {children}
    </button>
  );
}

const effects = [
  ['409', '409 Conflict'],
  ['429', '429 Too Many Requests'],
  ['500', '500 Internal Error'],
  ['503', '503 Unavailable'],
  ['403', '403 Forbidden'],
  ['404', '404 Not Found'],
  ['410', '410 Gone'],
  ['before', 'the connection is cut before the effect'],
  ['after', 'the connection is cut after the effect'],
] as const;

const verbs = ['create', 'update', 'patch', 'delete', 'get', 'list', 'watch'];

function Faults({ state, actions }: PartProps): JSX.Element {
  const [fault, setFault] = useState({ verb: '', resource: '', effect: '409', times: 1 });
  return (
    <Group title="Fail the next requests of the operator">
      <Choice
        {...{ label: 'Verb', value: fault.verb }}
        options={[['', 'all'], ...verbs.map((verb) => [verb, verb] as const)]}
        onChange={(verb) => setFault({ ...fault, verb })}
      />
      <Resource
        {...{ state, value: fault.resource }}
        onChange={(resource) => setFault({ ...fault, resource })}
      />
      <Choice
        {...{ label: 'Response', value: fault.effect, options: effects }}
        onChange={(effect) => setFault({ ...fault, effect })}
      />
      <NumberField
        {...{ label: 'Times', value: fault.times }}
        onChange={(times) => setFault({ ...fault, times })}
      />
      <ActionButton {...{ actions, action: { type: 'failNext', ...fault } }}>Fail</ActionButton>
      <ActionButton {...{ actions, action: { type: 'clearFaults' } }}>Remove faults</ActionButton>
    </Group>
  );
}

/** Resources of the project before the others. */
function Resource({ state, value, onChange }: ResourceProps): JSX.Element {
  const names = [...new Set(state.kinds.map(({ resource }) => resource))];
  return (
    <Choice
      {...{ label: 'Resource', value, onChange }}
      options={[['', 'all'], ...names.map((name) => [name, name] as const)]}
    />
  );
}

interface ResourceProps extends Pick<PartProps, 'state'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function NumberField({ label, value, onChange }: NumberFieldProps): JSX.Element {
  return (
    <label class="choice">
      {label}{' '}
      <input
        {...{ type: 'number', min: 0, value: String(value) }}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </label>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Watches({ state, actions }: PartProps): JSX.Element {
  const [resource, setResource] = useState('');
  return (
    <Group title={`Watches of the operator${state.holds > 0 ? ': events are held back' : ''}`}>
      <Resource {...{ state, value: resource, onChange: setResource }} />
      <ActionButton {...{ actions, action: { type: 'cutWatches', resource } }}>Cut</ActionButton>
      <ActionButton {...{ actions, action: { type: 'holdWatches', resource } }}>Hold events</ActionButton>
      <ActionButton {...{ actions, action: { type: 'releaseWatches' } }}>Release events</ActionButton>
    </Group>
  );
}

const units = [
  ['1000', 'seconds'],
  ['60000', 'minutes'],
  ['3600000', 'hours'],
  ['86400000', 'days'],
] as const;

function Time({ actions }: PartProps): JSX.Element {
  const [time, setTime] = useState({ count: 1, unit: '60000' });
  const action = { type: 'advanceTime', ms: Math.round(time.count * Number(time.unit)) };
  return (
    <Group title="Time of the server">
      <NumberField
        {...{ label: 'Advance by', value: time.count }}
        onChange={(count) => setTime({ ...time, count })}
      />
      <Choice
        {...{ label: 'Unit', value: time.unit, options: units }}
        onChange={(unit) => setTime({ ...time, unit })}
      />
      <ActionButton {...{ actions, action }}>Advance</ActionButton>
    </Group>
  );
}

function Snapshots({ state, actions }: PartProps): JSX.Element {
  const [name, setName] = useState('before');
  return (
    <Group title="Snapshots of all objects">
      <label class="choice">
        Name <input type="text" value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <ActionButton {...{ actions, action: { type: 'takeSnapshot', name } }}>Take</ActionButton>
      {state.snapshots.map((each) => (
        <ActionButton {...{ actions, action: { type: 'restoreSnapshot', name: each } }}>
          Go back to {each}
        </ActionButton>
      ))}
    </Group>
  );
}

function Steps({ state, actions }: PartProps): JSX.Element {
  const [test, setTest] = useState('');
  const [copied, setCopied] = useState('');
  const copy = async (): Promise<void> => {
    const { value } = await actions.run({ type: 'test' });
    if (typeof value !== 'string') return;
    setTest(value);
    try {
      await navigator.clipboard.writeText(value);
      setCopied('Copied: save it as a file in the folder test of the project');
    } catch {
      setCopied('Select the test and copy it into the folder test of the project');
    }
  };
  return (
    <>
      <h2>Actions so far</h2>
      {state.steps.length === 0 && (
        <p class="quiet">None. Each action adds the lines of a test that do the same.</p>
      )}
      <ol class="steps">
        {state.steps.map((code) => (
          <li>
            <Block kind="yaml" text={code} />
          </li>
        ))}
      </ol>
      <p class="tools">
        <button type="button" disabled={actions.isBusy} onClick={() => void copy()}>
          Copy as test
        </button>
        <ActionButton {...{ actions, action: { type: 'clear' } }}>Clear</ActionButton>
        <span role="status">{copied}</span>
      </p>
      {test !== '' && (
        <details>
          <summary>The test</summary>
          <Block kind="yaml" text={test} />
        </details>
      )}
    </>
  );
}
