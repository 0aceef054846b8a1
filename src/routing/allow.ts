import type { Next, RoutedResponse } from './shapes.js';

/** Answers OPTIONS with the methods of the routes that matched (RFC 9110 §9.3.7). An error in that goes to `next`. */
export function answerOptions(res: RoutedResponse, methods: readonly string[], next: Next): void {
  const allow = [...new Set(methods)].sort().join(', ');
  try {
    res.setHeader('Allow', allow);
    res.setHeader('Content-Length', Buffer.byteLength(allow));
    res.setHeader('Content-Type', 'text/plain');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.end(allow);
  } catch (error) {
    next(error);
  }
}
