/**
 * Steps of a walkthrough: a page whose blocks are done in order, each in the state that those before it left.
 *
 * - ```` ```sh ```` has a command per line. A comment after a command is its counterpart in another tool.
 * - ```` ```sh until Ctrl+C ```` has one command, which runs until the section ends.
 * - ```` ```sh not run: REASON ```` is not done. The reason is for readers of the page's source.
 * - ```` ```text ```` has lines of the output of the command before it, in order; `…` is any characters.
 * - ```` ```ts file PATH ```` is the whole content of a file, in any language.
 */
import { type Block, blocksIn } from '../pages.ts';

/** A command of a shell. */
export interface CommandStep {
  readonly kind: 'command';
  readonly command: string;
  /** Comment after the command. */
  readonly beside: string;
  /** Whether the command runs until the section ends. */
  readonly isLasting: boolean;
  /** Lines of its output. */
  readonly output: readonly string[];
  /** Line in the page. */
  readonly line: number;
}

/** A file that the reader writes. */
export interface FileStep {
  readonly kind: 'file';
  readonly path: string;
  readonly text: string;
  readonly line: number;
}

/** The end of a section: commands that still run are interrupted. */
export interface SectionStep {
  readonly kind: 'section';
  readonly title: string;
  readonly line: number;
}

export type Step = CommandStep | FileStep | SectionStep;

/**
 * Returns the steps of a page, in order.
 * @throws {Error} a block is not a step
 */
export function stepsOf(text: string): readonly Step[] {
  const steps: Step[] = [...sectionsOf(text)];
  let last: CommandStep | undefined;
  for (const block of blocksIn(text)) {
    const { language, info, line } = block;
    const path = /^file (\S+)$/.exec(info)?.[1];
    if (path !== undefined) steps.push({ kind: 'file', path, text: `${block.text}\n`, line });
    else if (language === 'sh' && info.startsWith('not run: ')) last = undefined;
    else if (language === 'sh' && ['', 'until Ctrl+C'].includes(info)) {
      const commands = commandsOf(block);
      if (info !== '' && commands.length !== 1) throw new Error(`line ${line}: expected one command`);
      steps.push(...commands);
      last = commands.at(-1);
    } else if (language === 'text' && last !== undefined) {
      steps[steps.indexOf(last)] = { ...last, output: block.text.split('\n') };
      last = undefined;
    } else throw new Error(`line ${line}: a block of ${language} ${info} is not a step`);
  }
  return steps.sort((a, b) => a.line - b.line);
}

function sectionsOf(text: string): readonly SectionStep[] {
  const outside = text.replaceAll(/^```.*?^```/gms, (block) => block.replaceAll(/[^\n]/g, ''));
  return outside.split('\n').flatMap((each, index) => {
    const [, title] = /^#+ (.*)$/.exec(each) ?? [];
    return title === undefined ? [] : [{ kind: 'section', title, line: index + 1 } as const];
  });
}

function commandsOf({ text, info, line }: Block): readonly CommandStep[] {
  return text.split('\n').flatMap((each, index) => {
    const [, command = '', beside = ''] = /^(.*?)(?:\s+# (.*))?$/.exec(each) ?? [];
    if (command === '') return [];
    const isLasting = info !== '';
    return [{ kind: 'command', command, beside, isLasting, output: [], line: line + index } as const];
  });
}

/** Returns the first expected line that an output does not have after those before it. */
export function missingLine(output: string, expected: readonly string[]): string | undefined {
  let rest = output;
  for (const line of expected) {
    const parts = line
      .trim()
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const found = new RegExp(`^ *${parts.join('.*').replaceAll(/\s+/g, '\\s+')}\\s*$`, 'm').exec(rest);
    if (found === null) return line;
    rest = rest.slice(found.index + found[0].length);
  }
  return undefined;
}
