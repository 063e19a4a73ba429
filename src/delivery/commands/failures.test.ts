import { describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { aChannel, enqueue } from "../testing/builders.ts";
import { addFailures } from "./failures.ts";

const harness = cliHarness({
  home: tempFolder("cli-failures"),
  openDatabase: testDatabase,
  commands: { failures: addFailures },
});
const { molva, json } = harness;

describe("molva failures", () => {
  it("tells by cause what failed and what helps", async () => {
    expect((await molva("failures")).out).toBe("Nothing failed.");
    await aChannel(harness.sql, harness.workspace, { send_mode: "media" });
    await enqueue(harness.sql, harness.workspace, "Без картинки");
    const { out } = await molva("failures", "--since", "1h");
    expect(out).toMatch(/the post +1 +1 +validation_failed: the channel takes posts with media only +look/);
    expect(out).toContain("look: Look at the error: only a person can tell.");
    expect(await json("failures")).toMatchObject({
      truncated: false,
      groups: [{ code: "validation_failed", cause: { kind: "post" }, again: "requeue" }],
    });
    expect((await molva("failures", "--since", "yesterday")).code).toBe(2);
  });
});
