/** Counts changes to what existing layers match, so that shortlists know when they are outdated. */
export const generation = { current: 0 };
