import type { Output } from './console.ts';

/** One line on a terminal that shows the current step of a run. */
export interface Progress {
  /** Replaces the line with the step, and its progress if that is known. */
  readonly show: (step: string, done?: number, total?: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

export const noProgress: Progress = { show: () => {}, end: () => {} };

/**
 * Starts the progress line of the run for `name`. It consists of spaces and carriage returns, without escape
 * codes. Shows nothing if the output cannot replace a line.
 */
export function startProgress({ write, hasCursor }: Output, name = ''): Progress {
  if (!hasCursor) return noProgress;
  let width = 0;
  const put = (text: string, after = ''): void => {
    write(`\r${text.padEnd(width)}${after}`);
    width = text.length;
  };
  return {
    show: (step, done, total) => {
      const part = done === undefined ? '' : total === undefined ? ` ${done}` : ` ${done}/${total}`;
      put(`${name === '' ? '' : `${name}: `}${step}${part} …`);
    },
    end: () => {
      if (width > 0) put('', '\r');
    },
  };
}
