// npm runs this before `npm pack` and `npm publish` of packages/nonstop: the published dist/ is always built from these
// sources.
import { compilePackage } from './lib/compile.mjs';
import { main } from './lib/main.mjs';
import { setup } from './lib/setup.mjs';

await main(async () => {
  // On stderr: `npm pack --json` answers on stdout.
  await setup(console.error);
  await compilePackage();
});
