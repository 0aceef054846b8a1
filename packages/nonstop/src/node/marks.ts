/**
 * Whether a function is node's own, by its source. One that a program has replaced before this package was loaded lacks the text.
 *
 * @param mark a text that the source has in every supported Node
 */
export function hasMark(method: unknown, mark: string): boolean {
  return typeof method === 'function' && Function.prototype.toString.call(method).includes(mark);
}
