import { describe, expect, test } from "vitest";
import { ru } from "../../texts/ru.ts";
import { arrivalIn } from "./use-arrival.ts";

const at = (address: string) => arrivalIn(new URL(address, "http://molva.example"), ru);

describe("who comes back from the provider", () => {
  test("has a second step to make", () => {
    expect(at("/signin#second_step=abc&return=%2Ftokens")).toEqual({
      ...{ challenge: "abc", returnTo: "/tokens", refused: null },
    });
  });

  test("is told why they were not let in, in known words only", () => {
    expect(at("/signin?refused=domain").refused).toBe("domain");
    expect(at("/signin?refused=toString").refused).toBe("failed");
    expect(at("/?refused=domain").refused).toBeNull();
  });

  test("is led to no other site", () => {
    for (const path of ["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example"])
      expect(at(`/signin#second_step=a&return=${encodeURIComponent(path)}`).returnTo).toBe("/");
  });

  test("is no bearer of a one-time link", () => {
    expect(at("/signin#abc").challenge).toBeNull();
  });
});
