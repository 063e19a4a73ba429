import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { longest, slow } from "./slow.ts";

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ moduleId, project }: TestSpecification) => {
      const path = relative(project.config.root, moduleId);
      const place = longest.findIndex((beginning) => path.startsWith(beginning));
      if (place >= 0) return place;
      return longest.length + (slow.some((beginning) => path.startsWith(beginning)) ? 0 : 1);
    };
    return (await super.sort(files)).toSorted((one, another) => turn(one) - turn(another));
  }
}
