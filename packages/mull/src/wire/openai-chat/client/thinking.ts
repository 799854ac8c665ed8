import type { MutableJsonObject, JsonObject } from "../../../types/json.ts";
import {
  warning,
  type Note,
  type ShowThinking,
  type ThinkingSetting,
} from "../../../types/plan.ts";
import type { Quirks } from "../../../types/quirks.ts";
import type { EncodeTarget } from "../../../types/wire.ts";

export interface ThinkingFields {
  readonly fields: JsonObject;
  readonly notes: readonly Note[];
  /** Thinking is off for certain. Sampling and forced tools may depend on it. */
  readonly isOff: boolean;
}

/** Whether a model refuses effort together with function tools on Chat Completions: OpenAI's do from gpt-5.2 on. */
export const refusesEffortWithTools = (modelId: string): boolean =>
  /^gpt-(5\.[2-9]|[6-9]|\d\d)/.test(modelId);

/** Whether a model refuses `stop`: OpenAI's o-series but o3-mini. */
export const refusesStop = (modelId: string): boolean => /^o(?!3-mini)\d/.test(modelId);

/** Writes the thinking setting in the vendor's form. */
export function encodeThinking(
  setting: ThinkingSetting,
  show: ShowThinking,
  hasTools: boolean,
  target: EncodeTarget,
): ThinkingFields {
  const { model, quirks } = target;
  const fields: MutableJsonObject = {};
  const notes: Note[] = [];
  const knob = quirks?.knob ?? "reasoning_effort";
  const words = readSetting(setting);
  const say = (code: string, message: string): void => {
    notes.push(warning(code, message));
  };

  if (quirks?.knob === undefined && hasTools && refusesEffortWithTools(model.id)) {
    return encodeBesideTools(words, target);
  }
  if (words.isSet) writers[knob](words, fields, quirks ?? {});
  if (words.budget !== undefined && !takesBudget(quirks)) {
    say("budget-dropped", `${model.id} takes no thinking budget on this API`);
  }
  if (knob === "none" && words.isSet) {
    say("thinking-dropped", `${model.id} has no switch for thinking on this API`);
  }
  if (model.thinking.kind !== "none") {
    Object.assign(fields, show === false ? quirks?.hiddenBody : quirks?.shownBody);
    if (knob === "reasoning-object" && show === false && !words.isOff) {
      fields["reasoning"] = { ...(fields["reasoning"] as JsonObject | undefined), exclude: true };
    }
  }
  return { fields, notes, isOff: words.isOff || model.thinking.kind === "none" };
}

interface ThinkingWords {
  /** Something is to be sent. */
  readonly isSet: boolean;
  readonly isOff: boolean;
  readonly effort: string | undefined;
  readonly budget: number | undefined;
  /** Turned off by the effort `none`, not by the vendor's switch. */
  readonly isEffortNone: boolean;
}

function readSetting(setting: ThinkingSetting): ThinkingWords {
  const words: ThinkingWords = {
    isSet: true,
    isOff: false,
    effort: undefined,
    budget: undefined,
    isEffortNone: false,
  };
  switch (setting.type) {
    case "default":
      return { ...words, isSet: false };
    case "off":
      return setting.form === "omit" || setting.form === "never"
        ? {
            ...words,
            isSet: setting.effort !== undefined,
            isOff: setting.form === "omit",
            effort: setting.effort,
          }
        : { ...words, isOff: true, isEffortNone: setting.form === "effort-none" };
    case "effort":
      return { ...words, effort: setting.effort, isOff: setting.effort === "none" };
    case "level":
      return { ...words, effort: setting.level.toLowerCase() };
    case "budget":
      return {
        ...words,
        budget: setting.tokens,
        effort: setting.effort,
        isOff: setting.tokens === 0,
      };
    case "on":
    default:
      return words;
  }
}

const takesBudget = (quirks: Quirks | undefined): boolean =>
  quirks?.budgetField !== undefined || quirks?.knob === "reasoning-object";

type Writer = (words: ThinkingWords, fields: MutableJsonObject, quirks: Quirks) => void;

const writeEffort: Writer = ({ effort, isOff }, fields, { knobOn }) => {
  const word = isOff ? "none" : (effort ?? knobOn);
  if (word !== undefined) fields["reasoning_effort"] = word;
};

const writeBudget: Writer = ({ budget }, fields, { budgetField }) => {
  if (budget !== undefined && budgetField !== undefined) fields[budgetField] = budget;
};

const writeType: Writer = ({ isOff }, fields, { knobOn, knobFields }) => {
  fields["thinking"] = isOff
    ? { type: "disabled" }
    : { type: knobOn ?? "enabled", ...(knobFields as JsonObject | undefined) };
};

const writers: Readonly<Record<NonNullable<Quirks["knob"]>, Writer>> = {
  reasoning_effort: (words, fields, quirks) => {
    writeEffort(words, fields, quirks);
    writeBudget(words, fields, quirks);
  },
  "reasoning-object": ({ effort, budget, isOff, isEffortNone }, fields, { knobFields }) => {
    const wish = isOff
      ? isEffortNone || effort === "none"
        ? { effort: "none" }
        : { enabled: false }
      : budget !== undefined
        ? { max_tokens: budget }
        : effort !== undefined
          ? { effort }
          : { enabled: true };
    fields["reasoning"] = isOff ? wish : { ...wish, ...(knobFields as JsonObject | undefined) };
  },
  "thinking-type": (words, fields, quirks) => {
    writeType(words, fields, quirks);
    writeBudget(words, fields, quirks);
  },
  "thinking-type+effort": (words, fields, quirks) => {
    writeType(words, fields, quirks);
    if (words.effort !== undefined && !words.isOff) fields["reasoning_effort"] = words.effort;
  },
  enable_thinking: (words, fields, quirks) => {
    fields["enable_thinking"] = !words.isOff;
    if (words.effort !== undefined && !words.isOff) fields["reasoning_effort"] = words.effort;
    writeBudget(words, fields, quirks);
  },
  chat_template_kwargs: (words, fields, quirks) => {
    const { templateKey = "enable_thinking", knobFields } = quirks;
    fields["chat_template_kwargs"] = {
      [templateKey]: !words.isOff,
      ...(knobFields as JsonObject | undefined),
    };
    if (words.effort !== undefined && !words.isOff) fields["reasoning_effort"] = words.effort;
    writeBudget(words, fields, quirks);
  },
  prompt_mode: ({ isOff }, fields) => {
    if (!isOff) fields["prompt_mode"] = "reasoning";
  },
  none: () => undefined,
};

/** Together with tools only effort `none` is accepted. Models without `none` take no tools here. */
function encodeBesideTools(words: ThinkingWords, { model }: EncodeTarget): ThinkingFields {
  const traits = model.thinking;
  const canBeOff = traits.kind === "effort" && traits.efforts.includes("none");
  const message = canBeOff
    ? `${model.id} takes tools on Chat Completions only without thinking: effort none is sent`
    : `${model.id} takes no tools on Chat Completions: use the Responses API`;
  // Where nothing is asked, the plan has said it already.
  const isAsked = words.isSet && !words.isOff;
  return {
    fields: canBeOff ? { reasoning_effort: "none" } : {},
    notes: isAsked ? [warning("effort-with-tools", message)] : [],
    isOff: canBeOff,
  };
}
