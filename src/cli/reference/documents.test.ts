import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../kernel/paths/index.ts";
import type { World } from "../../terminal/index.ts";
import { allOf, createProgram } from "../main.ts";

const page = (path: string) => readFileSync(join(projectRoot, "docs/reference", path), "utf8");
const silent: World = { environment: {}, out: () => {}, err: () => {}, isTerminal: false };

/** Commands that do something, each as `["alert", "target", "add"]`. */
const leaves = allOf(createProgram(silent)).filter(({ commands }) => commands.length === 0);

function wordsOf(command: Command): string[] {
  return command.parent ? [...wordsOf(command.parent), command.name()] : [];
}

/** Options that are explained once for all commands. */
const common = ["--json", "--workspace", "--reason", "--help", "--version"];

describe("docs/reference/cli.md", () => {
  const lines = page("cli.md").split("\n");

  it.each(leaves.map((command) => [wordsOf(command).join(" "), command] as const))(
    "has molva %s",
    (_, command) => {
      const words = wordsOf(command);
      const verb = words.pop() ?? "";
      const group = ["`molva", ...words].join(" ");
      const named = new RegExp(`(${group} |\`)${verb}\\b`);
      const about = lines.filter((line) => line.includes(group) && named.test(line));
      expect(about).not.toEqual([]);
    },
  );

  it("has every option", () => {
    const options = leaves.flatMap((command) =>
      command.options.map(({ long }) => [wordsOf(command).join(" "), long ?? ""] as const),
    );
    const missing = options.filter(
      ([, long]) => !common.includes(long) && !lines.some((line) => line.includes(`\`${long}`)),
    );
    expect(missing).toEqual([]);
  });
});

describe("every command", () => {
  it("takes secrets from files and standard input only", () => {
    const typed = leaves.flatMap((command) =>
      command.options
        .filter(({ long }) => /(secret|token|password|proxy|key|session)$/.test(long ?? ""))
        // A policy's key is its name, and a flag has no value.
        .filter(({ long, required }) => required && long !== "--key")
        .map(({ long }) => `${wordsOf(command).join(" ")} ${long}`),
    );
    expect(typed).toEqual([]);
  });

  it.each(leaves.map((command) => [wordsOf(command).join(" "), command] as const))(
    "explains molva %s",
    (_, command) => {
      expect(command.description()).not.toBe("");
      for (const { flags, description } of command.options)
        expect({ flags, description }).not.toMatchObject({ description: "" });
      for (const argument of command.registeredArguments)
        expect({ name: argument.name(), says: argument.description }).not.toMatchObject({ says: "" });
    },
  );
});

describe("docs/reference/http.md", () => {
  it("has every route of openapi.json, and no other", () => {
    const { paths }: { paths: Record<string, object> } = JSON.parse(page("openapi.json"));
    const routes = Object.entries(paths)
      .filter(([path]) => path.startsWith("/api/v1/") && !path.includes("*"))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(7)}`),
      );
    const told = [...page("http.md").matchAll(/^\| `([A-Z]+ \/[^`]*)` \|/gm)]
      .flatMap(([, route]) => route ?? [])
      .filter((route) => !/…|\/api\/v1/.test(route));
    expect(told.toSorted()).toEqual(routes.toSorted());
  });
});
