/** Actions on the object whose details are shown. */
import type { JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { ActionResult } from '../../live-document.ts';
import { isRecord, metadataOf } from '../../secrets.ts';
import { yamlOf } from '../model/yaml.ts';
import { Choice } from '../parts.tsx';
import { HasActions, kindIn, perform, useSchema } from './actions.ts';
import { Editor } from './editor.tsx';
import { Result } from './play.tsx';

/** Properties of the actions. */
export interface ObjectActionsProps {
  /** The present state of the object. */
  readonly content: unknown;
}

type Form = 'edit' | 'delete' | 'scale';

/** Buttons, and the form of the one that was pressed last. Nothing, if the server has no actions. */
export function ObjectActions({ content }: ObjectActionsProps): JSX.Element | null {
  const hasActions = useContext(HasActions);
  const [form, setForm] = useState<Form>();
  const [result, setResult] = useState<ActionResult>();
  if (!hasActions || !isRecord(content)) return null;
  const { apiVersion, kind, spec } = content;
  const { name, namespace } = metadataOf(content);
  const identity = { apiVersion, kind, name, ...(typeof namespace === 'string' && { namespace }) };
  const replicas = isRecord(spec) ? spec['replicas'] : undefined;
  const run = async (action: object): Promise<ActionResult> => {
    const done = await perform(action);
    setResult(done);
    if (done.isDone) setForm(undefined);
    return done;
  };
  const forms: readonly (readonly [Form, string])[] = [
    // The page has lengths in place of the values of Secrets.
    ...(kind === 'Secret' && apiVersion === 'v1' ? [] : [['edit', 'Edit'] as const]),
    ['delete', 'Delete'],
    ...(typeof replicas === 'number' ? [['scale', 'Scale'] as const] : []),
  ];
  return (
    <div class="object-actions">
      <p class="tools">
        {forms.map(([each, title]) => (
          <button
            {...{ type: 'button', 'aria-expanded': form === each }}
            onClick={() => setForm(form === each ? undefined : each)}
          >
            {title}
          </button>
        ))}
      </p>
      {form === 'edit' && <Edit {...{ yaml: completeYamlOf(content), run }} />}
      {form === 'delete' && <Delete {...{ identity, run }} />}
      {form === 'scale' && <Scale {...{ identity, replicas: Number(replicas), run }} />}
      <Result result={result} />
    </div>
  );
}

/** Long strings are shortened in the YAML of the page; JSON is YAML, too. */
function completeYamlOf(content: unknown): string {
  const yaml = yamlOf(content);
  return / … \(\d+ characters\)$/m.test(yaml) ? JSON.stringify(content, null, 2) : yaml;
}

type Run = (action: object) => Promise<ActionResult>;

function Edit({ yaml, run }: { readonly yaml: string; readonly run: Run }): JSX.Element {
  // Changes of others while the user writes do not change the text.
  const [base] = useState(yaml);
  const [text, setText] = useState(yaml);
  const [errors, setErrors] = useState<ActionResult['errors']>([]);
  const { apiVersion, kind } = kindIn(base);
  const schema = useSchema(apiVersion, kind);
  const save = async (): Promise<void> => {
    setErrors((await run({ type: 'update', base, yaml: text })).errors ?? []);
  };
  return (
    <>
      <Editor
        {...{ label: 'Object in YAML', initial: base, errors: errors ?? [], schema, onChange: setText }}
      />
      <button type="button" onClick={() => void save()}>
        Save
      </button>
    </>
  );
}

interface IdentityProps {
  readonly identity: object;
  readonly run: Run;
}

const policies = [
  ['Background', 'dependents in the background'],
  ['Foreground', 'dependents first'],
  ['Orphan', 'without dependents'],
] as const;

function Delete({ identity, run }: IdentityProps): JSX.Element {
  const [policy, setPolicy] = useState('Background');
  return (
    <p class="tools">
      <Choice {...{ label: 'Deletion', value: policy, options: policies, onChange: setPolicy }} />
      <button type="button" onClick={() => void run({ type: 'delete', ...identity, policy })}>
        Delete the object
      </button>
    </p>
  );
}

function Scale({ identity, replicas, run }: IdentityProps & { readonly replicas: number }): JSX.Element {
  const [count, setCount] = useState(replicas);
  return (
    <p class="tools">
      <label class="choice">
        Replicas{' '}
        <input
          {...{ type: 'number', min: 0, value: String(count) }}
          onInput={({ currentTarget }) => setCount(Number(currentTarget.value))}
        />
      </label>
      <button type="button" onClick={() => void run({ type: 'scale', ...identity, replicas: count })}>
        Set the replicas
      </button>
    </p>
  );
}
