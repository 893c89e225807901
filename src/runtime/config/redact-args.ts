/** Keeps secrets among the arguments of a program out of logs. */

/** Words in a flag whose value is nobody's business. */
const secretFlag = /^-.*(?:token|password|passwd|pwd|secret|key|credential|assertion)/i;

/** Arguments with placeholders for the values of flags that are called like secrets: `--token=…`, `--client-secret …`. */
export function hiddenArgs(args: readonly string[], hidden: string): readonly string[] {
  return args.map((arg, index) => {
    const [flag = ''] = arg.split('=', 1);
    if (secretFlag.test(flag)) return arg === flag ? arg : `${flag}=${hidden}`;
    const before = args[index - 1] ?? '';
    return secretFlag.test(before) && !before.includes('=') ? hidden : arg;
  });
}
