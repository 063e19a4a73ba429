// Draws docs/architecture.png from docs/architecture.svg at twice its size, so that it stays sharp.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runnerImport } from "vite";
import { root } from "./setup/root.js";

const source = readFileSync(join(root, "docs", "architecture.svg"), "utf8");
const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(source) ?? [];
if (!width || !height) throw new Error('docs/architecture.svg needs a viewBox="0 0 width height"');

// The helper is TypeScript, which Node 20 cannot read by itself.
const { module } = await runnerImport(join(root, "tests", "support", "browser.ts"), {
  configFile: false,
  logLevel: "error",
});
const browser = await module.launchBrowser();
try {
  const page = await browser.newPage({
    viewport: { width: Number(width), height: Number(height) },
    deviceScaleFactor: 2,
  });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${source}`);
  await page.screenshot({ path: join(root, "docs", "architecture.png") });
  console.log("docs/architecture.png");
} finally {
  await browser.close();
}
