// The command line in a few files: loading two thousand modules one by one takes longer than most commands do.
import { root } from "./root.js";

/**
 * Packages that are plain JavaScript go into the bundle, too. The others stay outside: they are native, read files beside their code,
 * or load parts of themselves by name.
 */
const bundled = [
  ...["zod", "undici", "yaml", "commander", "liquidjs", "parse5", "entities", "semver", "prom-client"],
  ...["read-excel-file", "write-excel-file", "@opentelemetry/api", "ai", "@ai-sdk", "@openrouter"],
  ...["unified", "remark", "rehype", "mdast", "micromark", "hast", "unist", "property-information"],
].map((name) => new RegExp(`^${name}([/-]|$)`));

export default {
  root,
  publicDir: false,
  ssr: { noExternal: bundled },
  build: { ssr: "src/cli/main.ts", outDir: "dist/molva", target: "node20", sourcemap: true, minify: false },
};
