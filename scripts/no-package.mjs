// `npm pack` in the repository's root would pack the whole repository.
console.error(
  'The repository is no package: `npm pack --workspace nonstop` packs Nonstop, `npm run pack:lab` the lab.',
);
process.exitCode = 1;
