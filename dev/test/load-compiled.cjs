// AVA names a test file by its source. Its process loads what compile-tests.mjs made of that source.
const { join, relative } = require('node:path');
const { pathToFileURL } = require('node:url');

module.exports = (projectFolder, compiledFolder) => {
  // AVA awaits what it requires.
  require.extensions['.ts'] = (module, source) => {
    const compiled = relative(projectFolder, source).replace(/\.ts$/, '.js');
    module.exports = import(pathToFileURL(join(compiledFolder, compiled)).href);
  };
};
