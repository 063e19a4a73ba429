import { expect, it } from "vitest";
import { expectLinearWork } from "./work.ts";

const text = (share: number) => "x".repeat(Math.floor(12_000 * share));

it("lets work pass that grows with the length of a text, whatever one character costs", async () => {
  await expectLinearWork(text, (given) => turns(given.length * 2_000));
});

it("stops work that grows with the square of the length", async () => {
  await expect(expectLinearWork(text, (given) => turns(given.length ** 2))).rejects.toThrow("grows faster");
});

it("stops work that grows with the square where a small text hardly shows it", async () => {
  const mixed = (given: string) => turns(given.length ** 2 + given.length * 1_500);
  await expect(expectLinearWork(text, mixed)).rejects.toThrow("grows faster");
});

function turns(count: number): number {
  let sum = 0;
  for (let turn = 0; turn < count; turn++) sum = (sum + turn) % 1_000_003;
  return sum;
}
