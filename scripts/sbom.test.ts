import { describe, expect, it } from "vitest";
import { z } from "zod";
import { installedPackages } from "./licences.js";
import { readLock, renderSbom } from "./sbom.js";

/** The fields of CycloneDX 1.5 that are used, as strict as its schema. */
const component = z.strictObject({
  "bom-ref": z.string().min(1),
  type: z.enum(["application", "library"]),
  name: z.string().min(1),
  version: z.string().min(1),
  scope: z.enum(["required", "optional", "excluded"]).optional(),
  purl: z.string().regex(/^pkg:npm\/(%40[^/@]+\/)?[^/@]+@[^/@]+$/),
  hashes: z
    .array(
      z.strictObject({
        alg: z.enum(["SHA-1", "SHA-256", "SHA-384", "SHA-512"]),
        content: z.string().regex(/^([a-f0-9]{40}|[a-f0-9]{64}|[a-f0-9]{96}|[a-f0-9]{128})$/),
      }),
    )
    .optional(),
  licenses: z
    .array(
      z.union([
        z.strictObject({ license: z.strictObject({ id: z.string() }) }),
        z.strictObject({ expression: z.string() }),
      ]),
    )
    .optional(),
  properties: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
});
const bill = z.strictObject({
  $schema: z.literal("http://cyclonedx.org/schema/bom-1.5.schema.json"),
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.5"),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  version: z.literal(1),
  metadata: z.strictObject({ component, properties: component.shape.properties }),
  components: z.array(component),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const parts = ["production", "development"] as const;

describe("the bill of materials", () => {
  it.each(parts)("of %s has the shape of CycloneDX 1.5, and every reference leads to a package", (part) => {
    const { metadata, components, dependencies } = bill.parse(renderSbom(part));
    const refs = [metadata.component, ...components].map((one) => one["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    expect(dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort());
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual(
      [],
    );
  });

  it("names every package of the lock file once: what an installation uses apart from what only builds and tests use", () => {
    const locked = (dev: boolean) =>
      installedPackages()
        .filter((one) => one.dev === dev)
        .map(({ name, version }) => `${name}@${version}`);
    const billed = (part: (typeof parts)[number]) => renderSbom(part).components.map((one) => one["bom-ref"]);
    expect(billed("production").sort()).toEqual(locked(false).sort());
    expect(billed("development").sort()).toEqual(locked(true).sort());
    // Shared with development: the ones that a bill by npm itself leaves out.
    expect(billed("production").map((ref) => ref.replace(/@[^@]+$/, ""))).toEqual(
      expect.arrayContaining(["ioredis", "yaml", "pg"]),
    );
  });

  it("has the checksum and the licence of every package, and what depends on what", () => {
    const { components, dependencies } = renderSbom("production");
    for (const one of components) expect(one, one.name).toMatchObject({ hashes: [{}], licenses: [{}] });
    const { packages } = readLock();
    const direct = dependencies.find(({ ref }) => ref.startsWith("molva@"))?.dependsOn ?? [];
    expect(direct.map((ref) => ref.replace(/@[^@]+$/, "")).sort()).toEqual(
      Object.keys(packages[""]?.dependencies ?? {}).sort(),
    );
  });

  it("is the same for the same lock file, in every byte, and has another serial number for another", () => {
    const lock = readLock();
    expect(JSON.stringify(renderSbom("production", lock))).toBe(JSON.stringify(renderSbom("production")));
    const other = { packages: { ...lock.packages, "node_modules/new": { version: "1.0.0" } } };
    expect(renderSbom("production", other).serialNumber).not.toBe(renderSbom("production").serialNumber);
  });

  it("finds the package that a folder of its own hides from others", () => {
    const lock = {
      packages: {
        "": { name: "app", version: "1.0.0", dependencies: { a: "*", b: "*" } },
        "node_modules/a": { version: "1.0.0", dependencies: { b: "1" } },
        "node_modules/a/node_modules/b": { version: "1.0.0" },
        "node_modules/b": { version: "2.0.0" },
      },
    };
    expect(renderSbom("production", lock).dependencies).toEqual([
      { ref: "a@1.0.0", dependsOn: ["b@1.0.0"] },
      { ref: "app@1.0.0", dependsOn: ["a@1.0.0", "b@2.0.0"] },
      { ref: "b@1.0.0", dependsOn: [] },
      { ref: "b@2.0.0", dependsOn: [] },
    ]);
  });
});
