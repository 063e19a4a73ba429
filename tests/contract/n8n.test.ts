import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { readWorkflow, workflowNames } from "../support/n8n/workflow.ts";

/** The exports as files: reading one refuses every node, version, parameter and setting that ours do not need. */
const workflows = workflowNames.map((name) => ({ name, workflow: readWorkflow(name) }));

// covers autoposting: Components
it("there are the document's six workflows and its two adapters", () => {
  expect([...workflowNames].sort()).toEqual([
    "01_ingest",
    "02_dispatcher",
    "03_monitor",
    "11_bot_ingest",
    "12_bot_engine",
    "13_bot_monitor",
    "adapter_max",
    "adapter_telegram",
  ]);
});

it("each has a name and an id of its own, by which n8n imports it and others call it", () => {
  const ids = workflows.map(({ workflow }) => workflow.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { name, workflow } of workflows) expect(workflow.name).toBe(name);
  const calls = workflows.flatMap(({ workflow }) =>
    workflow.nodes.filter(({ kind }) => kind === "executeWorkflow"),
  );
  expect(calls.map(({ parameters }) => Object(parameters.workflowId).value).sort()).toEqual([
    "molva-12-bot-engine",
    "molva-adapter-max",
    "molva-adapter-telegram",
  ]);
  for (const { parameters } of calls) expect(ids).toContain(Object(parameters.workflowId).value);
});

// covers autoposting: Components
it.each(workflows)("$name waits for nothing, and every way in it leads on", ({ workflow }) => {
  const { nodes, connections } = workflow;
  const names = nodes.map((node) => node.name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
  expect(nodes.filter(({ type }) => type.endsWith(".wait"))).toEqual([]);
  const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
  expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
  const starts = nodes.filter(({ kind }) => /webhook$|Trigger$/.test(kind)).map((node) => node.name);
  expect(names.toSorted()).toEqual([...new Set([...starts, ...targets])].sort());
});

it.each(workflows)("$name keeps no secret, and is opened by nobody without one", ({ workflow }) => {
  const { nodes } = workflow;
  expect(JSON.stringify(workflow)).not.toMatch(/mlv_|MOLVA_BOT_SECRET|molva-demo/);
  for (const { name, kind, parameters, credentials } of nodes) {
    const needs = kind === "postgres" ? "postgres" : "httpHeaderAuth";
    if (kind === "postgres" || parameters.authentication)
      expect(credentials[needs], name).toMatchObject({ id: expect.stringMatching(/^molva-/) });
    // Molva itself judges what these bring.
    if (kind === "webhook" && !["wf01-ingest-push", "wf11-bot-ingest"].includes(String(parameters.path)))
      expect(parameters.authentication, name).toBe("headerAuth");
  }
});

it("the credentials to fill in are those that the nodes ask for, under the same ids and names", () => {
  const file = join(projectRoot, "workflows", "credentials", "credentials.json");
  const given: { id: string; name: string; type: string }[] = JSON.parse(readFileSync(file, "utf8"));
  const asked = workflows
    .flatMap(({ workflow }) => workflow.nodes)
    .flatMap(({ credentials }) => Object.entries(credentials).map(([type, named]) => ({ ...named, type })));
  for (const each of asked) expect(given).toContainEqual(expect.objectContaining(each));
  for (const { id } of given) expect(asked.map((each) => each.id)).toContain(id);
});
