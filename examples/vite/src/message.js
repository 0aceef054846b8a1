export const message = 'Hello from the server';
