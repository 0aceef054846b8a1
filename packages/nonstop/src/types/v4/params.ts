import type { Flat, PathParams, ReadName } from '../params-from-path.js';

/** `req.params` of a route whose path is not known while compiling. Groups without a name are numbered from 0. */
export interface ParamsDictionary {
  [key: string]: string;
}

/** `req.params` of any route. */
export type Params = ParamsDictionary;

/**
 * The type of `req.params` for a path: `:id` gives `{ id: string }`, `:id?` gives `{ id?: string }`. A path with groups or with `*`,
 * a RegExp, a list and a `string` that is not a literal give a {@link ParamsDictionary}.
 *
 * @see https://expressjs.com/en/4x/guide/routing.html#route-parameters
 */
export type RouteParameters<Route extends PathParams> = Route extends string
  ? string extends Route
    ? ParamsDictionary
    : Route extends `${string}${'(' | '*'}${string}`
      ? ParamsDictionary
      : Flat<NamesIn<Route>>
  : ParamsDictionary;

type NamesIn<Route extends string> = Route extends `${string}:${infer Rest}`
  ? ReadName<Rest> extends [infer Name extends string, infer Beyond extends string]
    ? (Beyond extends `?${string}` ? { [Key in Name]?: string } : { [Key in Name]: string }) & NamesIn<Beyond>
    : never
  : {};
