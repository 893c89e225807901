/** Actions of the page on the cluster of `kgen dev`, and the state after them. */
import { type Context, createContext } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ActionResult, PlayState } from '../../live-document.ts';
import { act } from '../live.ts';
import type { SchemaDocument } from './completion.ts';

/** Whether the server of the page performs actions. */
export const HasActions: Context<boolean> = createContext(false);

/** Performs an action. Never rejects. */
export async function perform(action: object): Promise<ActionResult> {
  try {
    return await act(action);
  } catch (error) {
    return { isDone: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Actions with the state of the cluster. */
export interface Actions {
  readonly state: PlayState | undefined;
  /** Result of the last action. */
  readonly result: ActionResult | undefined;
  /** Whether an action is performed now. */
  readonly isBusy: boolean;
  readonly run: (action: object) => Promise<ActionResult>;
}

/** Returns the state of the cluster, which is requested again after each action. */
export function useActions(): Actions {
  const [state, setState] = useState<PlayState>();
  const [result, setResult] = useState<ActionResult>();
  const [isBusy, setBusy] = useState(false);
  const refresh = async (): Promise<void> => {
    const { value } = await perform({ type: 'state' });
    // seam: the value of this action
    if (value !== undefined) setState(value as PlayState);
  };
  useEffect(() => void refresh(), []);
  const run = async (action: object): Promise<ActionResult> => {
    setBusy(true);
    const done = await perform(action);
    setResult(done);
    setBusy(false);
    await refresh();
    return done;
  };
  return { state, result, isBusy, run };
}

/** Returns the schema of a kind once the server has sent it. */
export function useSchema(apiVersion: string, kind: string): SchemaDocument | undefined {
  const [schema, setSchema] = useState<SchemaDocument>();
  useEffect(() => {
    let isPresent = true;
    setSchema(undefined);
    const request = async (): Promise<void> => {
      if (apiVersion === '' || kind === '') return;
      const { value } = await perform({ type: 'schema', apiVersion, kind });
      // seam: the value of this action
      if (isPresent && value !== undefined) setSchema(value as SchemaDocument);
    };
    void request();
    return () => {
      isPresent = false;
    };
  }, [apiVersion, kind]);
  return schema;
}

/** Returns the kind of an object in YAML, as far as it is written. */
export function kindIn(yaml: string): { readonly apiVersion: string; readonly kind: string } {
  const stringOf = (name: string): string =>
    new RegExp(`^${name}:[ ]*["']?([\\w./-]+)["']?[ ]*$`, 'm').exec(yaml)?.[1] ?? '';
  return { apiVersion: stringOf('apiVersion'), kind: stringOf('kind') };
}
