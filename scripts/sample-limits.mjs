// Derives src/testing/samples/built-in/limits.ts: the options of built-in kinds that a real API server
// refuses in the samples. `npm run build` first. `--check` writes nothing; exits with 1 if the file differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalog } from '../generated/kubernetes/dist/catalog.js';
import { RESTClient } from '../src/runtime/dist/exports/index.js';
import { startControlPlane } from '../src/testing/dist/index.js';
import { sharedLimits } from '../src/testing/dist/samples/built-in/rules.js';
import { loadDocuments } from '../src/testing/dist/samples/documents.js';
import { Sampler } from '../src/testing/dist/samples/sampler.js';

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
  for (const [key, load] of Object.entries(catalog)) {
    const resource = await load();
    // A binding refers to an existing pod.
    if (resource.verbs.includes('create') && resource.kind !== 'Binding') await derive(key, resource, rest);
  }
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

async function derive(key, resource, rest) {
  const sampler = new Sampler(resource, await loadDocuments(resource), { limits: {} });
  const { group, version, scope, plural } = resource;
  const home = group === '' ? '/api/v1' : `/apis/${group}/${version}`;
  const url = `${home}${scope === 'Namespaced' ? '/namespaces/default' : ''}/${plural}`;
  const query = { dryRun: 'All', fieldValidation: 'Strict' };
  const create = (body) =>
    rest.post(url, { body, query }).then(
      () => undefined,
      (error) => error,
    );
  const goals = sampler.goals.filter(({ member, label }) => isNew(`${member}=${label}`));
  const errors = await inTurns(goals, async (goal) => {
    const { object, verdict } = sampler.forGoal(goal);
    return verdict.cost > 0 ? new Error('not reached') : await create(object);
  });
  const accepted = goals.filter((_, index) => errors[index] === undefined);
  const places = [];
  for (const [index, { place, member, label }] of goals.entries()) {
    if (errors[index] === undefined || places.some((each) => isWithin(place, each))) continue;
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

/** Options of shared definitions are tried in one kind only. */
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

function literal() {
  const members = [...refused].filter((each) => !each.includes('='));
  const isCovered = (entry) =>
    members.some((member) => entry !== member && isWithin(entry.replace(/[=!].*/, ''), member));
  const kept = [...refused, ...unenforced].filter((entry) => !isCovered(entry)).sort();
  const groups = new Map();
  for (const entry of kept) {
    const [, definition, rest] = /^([^.]*\.[^.=!]*)(.*)$/.exec(entry);
    groups.set(definition, [...(groups.get(definition) ?? []), rest.replace(/^\./, '')]);
  }
  const quoted = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = [...groups].map(([definition, rests]) => {
    const each = rests.map(quoted);
    const line = `  ${quoted(definition)}: [${each.join(', ')}],`;
    return line.length <= 110
      ? line
      : `  ${quoted(definition)}: [\n${each.map((one) => `    ${one},\n`).join('')}  ],`;
  });
  return `{\n${lines.join('\n')}\n}`;
}
