import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { slow } from "./slow.ts";

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId, project }: TestSpecification) =>
      slow.some((beginning) => relative(project.config.root, moduleId).startsWith(beginning));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
