import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // Relative addresses: the page works wherever the coordinator puts it.
  base: './',
  // While one works on the page: the address of a running `npm run lab -- crud`.
  server: { host: '127.0.0.1', proxy: { '/api': process.env['CRUD'] ?? 'http://127.0.0.1:3000' } },
  build: { outDir: 'dist', emptyOutDir: true },
});
