import { findModel, type Model } from "mull";

const matchesPattern = (pattern: string, id: string): boolean =>
  pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;

/** Whether a model reads seals that another one made. */
export const readsSealsOf = (reader: Model, maker: Model): boolean => {
  const made = maker.row ?? maker.id;
  return (
    made === (reader.row ?? reader.id) ||
    (reader.seals?.reads.some((pattern) => matchesPattern(pattern, made)) ?? false)
  );
};

export const modelOfSeal = (id: string, own: readonly Model[] | undefined): Model =>
  findModel(id, own === undefined ? {} : { models: own });
