import { readSettingsFile, type Settings } from "./settings.ts";
import { writePrivate } from "./write-private.ts";

/** Stores one setting in the user's file. Everything else in it stays. */
export async function keepSetting<Name extends keyof Settings>(
  path: string,
  name: Name,
  value: NonNullable<Settings[Name]>,
): Promise<void> {
  const settings = await readSettingsFile(path);
  if (settings[name] === value) return;
  await writePrivate(path, `${JSON.stringify({ ...settings, [name]: value }, undefined, 2)}\n`);
}
