/** `true` when two types are the same in every position, and not merely assignable. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles when its argument is `true`: `holds<Same<typeof req.params.id, string>>()`. */
export function holds<_Claim extends true>(): void {}
