// Builds the server and the pages whether or not anything changed.
import { build } from "./setup/build.js";
import { runSetup } from "./setup/main.js";

await runSetup((deps) => build({ ...deps, force: true }));
