/**
 * A value of unknown type: a body before a validator has seen it, a setting, an error that was thrown.
 *
 * It is the one place where the public types say `any`. With `unknown` an application that compiles with `@types/express`
 * (`req.body.name`, `app.get('port') + 1`, `(err) => err.status`) would no longer compile. Give `Request` or `Response` a
 * type argument to replace it.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above: the compatible default, kept to this alias
export type Untyped = any;

/** An object with named values of any type: the bound of `res.locals` and `app.locals`. */
export type UntypedRecord = Record<string, Untyped>;
