/** Mulberry32: the same numbers for the same seed, on every machine. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns `count` of `items`, or all if there are fewer, in their order. */
export function sample(items, count, seed) {
  const next = random(seed);
  const places = items.map((_, place) => place);
  const size = Math.min(count, places.length);
  for (let i = 0; i < size; i++) {
    const other = i + Math.floor(next() * (places.length - i));
    [places[i], places[other]] = [places[other], places[i]];
  }
  return places
    .slice(0, size)
    .sort((a, b) => a - b)
    .map((place) => items[place]);
}
