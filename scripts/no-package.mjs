// `npm pack` in the repository's own folder would make a package of all of it.
console.error(
  'The repository is no package: `npm pack --workspace nonstop` packs Nonstop, `npm run pack:lab` the lab.',
);
process.exitCode = 1;
