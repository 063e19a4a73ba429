// Writes every committed file that is generated from the code. `--check` writes nothing and fails if one is stale.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { coveragePages } from "./coverage.js";
import { licencesFile, renderLicences } from "./licences.js";
import { runSetup, setUp } from "./setup/main.js";
import { root } from "./setup/root.js";

await runSetup(async (deps) => {
  await setUp(deps);
  // Only now: before the setup there may be nothing built to import.
  const { generatedFiles, generatedSql, staleFiles } = await import("../dist/src/cli/reference/files.js");
  const checking = process.argv.includes("--check");
  const staleSql = await staleFiles(generatedSql());
  if (!checking && staleSql.length > 0) write(staleSql, generatedSql());
  const files = {
    ...(await withServer((url) => withMigratedDatabase(url, generatedFiles))),
    [licencesFile]: renderLicences(),
    ...coveragePages(),
  };
  const stale = await staleFiles(files);
  if (checking) refuse(stale);
  else write(stale, files);
});

function refuse(stale) {
  for (const path of stale) console.error(`${path} is stale: run \`npm run generate\``);
  process.exitCode = stale.length > 0 ? 1 : 0;
}

function write(stale, files) {
  for (const path of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), files[path]);
    console.log(`wrote ${path}`);
  }
  if (stale.length === 0) console.log("everything is up to date");
}

/** The server that tests would use, or one for this script only. */
async function withServer(work) {
  const given = process.env.MOLVA_TEST_DATABASE_URL;
  if (given) return work(given);
  const { removeEmbeddedPostgres, startEmbeddedPostgres } = await import(
    "../dist/src/kernel/postgres/index.js"
  );
  const home = mkdtempSync(join(realpathSync(tmpdir()), "molva-generate-"));
  // The user that PostgreSQL runs as must be able to enter the folder.
  if (process.getuid?.() === 0) chmodSync(home, 0o711);
  const server = await startEmbeddedPostgres({ home });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
    await removeEmbeddedPostgres(home);
    rmSync(home, { recursive: true, force: true });
  }
}

async function withMigratedDatabase(serverUrl, work) {
  const { connect, migrate, readMigrationSources } = await import("../dist/src/kernel/db/index.js");
  const name = `molva_generate_${randomBytes(6).toString("hex")}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const admin = connect({ url: serverUrl, max: 1 });
  const sql = connect({ url: url.href, max: 2 });
  try {
    await admin.unsafe(`create database ${name}`);
    await migrate(sql, await readMigrationSources());
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end({ timeout: 5 });
  }
}
