/** Schedules as files: a failing one is saved, and repeated as a regression test. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isArray, isObject, type Json, own, text } from '@kgen/schema/values/json';
import { messageOf } from '@kgen/schema/values/thrown';
import { requestFaults } from '../faults/request-fault.ts';
import type { Action } from './actions.ts';
import type { Schedule } from './schedule.ts';

/** A schedule, or the path of a file that contains it. */
export type ScheduleSource = Schedule | string | URL;

/** Writes a schedule into a folder. Returns the path of the file. */
export function saveSchedule(folder: string, check: string, schedule: Schedule): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${check}-${schedule.seed}.json`);
  writeFileSync(file, `${JSON.stringify({ check, ...schedule }, undefined, 2)}\n`);
  return file;
}

/**
 * Loads a schedule.
 * @throws {TypeError} if the file cannot be read, or contains another value; the message has its place
 */
export function loadSchedule(source: ScheduleSource): Schedule {
  const isFile = typeof source === 'string' || source instanceof URL;
  const place = !isFile ? 'schedule' : source instanceof URL ? fileURLToPath(source) : source;
  const value = isFile ? readSchedule(place) : source;
  const problem = problemOf(value);
  if (problem !== undefined) throw new TypeError(`${place}: ${problem}`);
  // seam: the rules are those of the type.
  return value as Schedule;
}

function readSchedule(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new TypeError(`${path}: the schedule cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function problemOf(value: unknown): string | undefined {
  // seam: members are read with `own`, and examined.
  const schedule = value as Json;
  const problem = problemOfMembers(schedule, scheduleRules);
  if (problem !== undefined) return problem;
  const steps = own(schedule, 'steps');
  const problems = isArray(steps) ? steps.map(problemOfStep) : [];
  const index = problems.findIndex((each) => each !== undefined);
  return index < 0 ? undefined : `steps[${index}]${problems[index]}`;
}

function problemOfStep(step: Json): string | undefined {
  const action = text(step, 'do');
  const name = actionNames.find((each) => each === action);
  if (name === undefined)
    return `.do must be one of ${actionNames.join(', ')}, got ${shown(own(step, 'do'))}`;
  const problem = problemOfMembers(step, { waitMs: time, ...actionRules[name] });
  return problem && `.${problem}`;
}

function problemOfMembers(value: Json, rules: Rules): string | undefined {
  if (!isObject(value)) return `must be an object, got ${shown(value)}`;
  for (const [name, { isMet, requirement }] of Object.entries(rules)) {
    const member = own(value, name);
    if (!isMet(member)) return `${name} must be ${requirement}, got ${shown(member)}`;
  }
  return undefined;
}

function shown(value: Json | undefined): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 100);
}

/** A condition of a member. */
interface Rule {
  readonly isMet: (value: Json | undefined) => boolean;
  /** The end of a sentence: `an integer from 0 to 10`. */
  readonly requirement: string;
}

/** Conditions by the names of members. */
type Rules = Readonly<Record<string, Rule>>;

const mostSteps = 10_000;
/** A year: certificates and backups are due within it. */
const mostMs = 366 * 86_400_000;

const time = integer(0, mostMs);
const string: Rule = { isMet: (value) => typeof value === 'string', requirement: 'a string' };
const flag: Rule = { isMet: (value) => typeof value === 'boolean', requirement: 'true or false' };
const json: Rule = { isMet: (value) => value !== undefined, requirement: 'a value' };
const object: Rule = {
  isMet: (value) => strings(value, ['apiVersion', 'kind']) && text(value, 'metadata', 'name') !== '',
  requirement: 'an object with apiVersion, kind and metadata.name',
};
const id: Rule = {
  isMet: (value) => strings(value, ['apiVersion', 'kind', 'namespace', 'name']),
  requirement: 'an object with apiVersion, kind, namespace and name',
};
const path: Rule = {
  isMet: (value) => isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string'),
  requirement: 'a list of names',
};
const write: Rule = {
  isMet: (value) => strings(value, ['verb', 'resource', 'site']),
  requirement: 'an object with verb, resource and site',
};

const scheduleRules: Rules = {
  seed: integer(0, Number.MAX_SAFE_INTEGER),
  replicas: integer(1, 10),
  steps: { isMet: (value) => isArray(value) && value.length <= mostSteps, requirement: 'a list of steps' },
  waitMs: optional(time),
  hasDefaults: optional(flag),
};

/** The members of each action. */
const actionRules: { readonly [K in Action['do']]: Rules } = {
  create: { object },
  edit: { target: id, path, value: json },
  detour: { target: id, path, value: json, back: json, ms: time },
  delete: { target: id },
  recreate: { object },
  tamper: { pick: integer(0, 99), how: choice(['delete', 'edit', 'annotate']) },
  hold: { resource: string, ms: time, withLists: flag },
  interrupt: { resource: string, how: choice(['cut', 'expire']) },
  fault: {
    verb: string,
    resource: string,
    nth: integer(1, 1_000),
    fault: choice(requestFaults),
    site: optional(string),
  },
  crash: {
    replica: integer(0, 9),
    request: integer(1, 1_000),
    when: choice(['before', 'after']),
    downMs: time,
    at: optional(write),
  },
  overtake: { write, by: write },
  restart: { replica: integer(0, 9), downMs: time },
  isolate: { replica: integer(0, 9), ms: time },
  disrupt: { how: choice(['pod', 'node']), pick: integer(0, 99), ms: time },
};

// seam: the table has no other members.
const actionNames = Object.keys(actionRules) as readonly Action['do'][];

function integer(least: number, most: number): Rule {
  const isMet = (value: Json | undefined): boolean =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  return { isMet, requirement: `an integer from ${least} to ${most}` };
}

function choice(values: readonly string[]): Rule {
  const isMet = (value: Json | undefined): boolean => typeof value === 'string' && values.includes(value);
  return { isMet, requirement: `one of ${values.join(', ')}` };
}

function optional({ isMet, requirement }: Rule): Rule {
  return { isMet: (value) => value === undefined || isMet(value), requirement };
}

function strings(value: Json | undefined, names: readonly string[]): boolean {
  return names.every((name) => typeof own(value, name) === 'string');
}
