/** Archives of the files of a container, as `tar` writes them. */
import type { ContainerFile } from '../../../src/testserver/index.ts';

const blockBytes = 512;

/** Returns an archive of the files that exist. Their content has one byte per character. */
export function archive(paths: readonly string[], read: (path: string) => ContainerFile | undefined): string {
  const entries = paths.map((path) => {
    const file = read(path);
    return file === undefined ? '' : entry(path.replace(/^\/+/, ''), file);
  });
  return entries.join('') + '\0'.repeat(2 * blockBytes);
}

function entry(name: string, { content, mode }: ContainerFile): string {
  const before = field(name, 100) + octal(mode, 8) + octal(0, 8) + octal(0, 8) + octal(content.length, 12);
  const after = `0${field('', 100)}ustar\u000000${field('root', 32)}${field('root', 32)}${octal(0, 8)}${octal(0, 8)}`;
  const head = before + octal(0, 12);
  const blank = padded(head + ' '.repeat(8) + after);
  const sum = [...blank].reduce((total, char) => total + char.charCodeAt(0), 0);
  return padded(`${head}${sum.toString(8).padStart(6, '0')}\0 ${after}`) + padded(content);
}

function field(text: string, bytes: number): string {
  return text.slice(0, bytes).padEnd(bytes, '\0');
}

function octal(value: number, bytes: number): string {
  return `${value.toString(8).padStart(bytes - 1, '0')}\0`;
}

function padded(text: string): string {
  return text.padEnd(Math.ceil(text.length / blockBytes) * blockBytes, '\0');
}
