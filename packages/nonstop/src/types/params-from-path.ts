/** `req.params` of a route whose path is not known while compiling: `:name` gives a string, `*name` a list. */
export interface ParamsDictionary {
  [key: string]: string | string[];
  [key: number]: string;
}

/** `req.params` of a RegExp route: named groups by name, the others by number from 0; always single strings. */
export interface ParamsFlatDictionary {
  [key: string | number]: string;
}

/** Either dictionary. */
export type Params = ParamsDictionary | ParamsFlatDictionary;

/** One path of a route: a pattern in the syntax of path-to-regexp 8, or a RegExp that is matched against the whole path. */
export type Path = string | RegExp;

/** What every method that takes a path accepts; of a list, the first path that matches counts. */
export type PathParams = Path | readonly Path[];

/**
 * The type of `req.params` for a path.
 *
 * | in the path                    | in the type                                        |
 * | ------------------------------ | -------------------------------------------------- |
 * | `:id`, `:"user-id"`            | `{ id: string }`, `{ 'user-id': string }`          |
 * | `*file`                        | `{ file: string[] }` (one string for each segment) |
 * | `{/:page}`, `{.:ext}`          | `{ page?: string }`, `{ ext?: string }`            |
 * | `['/a/:id', '/b/:id/:tab']`    | `{ id: string; tab?: string }`                     |
 * | a RegExp                       | {@link ParamsFlatDictionary}                       |
 * | a `string` that is not a literal  | {@link ParamsDictionary}                           |
 *
 * A pattern that the router would refuse (`/*`, which names no parameter) gives {@link ParamsDictionary}: the error is
 * the router's to report, with the path in it.
 *
 * @see https://expressjs.com/en/guide/routing.html#route-parameters
 */
export type RouteParameters<Route extends PathParams> = Route extends readonly (infer Each extends Path)[]
  ? ParamsOfSome<ParamsOfEach<Each>> & ParamsOfUnknown<Each>
  : Route extends Path
    ? ParamsOfEach<Route>
    : never;

/** A part that is not known, as in `${prefix}/a`, may have parameters too. As in `@types/express`, this counts for lists only. */
type ParamsOfUnknown<Each extends Path> = true extends (Each extends string ? IsPartlyKnown<Each> : never)
  ? ParamsDictionary
  : unknown;

type IsPartlyKnown<Text extends string> = {} extends Record<Text, unknown> ? true : false;

/** Distributes over a union of paths, so that `ParamsOfSome` can tell what they share. */
type ParamsOfEach<Route extends Path> = Route extends string
  ? string extends Route
    ? ParamsDictionary
    : ParamsOfPattern<Route>
  : ParamsFlatDictionary;

/** Most paths have no parameters; this comparison saves the walk. */
type ParamsOfPattern<Route extends string> = Route extends `${string}${':' | '*'}${string}` ? Walk<Route> : {};

/**
 * Walks a pattern from left to right; the compiler can do this without nesting, so a path may be some hundred characters
 * long. `Found` gathers the parameters, `Open` holds one element for each group that is open.
 */
type Walk<Rest extends string, Found = {}, Open extends unknown[] = []> = Rest extends `${infer Char}${infer After}`
  ? Char extends '\\'
    ? Walk<WithoutFirst<After>, Found, Open>
    : Char extends '{'
      ? Walk<After, Found, [...Open, Char]>
      : Char extends '}'
        ? Walk<After, Found, Open extends [unknown, ...infer Outer] ? Outer : []>
        : Char extends ':' | '*'
          ? ReadName<After> extends [infer Name extends string, infer Beyond extends string]
            ? Name extends ''
              ? ParamsDictionary
              : Walk<Beyond, Found & Param<Name, Char extends '*' ? string[] : string, Open>, Open>
            : never
          : Walk<After, Found, Open>
  : Flat<Found>;

/** What a parameter adds to `req.params`. It is optional inside a group, because the group is. */
type Param<Name extends string, Value, Open extends unknown[]> = Open extends []
  ? { [Key in Name]: Value }
  : { [Key in Name]?: Value };

/** `[name, rest]`: a quoted name, or the characters up to the first that an identifier cannot have. */
export type ReadName<Rest extends string, Name extends string = ''> = Rest extends `${infer Char}${infer After}`
  ? Char extends NameEnd
    ? [Char, Name] extends ['"', '']
      ? ReadQuoted<After>
      : [Name, Rest]
    : ReadName<After, `${Name}${Char}`>
  : [Name, Rest];

/** `[name, rest]` after an opening quote; the name is empty if there is no closing quote. */
type ReadQuoted<Rest extends string> = Rest extends `${infer Name}"${infer After}` ? [Name, After] : ['', ''];

type WithoutFirst<Text extends string> = Text extends `${string}${infer Rest}` ? Rest : '';

/** The ASCII characters that are not ID_Continue (UAX #31); path-to-regexp ends a name at each of them. */
type NameEnd =
  | (' ' | '!' | '"' | '#' | '%' | '&' | "'" | '(' | ')' | '*' | '+' | ',' | '-' | '.' | '/')
  | (':' | ';' | '<' | '=' | '>' | '?' | '@' | '[' | '\\' | ']' | '^' | '`' | '{' | '|' | '}' | '~');

/** The parameters if any of several paths may have matched: those that not all paths have are optional. */
type ParamsOfSome<Each> =
  string extends KeyOfSome<Each>
    ? ParamsDictionary
    : Flat<
        { [Key in Extract<KeyOfSome<Each>, keyof Each>]: Each[Key] } & {
          [Key in Exclude<KeyOfSome<Each>, keyof Each>]?: ValueInSome<Each, Key>;
        }
      >;

type KeyOfSome<Each> = Each extends unknown ? keyof Each : never;

type ValueInSome<Each, Key> = Each extends unknown ? (Key extends keyof Each ? Each[Key] : never) : never;

// `P &` comes first, so that `P` can be inferred, and two equal types stay one.
/** What handlers declare, with the parameters of the path that do not contradict it. */
export type ParamsWith<P, FromPath> = P &
  ([Contradicted<P, FromPath>] extends [never] ? FromPath : Omit<FromPath, Contradicted<P, FromPath>>);

// The parameters whose two types contradict each other: neither can be assigned to the other.
type Contradicted<P, FromPath> = {
  [Key in keyof P & keyof FromPath]-?: [Exclude<FromPath[Key], undefined>] extends [P[Key]]
    ? never
    : [Exclude<P[Key], undefined>] extends [FromPath[Key]]
      ? never
      : Key;
}[keyof P & keyof FromPath];

/** An intersection as one object type, which is what an editor shows. `?` is kept. */
export type Flat<Parts> = { [Key in keyof Parts]: Parts[Key] } & {};
