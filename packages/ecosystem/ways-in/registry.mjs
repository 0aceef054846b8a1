import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

/**
 * A local registry with a few packages. It redirects requests for other packages to npm's registry.
 * @param {{ manifest: Record<string, any>, tarball: string }[]} packages may include several versions of one name
 * @param {string} upstream address of npm's registry
 */
export async function openRegistry(packages, upstream) {
  const server = createServer((req, res) => {
    const target = decodeURIComponent(String(req.url).split('?')[0].slice(1));
    const tarball = packages.find((each) => `tarballs/${path.basename(each.tarball)}` === target);
    const versions = packages.filter(({ manifest }) => manifest.name === target);
    if (tarball !== undefined) return res.end(readFileSync(tarball.tarball));
    if (versions.length === 0)
      return res.writeHead(302, { Location: new URL(String(req.url).slice(1), upstream).href }).end();
    res.setHeader('Content-Type', 'application/json');
    return res.end(JSON.stringify(describe(target, versions, `http://${req.headers.host}/tarballs/`)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * A registry's metadata of a package.
 * @param {string} name
 * @param {{ manifest: Record<string, any>, tarball: string }[]} versions
 * @param {string} folder address of the tarballs
 */
function describe(name, versions, folder) {
  const all = versions.map(({ manifest, tarball }) => {
    const bytes = readFileSync(tarball);
    const shasum = createHash('sha1').update(bytes).digest('hex');
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    return [manifest.version, { ...manifest, dist: { tarball: folder + path.basename(tarball), shasum, integrity } }];
  });
  return { name, 'dist-tags': { latest: all[0][0] }, versions: Object.fromEntries(all) };
}
