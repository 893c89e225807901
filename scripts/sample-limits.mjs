// Derives src/testing/samples/built-in/limits.ts: the options of built-in kinds that a real API server
// refuses in the samples. `npm run build` first. `--check` writes nothing; exits with 1 if the file differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalog } from '../generated/kubernetes/dist/catalog.js';
import { RESTClient } from '../src/runtime/dist/exports/index.js';
import { startControlPlane } from '../src/testing/dist/index.js';
import { sharedLimits } from '../src/testing/dist/samples/built-in/rules.js';
import { loadSampler } from '../src/testing/dist/samples/sampler.js';

const path = fileURLToPath(new URL('../src/testing/samples/built-in/limits.ts', import.meta.url));
process.on('warning', () => {});

/** Members whose option `present` is refused, and `member=option` for other options. */
const refused = new Set([
  // Depend on the kind: pods, or templates of one kind of controller.
  'core.PodSpec.activeDeadlineSeconds',
  ...['Always', 'Never', 'OnFailure'].map((policy) => `core.PodSpec.restartPolicy="${policy}"`),
]);
/** `member!rule` for broken rules that are accepted, or reported elsewhere. */
const unenforced = new Set();
/** Options of shared definitions that were tried in another kind. */
const tried = new Set();
const apiServerFlags = ['--runtime-config=api/all=true', '--disable-admission-plugins=ServiceAccount'];
const plane = await startControlPlane({ apiServerFlags });
try {
  const rest = new RESTClient(plane.config, { qps: 100_000 });
  await deriveAll({ limits: {}, seeds: [1] }, rest);
  // Other random values, and shared options in every kind.
  await deriveAll({ limits: limits(), seeds: [1, 2, 3] }, rest);
} finally {
  await plane.stop();
}
const text = `/**
 * Options of built-in kinds that API servers refuse, by definition: members that do not exist in samples,
 * and \`member=option\`. \`member!rule\` is a rule that a server does not enforce. Derived from a
 * real server by scripts/sample-limits.mjs.
 */
export const builtInLimits: Readonly<Record<string, readonly string[]>> = ${literal()};
`;
if (process.argv.includes('--check')) process.exitCode = readFileSync(path, 'utf8') === text ? 0 : 1;
else writeFileSync(path, text);

async function deriveAll(pass, rest) {
  tried.clear();
  for (const [key, load] of Object.entries(catalog)) {
    const resource = await load();
    // A binding refers to an existing pod.
    if (!resource.verbs.includes('create') || resource.kind === 'Binding') continue;
    await derive(key, resource, pass, rest);
  }
}

async function derive(key, resource, { limits, seeds }, rest) {
  const isFirst = Object.keys(limits).length === 0;
  const samplers = await Promise.all(seeds.map((seed) => loadSampler(resource, { limits, seed })));
  const [sampler] = samplers;
  const { group, version, scope, plural } = resource;
  const home = group === '' ? '/api/v1' : `/apis/${group}/${version}`;
  const url = `${home}${scope === 'Namespaced' ? '/namespaces/default' : ''}/${plural}`;
  const query = { dryRun: 'All', fieldValidation: 'Strict' };
  const create = (body) =>
    rest.post(url, { body, query }).then(
      () => undefined,
      (error) => error,
    );
  const goals = sampler.goals.filter(({ member, label }) => !isFirst || isNew(`${member}=${label}`));
  const errors = await inTurns(goals, async (goal) => {
    for (const each of samplers) {
      const { object, verdict } = each.forGoal(goal);
      const error = verdict.cost > 0 ? new Error('not reached') : await create(object);
      if (error !== undefined) return error;
    }
    return undefined;
  });
  const accepted = goals.filter((_, index) => errors[index] === undefined);
  const places = [];
  for (const [index, { place, member, label }] of goals.entries()) {
    const isHidden = places.some((each) => isWithin(place, each));
    // A shared option in a refused member is tried in the next kind that has it.
    if (isHidden) tried.delete(`${member}=${label}`);
    if (isHidden || errors[index] === undefined) continue;
    if (label === 'present') places.push(place);
    refused.add(label === 'present' ? member : `${member}=${label}`);
  }
  const objects = accepted.map((goal) => sampler.forGoal(goal).object);
  const broken = sampler.breaksOf([sampler.sample(), ...objects]);
  const responses = await inTurns(broken, ({ object }) => create(object));
  for (const [index, { path, limit }] of broken.entries()) {
    const fields = responses[index]?.status?.details?.causes?.map(({ field }) => field) ?? [];
    if (!fields.includes(path)) unenforced.add(limit);
  }
  console.log(`${key}: ${accepted.length} of ${goals.length} options, ${broken.length} broken rules`);
}

/** Options of shared definitions are tried in one kind only at first. */
function isNew(option) {
  if (![...sharedLimits].some((definition) => option.startsWith(`${definition}.`))) return true;
  const isFirst = !tried.has(option);
  tried.add(option);
  return isFirst;
}

async function inTurns(items, run) {
  const results = [];
  for (let start = 0; start < items.length; start += 20)
    results.push(...(await Promise.all(items.slice(start, start + 20).map(run))));
  return results;
}

function isWithin(place, outer) {
  return place === outer || (place.startsWith(outer) && /^[.[{]/.test(place.slice(outer.length)));
}

/** Returns what was refused so far, by definition. */
function limits() {
  const members = [...refused].filter((each) => !each.includes('='));
  const isCovered = (entry) =>
    members.some((member) => entry !== member && isWithin(entry.replace(/[=!].*/, ''), member));
  const kept = [...refused, ...unenforced].filter((entry) => !isCovered(entry)).sort();
  const groups = new Map();
  for (const entry of kept) {
    const [, definition, rest] = /^([^.]*\.[^.=!]*)(.*)$/.exec(entry);
    groups.set(definition, [...(groups.get(definition) ?? []), rest.replace(/^\./, '')]);
  }
  return Object.fromEntries(groups);
}

function literal() {
  const quoted = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = Object.entries(limits()).map(([definition, rests]) => {
    const each = rests.map(quoted);
    const line = `  ${quoted(definition)}: [${each.join(', ')}],`;
    return line.length <= 110
      ? line
      : `  ${quoted(definition)}: [\n${each.map((one) => `    ${one},\n`).join('')}  ],`;
  });
  return `{\n${lines.join('\n')}\n}`;
}
