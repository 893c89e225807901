/** Completion of command lines in shells: scripts from the definitions that `--help` prints. */
import type { Command } from 'commander';
import type { CompletedCommand, Shell } from '../commands/definitions/completion.ts';

/** Values of an option or an argument: a list, paths, or any other string. */
interface Values {
  /** Their name in the help. */
  readonly name: string;
  readonly choices: readonly string[];
  readonly paths?: 'files' | 'folders';
}

interface OptionWords {
  /** With their dashes; the long one is the last. */
  readonly flags: readonly string[];
  readonly about: string;
  /** Absent for an option without a value. */
  readonly values?: Values;
  readonly isRepeatable: boolean;
}

/** Words of a command. */
interface CommandWords {
  readonly name: string;
  readonly about: string;
  readonly options: readonly OptionWords[];
  /** Of the arguments without dashes. Absent for none, or any string. */
  readonly values?: Values;
}

/** Returns the script of a shell. The last one is `generate`, which needs no name. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  const words = commands.map(({ name, about, describe }) => wordsOf(name, about, describe()));
  return { bash, zsh, fish, powershell }[shell](words);
}

function wordsOf(name: string, about: string, command: Command): CommandWords {
  const options = command
    .createHelp()
    .visibleOptions(command)
    .map(({ short, long, flags, description, argChoices, required, optional, parseArg, variadic }) => {
      const placeholder = /^[^<[]*[<[](.*)[>\]]/.exec(flags)?.[1] ?? '';
      return {
        flags: [short, long].filter((flag) => flag !== undefined),
        about: oneLine(description) || placeholder,
        isRepeatable: variadic || (argChoices === undefined && (parseArg?.length ?? 0) > 1),
        ...((required || optional) && { values: valuesOf(placeholder, argChoices) }),
      };
    });
  const all = command.registeredArguments.map((argument) => valuesOf(argument.name(), argument.argChoices));
  const values = all.find(({ choices, paths }) => choices.length > 0 || paths !== undefined);
  return { name, about, options, ...(values !== undefined && { values }) };
}

/** Returns values by their name in the help: files, folders, or `a|b` for one of two words. */
function valuesOf(name: string, choices: readonly string[] = []): Values {
  if (choices.length > 0) return { name, choices };
  if (/\b(file|input|module|program|recording|source|where)/.test(name))
    return { name, choices: [], paths: 'files' };
  if (/\b(dir|folder)/.test(name)) return { name, choices: [], paths: 'folders' };
  return { name, choices: /^[a-z]+(\|[a-z]+)+$/.test(name) ? name.split('|') : [] };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
const flagsOf = ({ options }: CommandWords): readonly string[] => options.flatMap(({ flags }) => flags);
/** Returns the pattern of a command for `case`: that of `generate` matches all other words. */
const patternOf = ({ name }: CommandWords): string => (name === 'generate' ? '*' : name);
const namesOf = (words: readonly CommandWords[]): string => words.map(({ name }) => name).join(' ');

function bash(words: readonly CommandWords[]): string {
  const set = ({ choices, paths }: Pick<Values, 'choices' | 'paths'>): string =>
    `words='${choices.join(' ')}' paths=${paths === undefined ? '' : paths === 'files' ? '-f' : '-d'}`;
  const branches = words.map((command) => {
    const values = command.options.flatMap(({ flags, values }) =>
      values === undefined ? [] : [`        ${flags.join('|')}) ${set(values)}; return ;;`],
    );
    return `    ${patternOf(command)})
      options='${flagsOf(command).join(' ')}' ${set(command.values ?? { choices: [] })}
      case $1 in
${[...values, '        *) isValue= ;;'].join('\n')}
      esac ;;`;
  });
  return `# Completion of kgen in bash: eval "$(kgen completion bash)"
_kgen_words() {
  case $2 in
${branches.join('\n')}
  esac
}
_kgen() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  local options= words= paths= isValue=1 line
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  (( COMP_CWORD > 1 )) || command=
  _kgen_words "$previous" "$command"
  if [[ -z $isValue ]]; then
    (( COMP_CWORD > 1 )) || words+=' ${namesOf(words)}'
    if [[ $current == -* || -z $words$paths ]]; then words=$options paths=; fi
  fi
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    compgen -W "$words" -- "$current"
    [[ -z $paths ]] || compgen $paths -- "$current"
  )
  [[ -z $paths ]] || compopt -o filenames 2>/dev/null || true
}
complete -F _kgen kgen
`;
}

function zsh(words: readonly CommandWords[]): string {
  const text = (plain: string): string => plain.replaceAll(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''");
  const action = ({ name, choices, paths }: Values): string => {
    const list = choices.length === 0 ? ' ' : `(${choices.join(' ')})`;
    return `:${text(name)}:${paths === 'files' ? '_files' : paths === 'folders' ? '_files -/' : list}`;
  };
  const option = ({ flags, about, values, isRepeatable }: OptionWords): string => {
    const others = isRepeatable ? '*' : flags.length > 1 ? `(${flags.join(' ')})` : '';
    const value = values === undefined ? '' : action(values);
    const long = flags.map(
      (flag) => `${flag}${values === undefined ? '' : flag.startsWith('--') ? '=' : '+'}`,
    );
    return long.map((flag) => `'${others}${flag}[${text(about)}]${value}'`).join(' ');
  };
  const optionsOf = ({ options, values }: CommandWords): readonly string[] => [
    ...options.map(option),
    ...(values === undefined ? [] : [`'*${action(values)}'`]),
  ];
  const branches = words.map(
    (command) => `    ${patternOf(command)})
      _arguments -s ${optionsOf(command).join(' \\\n        ')} ;;`,
  );
  const names = words.map(({ name, about }) => `'${name}:${text(about)}'`);
  return `# Completion of kgen in zsh: eval "$(kgen completion zsh)" after compinit
_kgen() {
  local -a commands=(
    ${names.join('\n    ')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then _describe command commands; _files; return; fi
  local command=$words[2]
  if [[ -n \${(M)commands:#$command:*} ]]; then shift words; (( CURRENT-- )); fi
  case $command in
${branches.join('\n')}
  esac
}
compdef _kgen kgen
`;
}

function fish(words: readonly CommandWords[]): string {
  const text = (plain: string): string => `'${plain.replaceAll(/[\\']/g, '\\$&')}'`;
  const action = ({ choices, paths }: Values): string => {
    if (paths === 'files') return '-r -F';
    if (paths === 'folders') return "-x -a '(__fish_complete_directories)'";
    return choices.length === 0 ? '-x' : `-x -a '${choices.join(' ')}'`;
  };
  const lines = words.flatMap(({ name, options, values }) => {
    const start = `complete -c kgen -n '__kgen_command ${name}'`;
    const own = options.map(({ flags, about, values }) => {
      const names = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      return `${start} ${names.join(' ')} ${values === undefined ? '' : `${action(values)} `}-d ${text(about)}`;
    });
    if (values === undefined) return own;
    return [...own, `${start} ${values.paths === undefined ? `-a '${values.choices.join(' ')}'` : '-F'}`];
  });
  const commands = words.map(
    ({ name, about }) =>
      `complete -c kgen -n 'test (count (commandline -opc)) -eq 1' -a ${name} -d ${text(about)}`,
  );
  return `# Completion of kgen in fish: kgen completion fish | source
function __kgen_command
  set -l given (commandline -opc)[2]
  contains -- "$given" ${namesOf(words)}; or set given generate
  test "$given" = $argv[1]
end
complete -c kgen -f
${[...commands, ...lines].join('\n')}
`;
}

function powershell(words: readonly CommandWords[]): string {
  const text = (plain: string): string => `'${plain.replaceAll("'", "''")}'`;
  const list = (values: readonly string[]): string => `@(${values.map(text).join(', ')})`;
  const entry = ({ flags, about, values }: OptionWords): readonly string[] =>
    flags.map(
      (flag) =>
        `      ${text(flag)} = @{ about = ${text(about)}; values = ${values === undefined ? '$null' : list(values.choices)} }`,
    );
  const table = words.map(
    ({
      name,
      options,
      values,
    }) => `    ${text(name)} = @{ values = ${list(values?.choices ?? [])}; options = [ordered]@{
${options.flatMap(entry).join('\n')}
    } }`,
  );
  const commands = words.map(({ name, about }) => `    ${text(name)} = ${text(about)}`);
  return `# Completion of kgen in PowerShell: kgen completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName kgen -ScriptBlock {
  param($current, $line, $cursor)
  $commands = [ordered]@{
${commands.join('\n')}
  }
  $table = @{
${table.join('\n')}
  }
  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  $name = if ($before.Count -gt 1 -and $commands.Contains($before[1])) { $before[1] } else { 'generate' }
  $command = $table[$name]
  $option = $command.options[$before[-1]]
  $found = if ($option -and $null -ne $option.values) { $option.values | ForEach-Object { , @($_, $_) } }
    elseif ($current -like '-*') { $command.options.GetEnumerator() | ForEach-Object { , @($_.Key, $_.Value.about) } }
    else {
      $command.values | ForEach-Object { , @($_, $_) }
      if ($before.Count -eq 1) { $commands.GetEnumerator() | ForEach-Object { , @($_.Key, $_.Value) } }
    }
  # Without a result, PowerShell completes names of files.
  $found | Where-Object { $_ -and $_[0] -like "$current*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;
}
