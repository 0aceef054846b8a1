import { readCommandLine } from './lib/command-line.mjs';
import { compile, compilePackage } from './lib/compile.mjs';
import { main } from './lib/main.mjs';
import { writePackage } from './lib/package-folder.mjs';
import { fromCaller } from './lib/paths.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm run build                            the package, the lab and the tests
npm run build -- --express4 FOLDER       the package alone, and a folder to publish as nonstop@4, whose main export is Express 4`;

await main(async () => {
  const { values } = readCommandLine(usage, { express4: { type: 'string' } });
  await setup(console.log);
  await compilePackage();
  if (values.express4 !== undefined) {
    const folder = fromCaller(String(values.express4));
    console.log(`nonstop ${writePackage(folder, { express: 4 })} is in ${folder}`);
    return;
  }
  await compile('packages/lab/tsconfig.json');
  await compile('tsconfig.tests.json');
});
