/** Statements that read a message: a loop over its fields, followed by the construction of the object. */
import type { Element, Field, Scalar, Special, TableMessage } from '../../protobuf/types.ts';
import { quoted } from '../text/literals.ts';
import type { MessageNames } from './protobuf-message.ts';
import { functionOf, isText, type MessageHead, type MessageScope, tagOf } from './protobuf-tags.ts';

const zeros: Readonly<Record<Scalar, string>> = {
  string: "''",
  int32: '0',
  int64: '0',
  bool: 'false',
  double: '0',
  bytes: 'undefined',
};

/** JSON values of fields that are absent from the bytes; `undefined` stands for `null`. */
const specialZeros: Partial<Readonly<Record<Special, string>>> = {
  Duration: "'0s'",
  IntOrString: '0',
  Quantity: "'0'",
};

/**
 * String fields whose values are almost unique, so that a lookup among recurring strings would not pay off.
 */
const uniqueNames: ReadonlySet<string> = new Set(['containerID', 'uid', 'podIP', 'resourceVersion']);

/**
 * The local variable of a field: its declaration, the statement that reads it, and the member that it
 * becomes.
 */
interface Plan {
  readonly field: Field;
  readonly local: string;
  readonly declaration: string;
  readonly tags: readonly number[];
  readonly read: string;
  /** Value of a member that is always present. */
  readonly always?: string;
  /** Condition under which an optional member is present; its value is in `value`. */
  readonly when?: string;
  readonly value?: string;
}

/** Returns the statements of the function that reads a message. */
export function readStatements(
  message: TableMessage,
  head: MessageHead,
  names: MessageNames,
): readonly string[] {
  const scope = { names, home: message.home };
  const plans = message.fields.map((field) => planOf(field, scope));
  return [
    `r.enter(${head.fields});`,
    ...plans.map(({ declaration }) => declaration),
    ...loop(plans),
    ...(message.bare ? bareResult(plans, scope) : result(plans, head.shape, scope)),
  ];
}

function loop(plans: readonly Plan[]): readonly string[] {
  return [
    'while (r.pos < end) {',
    '  const tag = r.tag();',
    '  switch (tag) {',
    ...plans.flatMap(({ tags, read }) => [
      ...tags.map((tag) => `    case ${tag}:`),
      `      ${read};`,
      '      break;',
    ]),
    '    default:',
    '      r.unknown(tag);',
    '  }',
    '}',
  ];
}

function bareResult([plan]: readonly Plan[], { names }: MessageScope): readonly string[] {
  const list = plan?.local ?? '';
  return ['r.leave(end);', `return ${list} === undefined ? [] : ${names.use('trimCapacity')}(${list});`];
}

function result(plans: readonly Plan[], shape: string, scope: MessageScope): readonly string[] {
  const embedded = plans.filter(({ field }) => field.json === undefined);
  const own = plans.filter(({ field }) => field.json !== undefined);
  return [...base(embedded, shape, scope), ...own.map(assignment), 'r.leave(end, m);', 'return m;'];
}

/** Returns the expression of the object: a new one, or the object of the first embedded message. */
function base(embedded: readonly Plan[], shape: string, scope: MessageScope): readonly string[] {
  const [first, ...others] = embedded.map(
    ({ field, local }) => `${local} ?? ${absent(field.element, scope)}`,
  );
  if (first === undefined) return [`const m: Message = new ${shape}();`];
  return [`const m = ${first};`, ...others.map((other) => `Object.assign(m, ${other});`)];
}

function assignment({ field, always, when, value }: Plan): string {
  const member = `m[${quoted(field.json ?? '')}]`;
  return always === undefined ? `if (${when}) ${member} = ${value};` : `${member} = ${always};`;
}

/** Returns the value of a message that is absent from the bytes. */
function absent(element: Element, { names }: MessageScope): string {
  if ('message' in element) return `${names.read(element.message)}(r, r.pos)`;
  return ('special' in element && specialZeros[element.special]) || 'null';
}

function planOf(field: Field, scope: MessageScope): Plan {
  const local = `f${field.number}`;
  if (field.shape === 'slice') return slicePlan(field, local, scope);
  if (field.shape === 'map') return mapPlan(field, local, scope);
  if ('scalar' in field.element) return scalarPlan(field, local, field.element.scalar);
  return messagePlan(field, local, scope);
}

function slicePlan(field: Field, local: string, scope: MessageScope): Plan {
  const { element, omission } = field;
  const isNumbers = 'scalar' in element && tagOf(field) % 8 !== 2;
  // Names are requested where they are used, because each request adds an import.
  const one = (): string =>
    isText(element) ? 'r.string()' : `${functionOf('read', element, scope)}(r, r.end())`;
  const trimmed = `${scope.names.use('trimCapacity')}(${local})`;
  return {
    field,
    local,
    tags: isNumbers ? [tagOf(field), field.number * 8 + 2] : [tagOf(field)],
    declaration: `let ${local}: unknown[] | undefined;`,
    read: `${local} = ${isNumbers ? `r.${element.scalar}s(${local}, tag)` : `${scope.names.use('append')}(${local}, ${one()})`}`,
    ...(omission === 'never'
      ? { always: `${local} === undefined ? null : ${trimmed}` }
      : { when: `${local} !== undefined`, value: trimmed }),
  };
}

function mapPlan(field: Field, local: string, scope: MessageScope): Plan {
  const { element } = field;
  return {
    field,
    local,
    tags: [tagOf(field)],
    declaration: `let ${local}: Message | undefined;`,
    read: isText(element)
      ? `${local} = r.stringMap(${local})`
      : `${local} = r.map(${local}, ${functionOf('read', element, scope)})`,
    ...present(field, local),
  };
}

/** Returns the member of an optional field. */
function present({ omission }: Field, local: string): Pick<Plan, 'always' | 'when' | 'value'> {
  return omission === 'never'
    ? { always: `${local} ?? null` }
    : { when: `${local} !== undefined`, value: local };
}

function scalarPlan(field: Field, local: string, scalar: Scalar): Plan {
  const { shape, omission, json = '' } = field;
  const isOptional = shape === 'pointer' || scalar === 'bytes';
  const zero = zeros[scalar];
  const method = scalar === 'string' && uniqueNames.has(json) ? 'unique' : scalar;
  const read = { field, local, tags: [tagOf(field)], read: `${local} = r.${method}()` };
  if (scalar === 'bytes' && omission !== 'never') {
    // An empty value that is present in the bytes is omitted in JSON, but written again by the encoder.
    const when = `r.filled(${local}, m, ${field.number})`;
    return { ...read, declaration: `let ${local}: unknown;`, when, value: local };
  }
  if (isOptional) return { ...read, declaration: `let ${local}: unknown;`, ...present(field, local) };
  const declaration = `let ${local} = ${zero};`;
  if (omission === 'never') return { ...read, declaration, always: local };
  return { ...read, declaration, when: scalar === 'bool' ? local : `${local} !== ${zero}`, value: local };
}

/**
 * A later occurrence of a time replaces the earlier one. Other messages that occur several times are merged.
 */
const replaced: ReadonlySet<Special> = new Set(['Time', 'MicroTime']);

function messagePlan(field: Field, local: string, scope: MessageScope): Plan {
  const { element, shape, omission, number } = field;
  const tag = tagOf(field);
  const read = functionOf('read', element, scope);
  const replaces = 'special' in element && replaced.has(element.special);
  const plan = {
    field,
    local,
    tags: [tag],
    declaration: `let ${local}: ${isObject(element, scope) ? 'Message | undefined' : 'unknown'};`,
    read: replaces
      ? `${local} = ${read}(r, r.end())`
      : `${local} = ${local} === undefined ? ${read}(r, r.end()) : r.merged(${read}, ${tag})`,
  };
  if (shape === 'pointer') {
    const value = 'special' in element ? `${local} ?? r.empty(m, ${number})` : local;
    return omission === 'never'
      ? { ...plan, always: `${local} ?? null` }
      : { ...plan, when: `${local} !== undefined`, value };
  }
  if (omission === 'omitzero') return { ...plan, when: `${local} != null`, value: local };
  return { ...plan, always: `${local} ?? ${absent(element, scope)}` };
}

/** Returns whether a value is always an object in JSON. */
function isObject(element: Element, { names }: MessageScope): boolean {
  return 'message' in element && names.message(element.message)?.bare !== true;
}
