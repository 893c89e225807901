/** Containers with each implementation of `tar` and `sh` that is installed, and files in them. */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessOptions, processes } from './processes.ts';
import { podsOf, startServer } from './support.ts';
import { temporaryFolder } from './tar-entries.ts';

/** Programs of a container by their names. */
export interface Image {
  readonly name: string;
  readonly tar: string;
  readonly sh: string;
  readonly readlink: string;
  readonly tail: string;
}

export const images: readonly Image[] = [
  { name: 'GNU tar', tar: 'tar', sh: 'sh', readlink: 'readlink', tail: 'tail' },
  { name: 'bsdtar', tar: 'bsdtar', sh: 'sh', readlink: 'readlink', tail: 'tail' },
  { name: 'BusyBox', tar: 'busybox', sh: 'busybox', readlink: 'busybox', tail: 'busybox' },
].filter(({ tar }) => pathOf(tar) !== undefined);

function pathOf(program: string): string | undefined {
  const { status, stdout } = spawnSync('which', [program], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Starts a container with programs of an image, and returns its client and its folder. */
export async function container(
  image: Image,
  programs: readonly ('tar' | 'sh' | 'readlink' | 'tail')[] = ['tar', 'sh', 'readlink', 'tail'],
  options: ProcessOptions = {},
) {
  const path = await temporaryFolder();
  for (const program of programs)
    await symlink(pathOf(image[program]) ?? image[program], join(path, program));
  const root = await temporaryFolder();
  return { root, pods: podsOf(await startServer(processes(root, { ...options, path }))) };
}

/** Creates files by their paths; a path that ends with a slash is a folder. */
export async function write(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(path.endsWith('/') ? target : join(target, '..'), { recursive: true });
    if (!path.endsWith('/')) await writeFile(target, content);
  }
  return folder;
}

/** Returns the paths of a folder, and the content of files or the target of links. */
export async function contentOf(folder: string, prefix = ''): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort()) {
    const [path, name] = [join(folder, entry.name), `${prefix}${entry.name}`];
    if (entry.isSymbolicLink()) found[name] = `-> ${await readlink(path)}`;
    else if (entry.isFile()) found[name] = await readFile(path, 'utf8');
    else if (entry.isDirectory())
      Object.assign(found, { [name]: 'folder', ...(await contentOf(path, `${name}/`)) });
  }
  return found;
}
