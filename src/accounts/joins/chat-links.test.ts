import { describe, expect, it } from "vitest";
import { linkOf, readLinks } from "./chat-links.ts";

describe("a link to a chat", () => {
  it.each([
    ["https://t.me/rent_msk", "https://t.me/rent_msk"],
    ["t.me/rent_msk", "https://t.me/rent_msk"],
    ["http://www.telegram.me/Rent_Msk/", "https://t.me/Rent_Msk"],
    ["https://t.me/rent_msk/1204?single", "https://t.me/rent_msk"],
    ["https://t.me/s/rent_msk", "https://t.me/rent_msk"],
    ["https://t.me/+AbCdEf-12_34", "https://t.me/+AbCdEf-12_34"],
    ["https://t.me/joinchat/AbCdEf-12_34", "https://t.me/+AbCdEf-12_34"],
  ])("is read from %s", (written, link) => {
    expect(linkOf(written)).toBe(link);
  });

  it.each([
    "@rent_msk",
    "rent_msk",
    "https://vk.com/rent_msk",
    "https://t.me/",
    "https://t.me/c/1234567890/15",
    "https://t.me/addlist/AbCdEf12345",
    "https://t.me/share/url?url=x",
    "https://t.me/1abc",
    "https://t.me/+short",
    "https://not-t.me/rent_msk",
    "смотри https://t.me/rent_msk",
  ])("is not %s", (written) => {
    expect(linkOf(written)).toBeUndefined();
  });
});

describe("a list of links", () => {
  it("keeps their order, each once, and names the lines that are none", () => {
    const text =
      "Аренда:\r\nt.me/rent_msk\n\n  https://t.me/+AbCdEf-12_34  \nhttps://t.me/RENT_msk\nт.ми/чат";
    expect(readLinks(text)).toEqual({
      links: ["https://t.me/rent_msk", "https://t.me/+AbCdEf-12_34"],
      ignored: [
        { line: 1, text: "Аренда:" },
        { line: 6, text: "т.ми/чат" },
      ],
    });
  });

  it("tells invitations apart by their case", () => {
    expect(readLinks("t.me/+AbCdEf-12_34\nt.me/+abcdef-12_34").links).toHaveLength(2);
  });
});
