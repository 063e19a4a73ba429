// Makes the clone ready: installs and builds what is missing. `--test` also provides a browser, `--quiet` prints only to a
// terminal.
// Every Node must be able to read this file, so that a too old one gets a sentence: old syntax only, no import
// statement, and import() hidden in a string.
var version = process.versions.node;
var numbers = version.split(".").map(Number);
if (numbers[0] > 20 || (numbers[0] === 20 && numbers[1] >= 19)) {
  new Function('return import("./setup/main.js")')().then((loaded) => loaded.main());
} else {
  console.error(`Molva needs Node.js 20.19 or newer and this is ${version}; see https://nodejs.org.`);
  process.exitCode = 1;
}
