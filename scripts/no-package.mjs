// `npm pack` in the repository's root would pack the whole repository.
console.error(
  'This repository is not a package: `npm pack --workspace nonstop` packs Nonstop, `npm run pack:lab` the lab.',
);
process.exitCode = 1;
