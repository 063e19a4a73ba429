// The command line in a few files: loading seven hundred modules one by one takes longer than most commands do.
import { root } from "./root.js";

export default {
  root,
  publicDir: false,
  build: { ssr: "src/cli/main.ts", outDir: "dist/molva", target: "node20", sourcemap: true, minify: false },
};
