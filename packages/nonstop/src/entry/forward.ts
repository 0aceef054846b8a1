type Method = (this: unknown, ...args: unknown[]) => unknown;
type Methods = Record<string, Method | undefined>;

/** What the text of a module that stands for one of Express's works with. */
interface Forwarding {
  /** Functions that call the method of their name, for agents to rewrite. */
  readonly methods: Methods;
  /** Calls the method that was there at first. */
  call(name: string, self: unknown, args: ArrayLike<unknown>): unknown;
  /** Puts those in the place of the methods that an agent has rewritten. The others stay: calls through them would cost something. */
  put(): void;
}

/** Two modules of Express, of two copies, are one of Nonstop's: a method is replaced once. */
const replaced = new WeakMap<object, Set<string>>();

/**
 * For agents that rewrite the text of modules. They look for functions by their names there, and Nonstop's methods are in
 * another file.
 *
 * @param owner has the methods
 */
function forward(owner: object): Forwarding {
  const originals: Methods = {};
  const methods: Methods = {};
  return {
    methods,
    call(name, self, args) {
      return Reflect.apply(originals[name] as Method, self, args as unknown[]);
    },
    put() {
      const names = replaced.get(owner) ?? new Set();
      replaced.set(owner, names);
      for (const [name, method] of Object.entries(methods)) {
        if (names.has(name) || wordsOf(String(method)) === wordsOf(textOf(name))) continue;
        names.add(name);
        originals[name] = (owner as Methods)[name];
        (owner as Methods)[name] = method;
      }
    },
  };
}

/** The text of one of the `methods`, for {@link forward} to tell whether it was rewritten. */
function textOf(name: string): string {
  return `function ${name}() { return forwarding.call('${name}', this, arguments); }`;
}

/** Printers of code differ in spaces, quotes and semicolons. */
function wordsOf(text: string): string {
  return text.replaceAll(/[\s;'"]/g, '');
}

export = { forward, textOf };
