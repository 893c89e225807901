/** TypeScript values for a meaning: valid ones, and ones with exactly one error. */
import type { Random } from '../support/random.ts';
import type { Meaning, Member, ObjectMeaning } from './meanings.ts';

/** Returns a valid value. */
export function rightValue(meaning: Meaning, random: Random): string {
  if (acceptsNull(meaning) && random.chance(0.3)) return 'null';
  switch (meaning.is) {
    case 'string':
      return random.pick(["''", "'some text'", "'2024-01-01T00:00:00Z'"]);
    case 'integer':
      return random.pick(['0', '1', '-7', '2147483647']);
    case 'number':
      return random.pick(['0', '0.5', '-1e3']);
    case 'boolean':
      return random.pick(['true', 'false']);
    case 'int-or-string':
      return random.pick(['8080', "'http'", "'50%'"]);
    case 'anything':
      return random.pick(['null', '1', "'text'", '[1, {}]', '{ deep: { er: [true] } }']);
    case 'embedded':
      return `{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { a: [1] } }`;
    case 'one-of':
      return literal(random.pick([meaning.values[0] ?? '', ...meaning.values.slice(1)]));
    case 'either':
      return rightValue(random.pick([...meaning.of]), random);
    case 'list':
      return `[${Array.from({ length: random.int(3) }, () => rightValue(meaning.items, random)).join(', ')}]`;
    case 'map':
      return `{ ${entries(random.int(3), () => rightValue(meaning.values, random))} }`;
    case 'object':
      return rightObject(meaning, random);
  }
}

function entries(count: number, value: () => string): string {
  return Array.from({ length: count }, (_, index) => `${literal(`key ${index}`)}: ${value()}`).join(', ');
}

function rightObject({ members, others, embedded }: ObjectMeaning, random: Random): string {
  const present = members.filter((member) => isNeeded(member) || random.chance(0.5));
  const own = present.map(({ name, meaning }) => `${literal(name)}: ${rightValue(meaning, random)}`);
  const more = others !== 'nothing' && random.chance(0.5) ? [`'unheard of': ${other(others, random)}`] : [];
  return `{ ${[...identity(embedded), ...own, ...more].join(', ')} }`;
}

function other(others: 'anything' | Meaning, random: Random): string {
  return others === 'anything' ? "[1, '2']" : rightValue(others, random);
}

function identity(embedded: boolean): readonly string[] {
  return embedded ? ["apiVersion: 'v1'", "kind: 'Pod'"] : [];
}

function isNeeded({ required, defaulted }: Member): boolean {
  return required && !defaulted;
}

/** An invalid value, with the place and the kind of its error; undefined if every value is valid. */
export interface Wrong {
  readonly text: string;
  readonly how: string;
}

/**
 * Returns a value with one error: another type of value, an unknown literal, a missing or an unknown member,
 * or null. No error requires validation to be found, such as that of a pattern.
 */
export function wrongValue(meaning: Meaning, random: Random): Wrong | undefined {
  const inner = random.chance(0.8) ? wrongInside(meaning, random) : undefined;
  if (inner !== undefined) return inner;
  const faults = faultsOf(meaning);
  const [first, ...others] = faults;
  if (first === undefined) return undefined;
  const fault = random.pick([first, ...others]);
  return { text: fault, how: `${fault} for ${meaning.is}${acceptsNull(meaning) ? ' or null' : ''}` };
}

/** API servers refuse null for a value with an enum, also if its schema is nullable. */
function acceptsNull({ is, nullable }: Meaning): boolean {
  return nullable && is !== 'one-of';
}

/** Returns values of other types. */
function faultsOf(meaning: Meaning): readonly string[] {
  const { is } = meaning;
  if (is === 'anything') return [];
  const others = is === 'either' ? wrongForEach(meaning.of) : wrongFor[is];
  return acceptsNull(meaning) ? others : [...others, 'null'];
}

/** Returns values that are invalid for both. */
function wrongForEach([first, second]: readonly [Meaning, Meaning]): readonly string[] {
  const wrong = new Set(faultsOf(second));
  return faultsOf(first).filter((fault) => fault !== 'null' && wrong.has(fault));
}

const wrongFor: Readonly<Record<Exclude<Meaning['is'], 'anything' | 'either'>, readonly string[]>> = {
  string: ['1', 'true', '{}', "['']"],
  integer: ["'1'", 'true', '{}', '[1]'],
  number: ["'1'", 'false', '[]'],
  boolean: ["'true'", '1', '0', '{}'],
  'int-or-string': ['true', '{}', "['8080']"],
  embedded: ["'v1'", '{}', "{ kind: 'Pod' }", "{ apiVersion: 1, kind: 'Pod' }", '7'],
  'one-of': ["'unheard of'", '99', 'true', '{}'],
  list: ["'text'", '1', 'true', "{ 'key 1': 1 }"],
  map: ["'text'", '1', 'true'],
  object: ["'text'", '1', 'true'],
};

function wrongInside(meaning: Meaning, random: Random): Wrong | undefined {
  switch (meaning.is) {
    case 'list':
      return within(wrongValue(meaning.items, random), '[]', (text) => {
        const sound = random.chance(0.5) ? `${rightValue(meaning.items, random)}, ` : '';
        return `[${sound}${text}]`;
      });
    case 'map':
      return within(wrongValue(meaning.values, random), '{}', (text) => `{ 'key 9': ${text} }`);
    case 'object':
      return wrongObject(meaning, random);
    default:
      return undefined;
  }
}

function within(inner: Wrong | undefined, step: string, wrap: (text: string) => string): Wrong | undefined {
  return inner === undefined ? undefined : { text: wrap(inner.text), how: `${step} ${inner.how}` };
}

function wrongObject({ members, others, embedded }: ObjectMeaning, random: Random): Wrong | undefined {
  const chosen = members[random.int(members.length)];
  if (chosen === undefined) return undefined;
  const needed = members.filter((member) => member !== chosen && isNeeded(member));
  const sound = needed.map(({ name, meaning }) => `${literal(name)}: ${rightValue(meaning, random)}`);
  const print = (more: readonly string[], id = identity(embedded)): string =>
    `{ ${[...id, ...sound, ...more].join(', ')} }`;
  if (isNeeded(chosen) && random.chance(0.4))
    return { text: print([]), how: `without ${literal(chosen.name)}` };
  const own = `${literal(chosen.name)}: ${rightValue(chosen.meaning, random)}`;
  if (embedded && random.chance(0.3))
    return { text: print([own], ["kind: 'Pod'"]), how: 'without apiVersion' };
  if (others === 'nothing' && random.chance(0.2)) {
    return { text: print([own, "'unheard of': 1"]), how: 'with an unknown member' };
  }
  const inner = wrongValue(chosen.meaning, random);
  return within(inner, `.${chosen.name}`, (text) => print([`${literal(chosen.name)}: ${text}`]));
}

function literal(value: string | number): string {
  return JSON.stringify(value);
}
