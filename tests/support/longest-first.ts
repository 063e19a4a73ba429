import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These start processes or storms; begun last, one of them would go on alone when all the others are done. */
const long =
  /\/tests\/(?:chaos|e2e|model)\/|\/scripts\/setup\/|\/kernel\/postgres\/|\/(?:shopbot|accounts)\/work\//;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
