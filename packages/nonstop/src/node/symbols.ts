/** The symbol of node's own that `holder` has a property under, found by its description; undefined where there is none. */
export function symbolOf(holder: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(holder).find((symbol) => symbol.description === description);
}

/** What node keeps on `holder` under a symbol with this description; undefined where there is none. */
export function valueUnder(holder: object, description: string): unknown {
  const symbol = symbolOf(holder, description);
  return symbol === undefined ? undefined : (holder as Record<symbol, unknown>)[symbol];
}
