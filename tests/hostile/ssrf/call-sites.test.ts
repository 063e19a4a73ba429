import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../../src/kernel/paths/index.ts";
import { callSites, signs } from "./call-sites.ts";
import { webDoors } from "./doors.ts";

const source = join(projectRoot, "src");
/** The guarded client and the one for providers: what every other file should use. */
const theClients = /^kernel\/outbound\//;

it("knows every file that reaches the network, and whose address each of them follows", () => {
  const found = readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|\/testing\/|\.contract\.ts$/.test(file))
    .filter((file) => !theClients.test(file) && reachesTheNetwork(file));
  expect(found.toSorted()).toEqual(Object.keys(callSites).toSorted());
});

it("tries every door that has a file of its own", () => {
  const doors = Object.values(callSites).flatMap((site) => ("door" in site ? [site.door] : []));
  const apart = ["a database", "an account's proxy"];
  expect(doors.filter((door) => !apart.includes(door) && !(door in webDoors))).toEqual([]);
});

function reachesTheNetwork(file: string): boolean {
  const text = readFileSync(join(source, file), "utf8");
  return signs.some((sign) => sign.test(text));
}
