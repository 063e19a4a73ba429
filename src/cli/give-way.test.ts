import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { builtScript } from "../../tests/support/built-script.ts";
import { projectRoot } from "../kernel/paths/index.ts";

const run = promisify(execFile);

/** The priority of a process of its own that plays these roles. */
async function priorityOf(...roles: string[]): Promise<number> {
  const module = await builtScript(`${projectRoot}/src/cli/give-way.ts`);
  const code = `
    import { getPriority } from "node:os";
    const { giveWay } = await import(${JSON.stringify(`file://${module}`)});
    giveWay(${JSON.stringify(roles)});
    console.log(getPriority());`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code]);
  return Number(stdout);
}

it("a process gives way only if nobody waits for what it does", async () => {
  const usual = await priorityOf("api", "jobs", "monitor");
  expect(await priorityOf("bots")).toBe(usual);
  expect(await priorityOf("jobs", "monitor")).toBe(10);
});
