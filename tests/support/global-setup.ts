import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server that every test file makes its own database on. */
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.MOLVA_TEST_DATABASE_URL;
  if (!given) throw new Error("MOLVA_TEST_DATABASE_URL is not set");
  project.provide("postgresUrl", given);
  return async () => {};
}
