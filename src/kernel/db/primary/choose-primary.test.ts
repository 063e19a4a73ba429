import { expect, it } from "vitest";
import type { DatabaseHost } from "../../url/index.ts";
import { type HostAnswer, mayBecomePrimary, NoPrimaryError, primariesAmong } from "./choose-primary.ts";

const hosts = { one: { host: "db1", port: 5432 }, other: { host: "db2", port: 5433 } };
const system = "7412345678901234567";
const writable = (host: DatabaseHost, timeline: number): HostAnswer => ({
  kind: "writable",
  host,
  system,
  timeline,
});
const readOnly = (host: DatabaseHost): HostAnswer => ({ kind: "readOnly", host });
const failed = (host: DatabaseHost, code: string): HostAnswer => ({
  ...{ kind: "failed", host },
  error: Object.assign(new Error(`it is ${code}`), { code }),
});

it.each<[string, readonly HostAnswer[], number, readonly DatabaseHost[]]>([
  ["the only one that takes writes", [readOnly(hosts.one), writable(hosts.other, 1)], 0, [hosts.other]],
  ["the one that was promoted last", [writable(hosts.one, 1), writable(hosts.other, 2)], 0, [hosts.other]],
  ["both that lead to it", [writable(hosts.one, 2), writable(hosts.other, 2)], 2, [hosts.one, hosts.other]],
  ["no primary of the past that came back", [writable(hosts.one, 1), readOnly(hosts.other)], 2, []],
  ["none, if none takes writes", [readOnly(hosts.one), failed(hosts.other, "ECONNREFUSED")], 0, []],
])("chooses %s", (_, answers, seen, expected) => {
  expect(primariesAmong(answers, () => seen).map(({ host }) => host)).toEqual(expected);
});

it("waits for a standby and for a server that starts, not for one that is away or refuses", () => {
  const answers = [
    readOnly(hosts.one),
    failed(hosts.one, "57P03"),
    failed(hosts.one, "ECONNREFUSED"),
    failed(hosts.one, "28P01"),
  ];
  expect(answers.map(mayBecomePrimary)).toEqual([true, true, false, false]);
});

it("says of every host why it is not the one", () => {
  expect(new NoPrimaryError([readOnly(hosts.one), failed(hosts.other, "ECONNREFUSED")]).message).toBe(
    "no host of the database takes writes: db1:5432 is a standby; db2:5433 does not answer (it is ECONNREFUSED)",
  );
  expect(new NoPrimaryError([writable(hosts.one, 1)]).message).toContain("db1:5432 is an old primary");
});
