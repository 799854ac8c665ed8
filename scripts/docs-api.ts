import { apiSections } from "./api-sections.ts";
import { code } from "./docs-table.ts";
import { readPackages, type Declaration, type Entry, type Package } from "./read-exports.ts";

export interface ApiPage {
  readonly path: string;
  readonly make: () => string;
}

const pathOf = ({ folder }: Package): string => `docs/reference/api/${folder}.md`;

/** A page a package under `docs/reference/api`: every export with its sentence and signature. */
export const apiPages = (): readonly ApiPage[] => {
  const packages = readPackages();
  return packages.map((one) => ({
    path: pathOf(one),
    make: () => {
      const anchor = createAnchors();
      anchor(one.name);
      const told = new Map<string, string>();
      const body = one.entries.flatMap((entry) => writeEntry(entry, told, anchor));
      const others = packages.filter((other) => other !== one);
      return [
        `# ${code(one.name)}`,
        "",
        `${one.description}. Made from the doc comments by ${code("npm run docs")}.`,
        "",
        `Other packages: ${others.map(({ folder, name }) => `[${name}](${folder}.md)`).join(", ")}.`,
        "",
        ...body,
      ]
        .join("\n")
        .trimEnd()
        .concat("\n");
    },
  }));
};

type Anchor = (heading: string) => string;

/** Anchors as GitHub gives them: a heading that comes again gets a number. */
function createAnchors(): Anchor {
  const given = new Map<string, number>();
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-");
    const times = given.get(slug) ?? 0;
    given.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  };
}

/** A declaration that an earlier entry of the package has is told there; here it is only named. */
function writeEntry(entry: Entry, told: Map<string, string>, anchor: Anchor): readonly string[] {
  anchor(entry.name);
  const again: string[] = [];
  const isTold = (name: string): boolean => told.get(name) === entry.exports.get(name)![0]!.text;
  const sections = sectionsOf(entry).flatMap(([title, names]) => {
    const fresh = names.filter((name) => !isTold(name));
    again.push(...names.filter(isTold));
    if (fresh.length === 0) return [];
    anchor(title);
    for (const name of fresh) told.set(name, entry.exports.get(name)![0]!.text);
    const links = fresh.map((name) => `[${name}](#${anchor(name)})`);
    return [
      `### ${title}`,
      "",
      links.join(" · "),
      "",
      ...fresh.flatMap((name) => writeName(name, entry.exports.get(name)!, told)),
    ];
  });
  return [
    `## ${code(entry.name)}`,
    "",
    entry.lead,
    "",
    ...(again.length > 0 ? [`It also exports ${again.map(code).join(", ")}.`, ""] : []),
    ...sections,
  ];
}

/** Private types that several exports need are written once a page. */
function writeName(
  name: string,
  [own, ...others]: readonly Declaration[],
  told: Map<string, string>,
): readonly string[] {
  const fresh = others.filter((other) => !told.has(other.name));
  for (const { name: other, text } of fresh) told.set(other, text);
  return [
    `#### ${name}`,
    "",
    own!.comment,
    "",
    "```ts",
    [own!, ...fresh].map(({ text }) => text).join("\n\n"),
    "```",
    "",
  ];
}

/** The sections of an entry, or an error that names what the table has too much or too little. */
function sectionsOf({ name, exports }: Entry): readonly (readonly [string, readonly string[]])[] {
  const sections = Object.entries(apiSections[name] ?? {}).map(
    ([title, names]) => [title, names.split(" ")] as const,
  );
  const listed = sections.flatMap(([, names]) => names);
  const missing = [...exports.keys()].filter((exported) => !listed.includes(exported));
  const unknown = listed.filter((exported) => !exports.has(exported));
  if (missing.length + unknown.length > 0)
    throw new Error(
      `scripts/api-sections.ts, ${name}: add ${missing.join(", ") || "nothing"}; remove ${unknown.join(", ") || "nothing"}`,
    );
  return sections;
}
