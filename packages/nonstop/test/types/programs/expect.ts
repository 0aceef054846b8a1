/** `true` if two types are identical in every position, not just assignable. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles if its argument is `true`: `holds<Same<typeof req.params.id, string>>()`. */
export function holds<_Claim extends true>(): void {}
