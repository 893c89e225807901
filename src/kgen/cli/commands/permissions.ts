import { type Checked, hasErrors, visible } from '../../common/problems.ts';
import { loadConfig } from '../../config/load.ts';
import { type Need, needPlace, resourceText, scopeText } from '../../manifests/permissions/needs.ts';
import { type Danger, dangersOf } from '../../manifests/permissions/roles/dangers.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { jsonProblem } from '../refusal.ts';
import type { PermissionsArguments } from './definitions/permissions.ts';

/** Prints the permissions of a program and returns the exit status. */
export async function runPermissions(
  { paths, config, isJson }: PermissionsArguments,
  { cwd, stdout, stderr }: Console,
): Promise<number> {
  const settings = await loadConfig(cwd, config);
  const found = hasErrors(settings.problems)
    ? { value: [], problems: settings.problems }
    : await permissions(cwd, paths, settings.value.permissions);
  if (isJson) stdout.write(jsonReport(found));
  else {
    stderr.write(problemLines(found.problems, stderr.paint));
    if (found.value.length > 0 || !hasErrors(found.problems)) stdout.write(textReport(found.value));
  }
  if (!hasErrors(found.problems)) return exitCodes.ok;
  return hasErrors(settings.problems) ? exitCodes.usage : exitCodes.problems;
}

async function permissions(
  cwd: string,
  paths: readonly string[],
  stated: Readonly<Record<string, readonly string[]>> = {},
): Promise<Checked<readonly Need[]>> {
  const { permissionsOf } = await import('../../manifests/permissions/permissions.ts');
  return permissionsOf({ cwd, paths, stated });
}

function textReport(needs: readonly Need[]): string {
  if (needs.length === 0) return 'the program needs no permissions\n';
  const lines = [...grouped(needs)].flatMap(([title, places]) => [
    title,
    ...places.map((need) => `  ${need.verbs.join(', ')}: ${needPlace(need)} ${need.reason}`),
  ]);
  const dangers = dangersOf(needs);
  const reported = dangers.map(dangerText);
  const report = [...lines, ...(dangers.length === 0 ? [] : ['dangerous', ...new Set(reported)])];
  return report.map((line) => `${visible(line)}\n`).join('');
}

/** Returns the needs by resource, namespace and names. */
function grouped(needs: readonly Need[]): ReadonlyMap<string, readonly Need[]> {
  const groups = new Map<string, Need[]>();
  for (const need of needs) {
    const names = need.names.length === 0 ? '' : ` named ${need.names.join(', ')}`;
    const title = `${resourceText(need)}${names} ${scopeText(need.scope)}`;
    const group = groups.get(title) ?? [];
    groups.set(title, group);
    group.push(need);
  }
  return groups;
}

function dangerText({ need, verbs, reason }: Danger): string {
  return `  ${needPlace(need)}: ${verbs.join(', ')} ${resourceText(need)} ${scopeText(need.scope)}: ${reason}`;
}

/** Returns one JSON object. Its keys are part of kgen's interface. */
function jsonReport({ value: needs, problems }: Checked<readonly Need[]>): string {
  const dangers = dangersOf(needs).map(({ need, verbs, reason }) => ({
    ...jsonNeed(need),
    verbs,
    reason,
  }));
  const report = { ok: !hasErrors(problems), permissions: needs.map(jsonNeed), dangers };
  return `${JSON.stringify({ ...report, problems: problems.map(jsonProblem) })}\n`;
}

function jsonNeed({ group, resource, verbs, scope, names, place, reason }: Need) {
  const namespace = scope.name === undefined ? {} : { namespace: scope.name };
  return { group, resource, verbs, scope: scope.type, ...namespace, names, ...place, reason };
}
