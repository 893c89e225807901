/** Command line of `kgen completion`. */
import { Argument, Command } from 'commander';
import { version } from '../../../common/version.ts';
import { describeRun } from '../../options/options.ts';
import type { CommandEntry, CommandSummary } from '../entry.ts';

/** Shells with completion. */
const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** A shell with completion. */
export type Shell = (typeof shells)[number];

/** Parsed command line of `kgen completion`. */
export interface CompletionArguments {
  readonly command: 'completion';
  readonly shell: Shell;
}

/** A command that is completed. */
export type CompletedCommand = Pick<CommandEntry<never>, 'name' | 'about' | 'describe'>;

/** Returns the command `kgen completion`, which completes the commands of a list. */
export function completionCommand(
  commands: () => readonly (CommandSummary & CompletedCommand)[],
): CommandEntry<CompletionArguments> {
  return {
    name: 'completion',
    usage: 'bash|zsh|fish|powershell',
    about: 'prints the completion of command lines for a shell',
    describe,
    interpret: ({ args }) => ({
      command: 'completion',
      shell: shells.find((name) => name === args[0]) ?? 'bash',
    }),
    run: async ({ shell }, console) => {
      const { completionScript } = await import('../../options/completion.ts');
      const about = 'writes typed clients, or all files of a project';
      const generate = { name: 'generate', about, describe: () => describeRun(version, commands()) };
      console.stdout.write(completionScript(shell, [...commands(), generate]));
      return 0;
    },
  };
}

function describe(): Command {
  return new Command('kgen completion')
    .description('Prints a script that completes commands, options, their values and names of files.')
    .addArgument(new Argument('<shell>').choices(shells))
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `
bash:       echo 'eval "$(kgen completion bash)"' >> ~/.bashrc
zsh:        echo 'eval "$(kgen completion zsh)"' >> ~/.zshrc, after compinit
fish:       kgen completion fish > ~/.config/fish/completions/kgen.fish
PowerShell: kgen completion powershell | Out-String | Invoke-Expression, in $PROFILE

The shell must find kgen: install it globally, or add node_modules/.bin to PATH.`,
    )
    .showHelpAfterError('(kgen completion --help lists the options)')
    .allowExcessArguments(false);
}
