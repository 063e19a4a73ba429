import { type Browser, chromium } from "playwright-core";
import { ensureChromium, type FoundChromium } from "./chromium.js";

/** Headless in a container, as root, with no network but loopback: no sandbox, and no calls home. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--no-zygote",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--font-render-hinting=none",
] as const;

/** A real browser; close it when done. Its profile is new and deleted with it. */
export async function launchBrowser(found?: FoundChromium): Promise<Browser> {
  const { executablePath, env } = found ?? (await ensureChromium());
  return chromium.launch({
    executablePath,
    args: [...flags],
    chromiumSandbox: false,
    env: { ...environment(), ...env },
  });
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
