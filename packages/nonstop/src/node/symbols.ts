/** The symbol among node's properties of `holder` that has this description; undefined if there is none. */
export function symbolOf(holder: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(holder).find((symbol) => symbol.description === description);
}

/** The value that node stores on `holder` under a symbol with this description; undefined if there is none. */
export function valueUnder(holder: object, description: string): unknown {
  const symbol = symbolOf(holder, description);
  return symbol === undefined ? undefined : (holder as Record<symbol, unknown>)[symbol];
}
