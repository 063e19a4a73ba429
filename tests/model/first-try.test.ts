import { describe, expect, it } from "vitest";

describe("a storm or a model that fails", () => {
  it("is not tried again", ({ task }) => {
    expect(task.retry).toBe(0);
  });
});
