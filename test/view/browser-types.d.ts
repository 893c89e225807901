/** Names of browsers in the types of playwright-core. The library `dom` would change types of other tests. */

interface Node {
  readonly nodeType: number;
}
interface HTMLElement extends Node {
  readonly tagName: string;
}
interface SVGElement extends Node {
  readonly tagName: string;
}
interface HTMLElementTagNameMap {
  readonly a: HTMLElement;
}
