// Runs in node's loader thread, on nodes without module.registerHooks (before 22.15). It shares no memory with the
// application, so it is told by message what to redirect, and where to.
import type { InitializeHook, ResolveHook } from 'node:module';

interface Redirection {
  readonly specifier: string;
  readonly url: string;
}

let redirection: Redirection | undefined;

export const initialize: InitializeHook<Redirection> = (data) => {
  redirection = data;
};

export const resolve: ResolveHook = (specifier, context, next) =>
  specifier === redirection?.specifier && context.conditions.includes('import')
    ? { url: redirection.url, format: 'module', shortCircuit: true }
    : next(specifier, context);
