const pattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** Returns whether a string is a quantity, such as `500m`, `1Gi` or `1e3`. */
export function isQuantity(text: string): boolean {
  return pattern.test(text);
}
