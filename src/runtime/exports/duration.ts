/** Durations in the notation of Go: `1h30m`. */

export {
  durationFromMilliseconds,
  durationToMilliseconds,
  formatDuration,
  parseDuration,
} from '../values/duration.ts';
