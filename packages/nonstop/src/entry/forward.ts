type Method = (this: unknown, ...args: unknown[]) => unknown;
type Methods = Record<string, Method | undefined>;

/** Helpers for the text of a module that replaces one of Express's. */
interface Forwarding {
  /** Functions that call the method of the same name; agents may rewrite them. */
  readonly methods: Methods;
  /** Calls the original method. */
  call(name: string, self: unknown, args: ArrayLike<unknown>): unknown;
  /**
   * Replaces the methods whose functions an agent has rewritten. The others are not replaced, because the extra call
   * would cost time.
   */
  put(): void;
}

/** The modules of several installed Expresses are one module of Nonstop, whose method is replaced once. */
const replaced = new WeakMap<object, Set<string>>();

/**
 * For agents that rewrite the text of modules. They look for functions by name in that text, but Nonstop's methods are
 * in another file.
 *
 * @param owner the object with the methods
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

/** The text of one of the `methods`, with which {@link forward} detects a rewritten one. */
function textOf(name: string): string {
  return `function ${name}() { return forwarding.call('${name}', this, arguments); }`;
}

/** Code generators differ in spaces, quotes and semicolons. */
function wordsOf(text: string): string {
  return text.replaceAll(/[\s;'"]/g, '');
}

export = { forward, textOf };
