/** Runs kubectl, and masks the parts of its output that differ between servers. */
import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Step } from './steps.ts';

/** A server with a namespace of its own. */
export interface Target {
  readonly kubectl: string;
  /** Folder for the kubeconfig, files and the cache of kubectl. */
  readonly folder: string;
  readonly namespace: string;
  /** Name of cluster-scoped objects. */
  readonly id: string;
}

/** Result of a command. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command and returns its masked output. */
export async function runStep(target: Target, step: Step): Promise<Result> {
  const file = join(target.folder, 'input.yaml');
  const fill = (text: string): string =>
    text.replaceAll('{id}', target.id).replaceAll('{file}', file).replaceAll('{namespace}', target.namespace);
  if (step.file !== undefined) await writeFile(file, fill(step.file));
  const editor = join(target.folder, 'editor.sh');
  if (step.editor !== undefined) {
    await writeFile(editor, `#!/bin/sh\nexec sed -i '${step.editor}' "$1"\n`);
    await chmod(editor, 0o755);
  }
  const global = [
    `--kubeconfig=${join(target.folder, 'config')}`,
    `--cache-dir=${join(target.folder, 'cache')}`,
  ];
  const args = [
    ...global,
    `--namespace=${target.namespace}`,
    ...fill(step.run).split(' '),
    ...(step.more ?? []).map(fill),
  ];
  const env = { PATH: process.env['PATH'] ?? '', HOME: target.folder, EDITOR: editor, KUBE_EDITOR: editor };
  const { code, stdout, stderr } = await execute(target.kubectl, args, env, step.input);
  const shown = step.isDescribed === true ? fieldsOf(stdout) : stdout;
  return { code, stdout: mask(shown, target), stderr: mask(stderr, target) };
}

/** Returns the lines of `kubectl explain` that name kinds and fields. */
function fieldsOf(output: string): string {
  return output
    .split('\n')
    .filter((line) => /^[A-Z]+:|\t</.test(line))
    .join('\n');
}

function execute(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | undefined,
): Promise<Result> {
  return new Promise((resolve) => {
    const options = { env, maxBuffer: 2 ** 26, timeout: 30_000 };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end(input ?? '');
  });
}

const masks: readonly (readonly [RegExp, string])[] = [
  [/^[WEI]\d{4} \S+ +\d+ /gm, '<log> '],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| [+-]\d{4})?/g, '<time>'],
  [/(resourceVersion"?: )"\d+"/g, '$1<version>'],
  [/(?<=\s)(?:\d+h)?(?:\d+m)?\d+s(?=\s)/g, '<age>'],
  [/\b10\.\d+\.\d+\.\d+\b/g, '<ip>'],
  [/\b3[0-2]\d{3}\b/g, '<port>'],
  [/https?:\/\/127\.0\.0\.1:\d+/g, '<server>'],
  [/(?<=\/tmp\/)(?:LIVE|MERGED)-\d+/g, '<folder>'],
  [/kubectl-edit-\d+\.yaml/g, '<file>'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
];

function mask(output: string, { folder, namespace, id }: Target): string {
  const named = output
    .replaceAll(folder, '<dir>')
    .replaceAll(namespace, '<namespace>')
    .replaceAll(id, '<id>');
  const masked = masks.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), named);
  // The width of a column follows from masked values.
  return masked.replace(/ {2,}/g, '  ').replace(/ +$/gm, '').trim();
}
