/** Command line of `kgen help`, and its topics. */
import { Argument, Command, InvalidArgumentError } from 'commander';
import { version } from '../../../common/version.ts';
import { closestName } from '../../../common/words.ts';
import { describeRun } from '../../options/options.ts';
import type { CommandEntry, CommandSummary } from '../entry.ts';

/** Parsed command line of `kgen help`. */
export interface HelpArguments {
  readonly command: 'help';
  /** A topic or a command. Absent for the help of kgen. */
  readonly topic?: string;
}

/** A command with help. */
type HelpedCommand = CommandSummary & Pick<CommandEntry<never>, 'describe'>;

/** Page of the documentation, and a short text. */
interface Topic {
  readonly page: string;
  readonly text: string;
}

const topics: Readonly<Record<string, Topic>> = {
  projects: {
    page: 'docs/projects.md',
    text: `The author writes api, src, test, samples and overlays; kgen writes config and generated as a whole.
kgen init --domain example.com, kgen create api and kgen create webhook add files; kgen writes what follows from
them, kgen --check fails if a written file is out of date, and kgen dev runs the operator in memory, with
--cluster against a cluster.`,
  },
  permissions: {
    page: 'docs/permissions.md',
    text: `Permissions follow from the calls of the program, and are written to config/rbac. kgen permissions prints them
with the lines that need them. A call whose resource is not known at compile time needs a comment above its
statement: /** @permissions apps/deployments get list */.`,
  },
  webhooks: {
    page: 'docs/webhooks.md',
    text: `kgen create webhook --group cache --version v1 --kind RedisCluster adds admission webhooks with their tests; a second
version of a kind gets a conversion. kgen writes the configurations, and kgen dev serves them in memory. The API
server of a cluster calls those of kgen run and kgen dev --cluster on this machine: --webhook-host.`,
  },
  deployment: {
    page: 'docs/deploy.md',
    text: `Settings are deployment in kgen.config; everything else is a kustomize patch in overlays, or a value of the chart.
kgen deploy applies config/install.yaml and waits for the Pods, kgen doctor finds problems of a deployed operator,
and kgen undeploy removes it. Contexts of protect in kgen.config are refused.`,
  },
  certificates: {
    page: 'docs/webhooks.md',
    text: `Webhooks need no cert-manager: without mounted files, the operator keeps its certificate in a Secret, and rotates
it with overlap. kgen doctor reports a certificate that webhooks do not trust.`,
  },
  image: {
    page: 'docs/image.md',
    text: `kgen build bundles the program with its packages into dist, with a Dockerfile: docker build dist. kgen build --single
writes one executable. kgen deploy --image sets the image of the operator.`,
  },
  bundle: {
    page: 'docs/olm.md',
    text: `The bundle for the Operator Lifecycle Manager follows from config, samples and the setting bundle of kgen.config.
Run kgen, then kgen bundle; kgen bundle --check runs the tests of the scorecard, too.`,
  },
  update: {
    page: 'docs/projects.md',
    text: `npm install --save-dev kgen@latest, then kgen update: names that have moved are rewritten, and changes of the templates
are merged with the edits of the author. Conflicts are marked as by git.`,
  },
};

/** Returns the command `kgen help`, which prints the help of the commands of a list. */
export function helpCommand(commands: () => readonly HelpedCommand[]): CommandEntry<HelpArguments> {
  return {
    name: 'help',
    usage: '[topic or command]',
    about: 'explains a command, or a topic such as permissions',
    describe: () => describe(commands()),
    interpret: ({ args: [topic] }) => ({ command: 'help', ...(topic !== undefined && { topic }) }),
    run: async ({ topic = 'generate' }, { stdout }) => {
      const found = topics[topic];
      if (found !== undefined) stdout.write(`${found.text}\n\nMore: ${found.page}\n`);
      const named = commands().find(({ name }) => name === topic);
      const command = topic === 'generate' ? describeRun(version, commands()) : named?.describe();
      if (found !== undefined && command !== undefined) stdout.write('\n');
      command?.configureOutput({ writeOut: (text) => stdout.write(text) }).outputHelp();
      return 0;
    },
  };
}

function describe(commands: readonly HelpedCommand[]): Command {
  const topicNames = Object.keys(topics);
  const commandNames = ['generate', ...commands.map(({ name }) => name)];
  const names = [...new Set([...topicNames, ...commandNames])];
  const list = `Topics: ${topicNames.join(', ')}.\nCommands: ${commandNames.join(', ')}.`;
  const argument = new Argument('[topic]', 'a topic or a command').choices(names).argParser((name) => {
    if (names.includes(name)) return name;
    const nearest = names.find((other) => name !== '' && other.startsWith(name)) ?? closestName(name, names);
    const proposal = nearest === undefined ? '' : `Did you mean kgen help ${nearest}?\n`;
    throw new InvalidArgumentError(`${proposal}${list}`);
  });
  return new Command('kgen help')
    .description(
      'Prints the help of a command, or a short text about a topic with its page of the documentation.',
    )
    .addArgument(argument)
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('(kgen help --help lists the topics)')
    .allowExcessArguments(false);
}
