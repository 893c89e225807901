/** Lines of a check for people. */
import { writeJson } from '@kgen/schema/values/wire';
import { formatPlace, visible } from '../../common/problems.ts';
import { isBreaking } from './change.ts';
import type { DefinitionCheck, LocatedChange } from './check.ts';

/** Maximum length of a value in a line, in characters. */
const longest = 80;

/**
 * Returns plain lines, breaking changes first: each change with its position, its effects, and the objects
 * that it makes invalid; then the counts of objects. Long values are cut, and control characters are escaped.
 */
export function formatCheck({ changes, stored }: Pick<DefinitionCheck, 'changes' | 'stored'>): string[] {
  const sorted = [...changes.filter(isBreaking), ...changes.filter((change) => !isBreaking(change))];
  const lines = [
    ...sorted.flatMap(changeLines),
    ...stored.map(({ definition, version, total, invalid, stuck, dropping }) => {
      const counts = `${invalid} become invalid, ${stuck} of them cannot be updated, ${dropping} lose fields`;
      return `${definition} ${version}: of ${total} stored objects, ${counts}`;
    }),
  ];
  return lines.map(visible);
}

function changeLines(change: LocatedChange): readonly string[] {
  const { definition, version, field, place, reason, objects } = change;
  const where = [definition, version, field].filter((part) => part !== undefined && part !== '').join(' ');
  const position = place === undefined ? '' : `${formatPlace(place)}: `;
  const head = `${isBreaking(change) ? 'breaking' : 'compatible'}: ${position}${where}: ${event(change)}`;
  const examples = objects?.examples.map(({ name, error, isStuck }) => {
    return `    ${name}: ${error}${isStuck ? ' (no update is accepted)' : ''}`;
  });
  const more = (objects?.count ?? 0) - (examples?.length ?? 0);
  return [
    head,
    `  ${effects(change)}: ${reason}`,
    ...(objects === undefined ? [] : [`  stored objects that become invalid: ${objects.count}`]),
    ...(examples ?? []),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

function event({ rule, before, after }: LocatedChange): string {
  const name = rule.replaceAll('-', ' ');
  const values = [
    ...(before === undefined ? [] : [`was ${cut(writeJson(before))}`]),
    ...(after === undefined ? [] : [`is ${cut(writeJson(after))}`]),
  ];
  return values.length === 0 ? name : `${name}, ${values.join(', ')}`;
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function effects({ stored, unchanged, clients }: LocatedChange): string {
  const ofObjects =
    stored === 'breaks unless unchanged' ? `break unless ${unchanged} is unchanged` : verbs[stored];
  return `stored objects ${ofObjects}, clients ${clients === 'none' ? 'do not break' : 'break'}`;
}

const verbs = { breaks: 'break', 'drops data': 'lose data', none: 'do not break' } as const;
