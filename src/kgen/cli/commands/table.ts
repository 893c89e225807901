/** All commands of kgen besides `generate`, in the order of the help. */
import {
  type ReplayArguments,
  replayCommand,
  type SimulateArguments,
  simulateCommand,
} from '../operators/arguments.ts';
import { type ServeArguments, serveCommand } from '../operators/serve-arguments.ts';
import { type ViewArguments, viewCommand } from '../operators/view-arguments.ts';
import { type BuildArguments, buildCommand } from './definitions/build.ts';
import { type BundleArguments, bundleCommand } from './definitions/bundle.ts';
import { type ClusterArguments, clusterCommands } from './definitions/cluster.ts';
import { type CodemodArguments, codemodCommand } from './definitions/codemod.ts';
import { type CompletionArguments, completionCommand } from './definitions/completion.ts';
import { type CreateArguments, createCommand } from './definitions/create.ts';
import { type DevArguments, devCommand } from './definitions/dev.ts';
import { type HelpArguments, helpCommand } from './definitions/help.ts';
import { type ImportArguments, importCommand } from './definitions/import.ts';
import { type InitArguments, initCommand } from './definitions/init.ts';
import { type ManifestsArguments, manifestsCommand } from './definitions/manifests.ts';
import { type MigrateArguments, migrateCommand } from './definitions/migrate.ts';
import { type NewArguments, newCommand } from './definitions/new.ts';
import { type PermissionsArguments, permissionsCommand } from './definitions/permissions.ts';
import { type UpdateArguments, updateCommand } from './definitions/update.ts';
import type { CommandEntry, CommandSummary } from './entry.ts';

/** Parsed command line that begins with the name of a command. */
export type CommandArguments =
  | InitArguments
  | NewArguments
  | CreateArguments
  | UpdateArguments
  | DevArguments
  | BuildArguments
  | ManifestsArguments
  | PermissionsArguments
  | BundleArguments
  | ImportArguments
  | MigrateArguments
  | ClusterArguments
  | CodemodArguments
  | CompletionArguments
  | HelpArguments
  | ServeArguments
  | SimulateArguments
  | ReplayArguments
  | ViewArguments;

/** A command without the type of its own arguments. */
type AnyCommand = Omit<CommandEntry<CommandArguments>, 'run'> & Pick<CommandEntry<never>, 'run'>;

const entries: readonly AnyCommand[] = [
  initCommand,
  newCommand,
  createCommand,
  updateCommand,
  devCommand,
  buildCommand,
  ...clusterCommands,
  manifestsCommand,
  permissionsCommand,
  bundleCommand,
  importCommand,
  migrateCommand,
  codemodCommand,
  serveCommand,
  simulateCommand,
  replayCommand,
  viewCommand,
  completionCommand(() => entries),
  helpCommand(() => entries),
];

/** Help of all commands. */
export const commandTable: readonly CommandSummary[] = entries;

/** Returns the command of a name. */
export function commandNamed(name: string): CommandEntry<CommandArguments> | undefined {
  // Its functions are called with its own arguments only.
  return entries.find((entry) => entry.name === name) as CommandEntry<CommandArguments> | undefined;
}
