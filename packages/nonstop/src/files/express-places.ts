/** An installed Express that `nonstop/register` replaces by Nonstop. */
interface Place {
  readonly major: 4 | 5;
  /** The `require` of its `lib/view.js`: it finds what Express would find. */
  readonly require: NodeJS.Require;
}

/** By the path of `lib/view.js`. Several programs in one process may each have an installed Express. */
export const expressPlaces = new Map<string, Place>();
