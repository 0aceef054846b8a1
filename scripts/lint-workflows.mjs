// npm run lint:workflows: actionlint, a Go module, over .github/workflows.
import path from 'node:path';
import { main } from './lib/main.mjs';
import { run } from './lib/run.mjs';

const actionlint = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

await main(async () => {
  // go.dev's archive installs Go there, which is not always on the path.
  const PATH = `${process.env['PATH']}${path.delimiter}/usr/local/go/bin`;
  const { code } = await run('go', ['run', actionlint], { env: { ...process.env, PATH }, echo: true }).catch(
    (cause) => {
      throw new Error('actionlint needs Go: https://go.dev/dl', { cause });
    },
  );
  process.exitCode = code ?? 1;
});
