import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { graphOf } from "../../dialogs/index.ts";
import { libraryFlows, libraryScreens } from "../../dialogs/testing/library.ts";
import { menu, parcel } from "../../dialogs/testing/parcel.ts";
import { modules } from "../../modules.ts";
import { run } from "../main.ts";
import { flowsCommand } from "./flows.ts";

function aTerminal() {
  const lines = { out: [] as string[], err: [] as string[] };
  const terminal = {
    environment: {},
    out: (text: string) => void lines.out.push(text),
    err: (text: string) => void lines.err.push(text),
    isTerminal: false,
  };
  return { terminal, out: () => lines.out.join("\n"), err: () => lines.err.join("\n") };
}

const library = [{ name: "library", screens: libraryScreens, flows: libraryFlows }];

async function flows(...args: string[]) {
  const { terminal, out, err } = aTerminal();
  const program = new Command("molva").exitOverride().configureOutput({ writeErr: terminal.err });
  flowsCommand([menu, parcel, ...libraryFlows], library)(program, { ...terminal, settings: [] });
  for (const command of program.commands) command.exitOverride().configureOutput(program.configureOutput());
  await program.parseAsync(["flows", ...args], { from: "user" }).catch(() => undefined);
  return { out: out(), err: err() };
}

describe("molva flows", () => {
  it("prints every way through every flow", async () => {
    const { out } = await flows();
    expect(out).toContain("Menu (the menu)\n  begins\n    /start → menu\n");
    expect(out).toContain("  ordering (works)\n    done → @end\n    done → flow:Menu\n    failed → confirm");
  });

  it("prints one of them, as a diagram too", async () => {
    const { out } = await flows("Parcel", "--mermaid");
    expect(out).toMatch(/^stateDiagram-v2\n/);
    expect(out).toContain("[*] --> size : /parcel");
    expect(out).not.toContain("Menu : /start");
  });

  it("prints everything of a module by its name", async () => {
    const { out } = await flows("library");
    expect(out).toContain("BookRename");
    expect(out).toContain("Screens\n");
    expect(out).not.toContain("Parcel");
  });

  it("gives machines the graph", async () => {
    const { out } = await flows("--json");
    expect(JSON.parse(out)).toMatchObject({
      flows: [menu, parcel, ...libraryFlows].map((each) => graphOf<never>(each)),
      screens: libraryScreens.map(({ path, to }) => ({ module: "library", path, to })),
    });
  });

  it("prints the screens of a module under its name", async () => {
    const { out } = await flows("library");
    expect(out).toContain("Screens\n  dashboard /start\n    → page:books:{page}\n");
    expect((await flows("library", "--mermaid")).out).toContain("  book_new --> flow_BookCreate");
  });

  it("names the flows it knows when it does not know one", async () => {
    expect((await flows("Nobody")).err).toContain(
      "There is no flow Nobody. Known: Menu, Parcel, BookCreate, BookRename, Print, library.",
    );
  });

  it("knows the flows of this installation's bots, and exits with 2 for another", async () => {
    const { terminal, out, err } = aTerminal();
    expect(await run(["flows", "--json"], terminal)).toBe(0);
    expect(JSON.parse(out())).toMatchObject({
      flows: modules.flatMap(({ flows }) => flows ?? []).map(graphOf),
    });
    expect(await run(["flows", "Nobody"], terminal)).toBe(2);
    expect(err()).toContain("There is no flow Nobody.");
  });
});
