// A reporter for node's test runner, used for other projects' suites: prints one line of JSON for each finished test.
interface Ended {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string;
  readonly skip?: unknown;
  readonly todo?: unknown;
  readonly details: {
    readonly type?: string;
    readonly error?: { readonly message?: string; readonly cause?: unknown };
  };
}
interface Event {
  readonly type: string;
  readonly data: Ended;
}

export = async function* report(source: AsyncIterable<Event>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, file = '', nesting, details, skip, todo } = data;
    if (details.type === 'suite' || skip !== undefined || todo !== undefined) continue;
    const { message, cause } = details.error ?? {};
    const reason = cause instanceof Error ? cause.message : message;
    yield `${JSON.stringify({ title: `${file}|${nesting}|${name}`, passed: type === 'test:pass', reason })}\n`;
  }
};
