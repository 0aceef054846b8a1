/** The symbol of node's own that `holder` has a property under, found by its description; undefined where there is none. */
export function symbolOf(holder: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(holder).find((symbol) => symbol.description === description);
}
