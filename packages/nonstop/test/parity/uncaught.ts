/** How long an answer may still take after an uncaught error, in milliseconds: the error was most likely that of its handler. */
const GRACE_MS = 300;

/** @returns its first line. V8 names the source text that is not a function, such as `req.url.slice`, and that is not the same in two programs. */
function textOf(error: unknown): string {
  const [line = ''] = String(error).split('\n');
  return error instanceof TypeError
    ? line.replace(/^TypeError: .* is not a function$/, 'TypeError: … is not a function')
    : line;
}

/**
 * The uncaught errors of the process, which do not end it. Each would end a program, so that it counts as much as an answer. Which side has
 * caused one is known if the sides are played one after another.
 */
export class Uncaught {
  /** The number of errors so far. */
  count = 0;
  private errors: string[] = [];
  private readonly hearing = new Set<() => void>();

  constructor() {
    process.setUncaughtExceptionCaptureCallback((error: unknown) => {
      this.count++;
      this.errors.push(`uncaught: ${textOf(error)}`);
      for (const hear of this.hearing) hear();
    });
  }

  stop(): void {
    process.setUncaughtExceptionCaptureCallback(null);
  }

  /** @returns the errors since the last call, each text once */
  async take(): Promise<string[]> {
    // Those of the ticks behind an answer.
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    const taken = [...new Set(this.errors)];
    this.errors = [];
    return taken;
  }

  /**
   * @param since the number of errors before what the promise waits for
   * @returns undefined if the promise is rejected, or does not give anything soon after an uncaught error
   */
  async orGivenUp<T>(promise: Promise<T>, since: number): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    let hear = (): void => undefined;
    const givenUp = new Promise<undefined>((resolve) => {
      hear = () => {
        timer ??= setTimeout(resolve, GRACE_MS, undefined);
      };
    });
    this.hearing.add(hear);
    if (this.count > since) hear();
    try {
      return await Promise.race([promise.catch(() => undefined), givenUp]);
    } finally {
      this.hearing.delete(hear);
      clearTimeout(timer);
    }
  }
}
