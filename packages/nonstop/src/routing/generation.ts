/** Counts changes of what existing layers match, for those who keep what they read of them. */
export const generation = { current: 0 };
