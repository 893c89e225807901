/** The subcommand `mounttest` of the image `agnhost`: files of volumes with their modes. */
import type { ProgramContainer } from '../../../src/testserver/index.ts';
import type { Streams } from '../shell/run.ts';
import { type ContainerSpec, userOf } from './container-spec.ts';

const initialContent = 'mount-tester new file\n';
const retryMs = 2_000;

/** Creates files, and prints types, modes, owners and content. */
export function* mounttest(
  container: ProgramContainer,
  spec: ContainerSpec,
  args: readonly string[],
  io: Streams,
): Generator<number, number> {
  const option = (name: string): string | undefined =>
    args.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
  let failures = 0;
  const print = (path: string | undefined, value: (path: string) => string): void => {
    if (path !== undefined) io.out(`${value(path)}\n`);
  };
  print(option('fs_type'), (path) => `mount type of "${path}": tmpfs`);
  for (const mode of ['0644', '0666', '0660', '0777']) {
    const path = option(`new_file_${mode}`);
    if (path === undefined) continue;
    if (spec.mayWrite(path)) container.write(path, initialContent, Number.parseInt(mode, 8));
    failures += content(container, path, io);
  }
  print(option('file_mode'), (path) => `mode of file "${path}": ${modeOf(container, path)}`);
  print(option('file_perm'), (path) => `perms of file "${path}": ${modeOf(container, path)}`);
  const { user, group: primary } = userOf(spec);
  const group = spec.security.fsGroup ?? primary;
  const ownerOf = (path: string): number => (container.file(path) === undefined ? 0 : user);
  print(
    option('file_owner'),
    (path) => `owner UID of "${path}": ${ownerOf(path)}\nowner GID of "${path}": ${group}`,
  );
  const path = option('file_content');
  if (path !== undefined) failures += content(container, path, io);
  const watched = option('file_content_in_loop');
  if (watched !== undefined) yield* repeat(container, watched, Number(option('retry_time') ?? 180), io);
  return failures === 0 ? 0 : 1;
}

function* repeat(
  container: ProgramContainer,
  path: string,
  seconds: number,
  io: Streams,
): Generator<number, void> {
  const end = container.now() + seconds * 1_000;
  while (container.now() < end) {
    const file = container.file(path);
    if (file === undefined)
      io.out(`Error reading file ${path}: open ${path}: no such file or directory, retrying\n`);
    else io.out(`content of file "${path}": ${file.content}\n`);
    yield retryMs;
  }
}

function content(container: ProgramContainer, path: string, io: Streams): number {
  const file = container.file(path);
  if (file === undefined) {
    io.out(`error reading file content for "${path}": open ${path}: no such file or directory\n`);
    return 1;
  }
  io.out(`content of file "${path}": ${file.content}\n`);
  return 0;
}

/** Returns the mode of a file as Go prints it. Folders of volumes are open to all. */
function modeOf(container: ProgramContainer, path: string): string {
  const file = container.file(path);
  if (file === undefined) return container.files(`${path}/`).length > 0 ? 'drwxrwxrwx' : '-rwxrwxrwx';
  const bits = [...'rwxrwxrwx'].map((letter, index) => (file.mode & (0o400 >> index) ? letter : '-'));
  return `-${bits.join('')}`;
}
