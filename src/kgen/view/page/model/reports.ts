/** Events about an object: those that the operator reports, and those that the API server has. */
import { isRecord } from '../../secrets.ts';
import type { ObjectHistory } from './object-history.ts';
import type { RunModel } from './run-model.ts';

/** An event about an object. */
export interface ObjectReport {
  readonly at: number;
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  /** Number of occurrences. */
  readonly count: number;
  /** Number of the reconcile that has reported it, if it is known. */
  readonly reconcile?: number | undefined;
}

/** Returns the events about an object, newest first. */
export function reportsOf(model: RunModel, { target, states }: ObjectHistory): readonly ObjectReport[] {
  const content = states.findLast((state) => isRecord(state.content))?.content;
  const kind = isRecord(content) ? content['kind'] : undefined;
  const { namespace, name } = target;
  const isOwn = (reference: unknown): boolean =>
    isRecord(reference) &&
    reference['kind'] === kind &&
    reference['name'] === name &&
    (reference['namespace'] ?? '') === namespace;
  const stored = [...model.objects.values()].flatMap((each) => storedReport(each, isOwn) ?? []);
  const known = new Set(stored.map(textOf));
  const reported = model.run.events.flatMap((event) =>
    event.kind === 'event' && isOwn(event.regarding) && !known.has(textOf(event))
      ? [{ ...event, count: 1 }]
      : [],
  );
  return [...stored, ...reported].sort((one, other) => other.at - one.at);
}

/** The server has the last note of a series. */
function textOf({ reason, note }: Pick<ObjectReport, 'reason' | 'note'>): string {
  return `${reason} ${note}`;
}

/** Returns the event that an object is: of `events.k8s.io`, or of the core group. */
function storedReport(
  { target, states }: ObjectHistory,
  isOwn: (reference: unknown) => boolean,
): ObjectReport | undefined {
  if (target.resource !== 'events') return undefined;
  const { at = 0, content } = states.at(-1) ?? {};
  if (!isRecord(content) || !isOwn(content['regarding'] ?? content['involvedObject'])) return undefined;
  const series = isRecord(content['series']) ? content['series'] : {};
  const count = Number(series['count'] ?? content['deprecatedCount'] ?? content['count']) || 1;
  return {
    ...{ at, type: String(content['type']), reason: String(content['reason']) },
    ...{ note: String(content['note'] ?? content['message'] ?? ''), count },
  };
}
