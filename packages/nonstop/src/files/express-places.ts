/** An installed Express that Nonstop stands for, as `nonstop/register` makes it. */
interface Place {
  readonly major: 4 | 5;
  /** The `require` of its `lib/view.js`: it finds what Express would find. */
  readonly require: NodeJS.Require;
}

/** By the path of the file. Several programs of a process may have an Express of their own. */
export const expressPlaces = new Map<string, Place>();
