// The command line from the bundle that `npm run dev` makes.
import { run } from "../../dist/dev/main.js";

process.exitCode = await run(process.argv.slice(2));
