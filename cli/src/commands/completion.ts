import { COMMON_OPTIONS, type Command, wrongChoice } from '../command.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** It gets the other commands, whose names and options it prints. */
export function createCompletion(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print a completion script for a shell',
    usage: 'bash | zsh | fish',
    actions: SHELLS,
    positionals: { min: 1, max: 1 },
    examples: [
      'source <(hubline completion bash)',
      'hubline completion fish > ~/.config/fish/completions/hubline.fish',
    ],

    async run({ io }, { positionals: [shell = ''] }) {
      if (!(SHELLS as readonly string[]).includes(shell)) throw wrongChoice('the shell', shell, SHELLS)
      io.stdout.write(SCRIPTS[shell as Shell](commands()))
      return undefined
    },
  }
}

function listWords({ options = {}, actions = [] }: Command): string[] {
  return [...actions, ...Object.keys({ ...options, ...COMMON_OPTIONS }).map((name) => `--${name}`)]
}

const SCRIPTS: Record<Shell, (commands: readonly Command[]) => string> = {
  bash: (commands) => `_hubline() {
  local words
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.map(({ name }) => name).join(' ')} help --version"
  else case "\${COMP_WORDS[1]}" in
${commands.map((command) => `    ${command.name}) words="${listWords(command).join(' ')}" ;;`).join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _hubline hubline
`,
  zsh: (commands) => `#compdef hubline
_hubline() {
  if (( CURRENT == 2 )); then
    local -a commands=(${commands.map(({ name, summary }) => quote(`${name}:${summary}`)).join(' ')})
    _describe command commands
  else case "$words[2]" in
${commands.map((command) => `    ${command.name}) compadd -- ${listWords(command).join(' ')}; _files ;;`).join('\n')}
  esac; fi
}
compdef _hubline hubline
`,
  fish: (commands) =>
    commands
      .flatMap((command) => [
        `complete -c hubline -n __fish_use_subcommand -f -a ${command.name} -d ${quote(command.summary)}`,
        ...(command.actions ?? []).map(
          (word) => `complete -c hubline -n '__fish_seen_subcommand_from ${command.name}' -f -a ${word}`,
        ),
        ...Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
          ([name, { description, short, type }]) =>
            `complete -c hubline -n '__fish_seen_subcommand_from ${command.name}' -l ${name}${short ? ` -s ${short}` : ''}${type === 'string' ? ' -r' : ''} -d ${quote(description)}`,
        ),
      ])
      .join('\n')
      .concat('\n'),
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
