import type {
  InformerErrorContext,
  InformerHandlers,
  InformerOptions,
} from '../../../src/runtime/cache/informer/informer.ts';
import { SharedInformer } from '../../../src/runtime/cache/informer/shared-informer.ts';
import { type NamespacedLister, namespacedLister } from '../../../src/runtime/cache/lister/lister.ts';
import { FakeClock, settle } from './fake-clock.ts';
import { noInformers } from './no-informers.ts';
import { ScriptedSource, type SourceResponse, type Thing } from './scripted-source.ts';

/** Informer with a scripted source. */
export interface InformerWorld {
  readonly clock: FakeClock;
  readonly source: ScriptedSource;
  readonly informer: SharedInformer<Thing, NamespacedLister<Thing>>;
  /** Arguments of the `on('error')` calls. */
  readonly errors: readonly [unknown, InformerErrorContext][];
}

export function informerWorld(
  responses: readonly SourceResponse[],
  options: InformerOptions<Thing> = {},
  streaming = false,
): InformerWorld {
  const clock = new FakeClock();
  const source = new ScriptedSource(...responses);
  const informer = new SharedInformer({
    informers: noInformers,
    name: 'things in namespace shop',
    resource: { group: 'example.com', version: 'v1', resource: 'things' },
    sources: [{ source }],
    lister: namespacedLister<Thing>,
    options,
    streaming,
    environment: { clock, random: () => 0 },
  });
  const errors: [unknown, InformerErrorContext][] = [];
  informer.on('error', (...report) => errors.push(report));
  return { clock, source, informer, errors };
}

/** Returns handlers that record each call: `update a@3 to a@7`. */
export function notingHandlers(): { readonly calls: string[]; readonly handlers: InformerHandlers<Thing> } {
  const calls: string[] = [];
  const at = ({ metadata }: { metadata: { name: string; resourceVersion: string } }) =>
    `${metadata.name}@${metadata.resourceVersion}`;
  const handlers: InformerHandlers<Thing> = {
    add: (object, { isInitial }) => void calls.push(`add ${at(object)}${isInitial ? ' initially' : ''}`),
    update: (object, old) => void calls.push(`update ${at(old)} to ${at(object)}`),
    delete: (object, { missed }) => void calls.push(`delete ${at(object)}${missed ? ', missed' : ''}`),
  };
  return { calls, handlers };
}

/** Waits until each handler call has begun; the number of turns that this takes is unknown. */
export async function delivered(informer: InformerWorld['informer']): Promise<void> {
  do await settle(3);
  while (informer.stats().queued > 0);
}
