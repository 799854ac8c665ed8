import {
  Agent,
  compose,
  countTokens,
  estimateTokens,
  findKey,
  findModel,
  History,
  isMullError,
  planThinking,
  resolveModel,
  type AgentEvent,
  type AgentOptions,
  type ChatRequest,
  type ChatTarget,
  type Composed,
  type Environment,
  type Level,
  type Message,
  type Repair,
  type ThinkingPlan,
  type TokenCount,
  type Tool,
  type UserPart,
} from "mull";
import { heal } from "mull/rules";
import { withFiles } from "../ask/file-part.ts";
import type { Backend } from "../session/backend.ts";
import { noKeyFor } from "../session/resolve.ts";
import { withDecisions } from "../session/with-decisions.ts";
import { Permissions } from "../tools/permissions.ts";
import { ToolShelf } from "../tools/tool-shelf.ts";
import { AnswerDraft, type LedgerEntry } from "./answer.ts";
import { isAborted, isAboutThinking, isMissing } from "./error-text.ts";
import { Keeper, type KeptConversation } from "./keeper.ts";
import { readerOf } from "./reader-of.ts";
import type { AskOptions, FailedTurn, SessionOptions } from "./session-options.ts";

/** The conversation behind the screen: agent, file and ledger. Knows nothing of terminals. */
export class ChatSession {
  readonly #options: SessionOptions;
  readonly keeper: Keeper;
  #backend: Backend;
  #agent: Agent;
  #system: string | undefined;
  readonly #tools: ToolShelf;
  readonly permissions: Permissions;
  #thinkingBudget: number | undefined;
  /** The target that answered last (at first, the starting one): the way back from a model that does not exist. */
  #proven: { readonly target: ChatTarget; readonly budget: number | undefined };
  #answers: LedgerEntry[] = [];
  #takenBack: LedgerEntry[] = [];
  #context: number | undefined;
  #draft: AnswerDraft | undefined;
  #leave: (() => Promise<void>) | undefined;
  fallback: readonly string[];
  lastFailure: FailedTurn | undefined;
  /** Providers whose key was set in this chat: it wins over the environment's until the chat ends. */
  readonly replacedKeys: Set<string> = new Set<string>();
  /** Files that go with the next question. */
  attached: readonly UserPart[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#backend = options.backend;
    this.keeper = new Keeper({ folder: options.folder, onTrouble: options.onTrouble });
    this.#system = options.system;
    this.fallback = options.fallback ?? [];
    this.#tools = new ToolShelf(options.tools);
    this.permissions = new Permissions(options.allow);
    this.#agent = this.#newAgent(options.backend.target, History.empty);
    this.#proven = { target: options.backend.target, budget: undefined };
    this.#keepChoice();
  }

  get history(): History {
    return this.#agent.history;
  }
  get target(): ChatTarget & { readonly level: Level } {
    const target = this.#agent.target;
    return { ...target, level: target.level ?? "auto" };
  }
  /** The model that answers the current step; `use` only changes the next one. */
  get answering(): string | undefined {
    return this.#agent.answering?.model.id;
  }
  get isSimulated(): boolean {
    return this.#backend.isSimulated;
  }
  get isRunning(): boolean {
    return this.#agent.isRunning;
  }
  get answers(): readonly LedgerEntry[] {
    return this.#answers;
  }
  /** Answers that were asked for again or edited away: out of sight, but paid for. */
  get takenBack(): readonly LedgerEntry[] {
    return this.#takenBack;
  }
  get system(): string | undefined {
    return this.#system;
  }
  get tools(): readonly Tool[] {
    return this.#tools.chosen;
  }
  get allTools(): readonly Tool[] {
    return this.#tools.all;
  }
  get thinkingBudget(): number | undefined {
    return this.#thinkingBudget;
  }
  /** Tokens of the conversation: as the service counted them last, else a guess. */
  get contextTokens(): number {
    return this.#context ?? estimateTokens(this.history.messages);
  }

  /** What would be sent about thinking now, or for another choice. */
  plan(
    target: ChatTarget = this.target,
    budget: number | undefined = this.#thinkingBudget,
  ): ThinkingPlan {
    return planThinking({
      model: target.model,
      level: target.level ?? this.target.level,
      wire: target.provider.wire.id,
      ...(budget !== undefined && { thinkingBudget: budget }),
      maxOutputTokens: this.#options.maxOutputTokens,
    });
  }

  /** The whole request as it would go out next. Nothing is sent. */
  composeNext(
    target: ChatTarget = this.target,
    messages: readonly Message[] = this.history.messages,
  ): Composed {
    return compose(target, this.#nextRequest(target, messages), {
      modelOf: (id) => findModel(id),
      simulated: this.isSimulated,
      ...readerOf(target, this.history.messages),
    });
  }

  /** How many tokens the conversation takes, asked of the service if it counts. */
  countNext(target: ChatTarget): Promise<TokenCount> {
    const request = this.#nextRequest(target, this.history.messages);
    return countTokens(target, request, this.#backend.options);
  }

  #nextRequest(target: ChatTarget, messages: readonly Message[]): ChatRequest {
    return {
      messages,
      level: target.level ?? this.target.level,
      tools: this.tools.map((tool) => tool.spec),
      system: this.#system,
      maxOutputTokens: this.#options.maxOutputTokens,
    };
  }

  /** Checks a choice without making it. */
  resolve(ref: string): ChatTarget {
    const target = resolveModel(ref);
    if (!this.hasKeyFor(target)) throw noKeyFor(target);
    return target;
  }

  hasKeyFor(target: Pick<ChatTarget, "provider">): boolean {
    const { env } = this.#backend.options;
    const { provider } = target;
    return (
      this.isSimulated || provider.auth === "none" || findKey(provider, env ?? {}) !== undefined
    );
  }

  /** Changes model and level; during a turn from the next step on. */
  use(target: ChatTarget, thinkingBudget?: number): ThinkingPlan {
    const level = target.level ?? this.target.level;
    const plan = this.plan({ ...target, level }, thinkingBudget);
    this.#thinkingBudget = thinkingBudget;
    this.#agent.use({ model: target, level, thinkingBudget });
    this.#keepChoice();
    return plan;
  }

  /** Another level; a running turn keeps its own. */
  useLevel(level: Level): ThinkingPlan {
    const plan = this.plan({ ...this.target, level }, undefined);
    this.#thinkingBudget = undefined;
    this.#agent.use({ level, thinkingBudget: undefined });
    this.#keepChoice();
    return plan;
  }

  /** If the service lacks this model, goes back to the one before; says whether it did. */
  leaveMissing(error: unknown): boolean {
    const { target, budget } = this.#proven;
    const { id } = this.target.model;
    if (!isMissing(error, id) || id === target.model.id) return false;
    this.use(target, budget);
    return true;
  }

  #keepChoice(): void {
    const { provider, model, level } = this.target;
    this.keeper.setInfo({ model: `${provider.id}:${model.id}/${level}` });
  }

  setSystem(system: string | undefined): void {
    this.#system = system;
    this.keeper.setInfo({ system: system ?? null });
    this.#renew();
  }

  /** Reads the keys again. A service cannot read the emulator's seals, so a simulated conversation stays simulated. */
  setKeys(env: Environment): void {
    if (this.isSimulated) return;
    this.#backend = { ...this.#backend, options: { ...this.#backend.options, env } };
    this.#renew();
  }

  setFallback(refs: readonly string[]): void {
    this.fallback = refs;
    this.#renew();
  }

  setTools(tools: readonly Tool[]): void {
    this.#tools.choose(tools);
  }

  /** Asks and streams the turn; whatever ends it, the conversation stays valid and kept. */
  async *ask(
    input: string | readonly UserPart[],
    asked: AskOptions,
  ): AsyncGenerator<AgentEvent, void> {
    const startedAt = this.#options.clock.now();
    const { fix } = asked;
    if (fix && this.#options.heal === "fail") this.#renew({ heal: "repair" });
    const before = this.history.length;
    const draft = new AnswerDraft(before);
    this.#draft = draft;
    const agent = this.#agent;
    const options = {
      signal: asked.signal,
      ...(fix && isAboutThinking(this.lastFailure?.error) && { level: "none" as const }),
    };
    const first = agent.sendStream(withFiles(input, this.attached), options);
    const stream = withDecisions(agent, first, asked.decide, options);
    const settle = (): Promise<void> => this.#settle(draft, startedAt);
    this.#leave = () => {
      draft.cut("stopped", stream.receipts());
      return settle();
    };
    try {
      for await (const event of stream.events) {
        this.keeper.take(event, agent.history);
        if (event.type === "step") this.#addStep(event.result);
        yield event;
      }
      this.lastFailure = undefined;
      this.attached = [];
    } catch (error) {
      const isLost = this.history.length <= before;
      this.lastFailure = { input, error, isLost };
      draft.cut(isAborted(error) ? "stopped" : "failed", stream.receipts());
      if (!isLost) this.attached = [];
      throw error;
    } finally {
      if (fix && this.#options.heal === "fail" && !agent.isRunning) this.#renew();
      await settle();
    }
  }

  /** Puts the turn into ledger and file, once: one that was abandoned may still come to an end. */
  async #settle(draft: AnswerDraft, startedAt: number): Promise<void> {
    if (this.#draft !== draft) return;
    this.#draft = undefined;
    this.#leave = undefined;
    const answer = draft.finish(this.#options.clock.now() - startedAt, this.history.length);
    if (answer !== undefined) this.#answers.push(answer);
    await this.keeper.endTurn(this.history, answer);
  }

  /** The rule a refusal comes from, if the service's words are known. Nothing is sent. */
  explain(error: unknown, input: string | readonly UserPart[]): Repair | undefined {
    if (!isMullError(error) || error.status === undefined) return undefined;
    const parts: readonly UserPart[] =
      typeof input === "string" ? [{ type: "text", text: input }] : input;
    try {
      const messages: readonly Message[] = [...this.history.messages, { role: "user", parts }];
      const { plan, encoded } = this.composeNext(this.target, messages);
      const { model } = this.target;
      return heal({ wire: plan.wire, model, body: encoded.body, error })?.repair;
    } catch {
      return undefined;
    }
  }

  /** Leaves a turn that does not end; what came stays. */
  abandon(): void {
    if (!this.#agent.isRunning) return;
    this.#renew();
    void this.#leave?.();
  }

  /** Everything is kept, and the programs behind the tools are gone. */
  async end(): Promise<void> {
    await this.keeper.end();
    await this.#options.onEnd?.();
  }

  /** Goes back to an earlier state; what followed stays in the file as a branch. */
  async rewind(length: number): Promise<void> {
    this.#agent.history = this.history.fork(length);
    this.#takenBack.push(...this.#answers.filter((answer) => answer.after > length));
    this.#forgetAfter(length);
    await this.keeper.keep(this.history);
  }

  /** Starts over, or from a copy of these messages, in a file of its own. */
  async startNew(messages: readonly Message[] = []): Promise<void> {
    this.permissions.forget();
    await this.keeper.close();
    this.#agent.history = History.from(messages);
    this.#takenBack = [];
    this.#forgetAfter(messages.length);
    this.lastFailure = undefined;
    this.#keepChoice();
    if (this.#system !== undefined) this.keeper.setInfo({ system: this.#system });
    if (messages.length > 0) await this.#keepCopy();
  }

  /** Puts a copied conversation into its file, with what is known of its answers. */
  async #keepCopy(): Promise<void> {
    for (const answer of this.#answers)
      await this.keeper.endTurn(this.history.fork(answer.after), { ...answer, isCopied: true });
    await this.keeper.keep(this.history);
  }

  async openFile(path: string): Promise<KeptConversation> {
    this.permissions.forget();
    const found = await this.keeper.open(path);
    this.#agent.history = found.history;
    this.#answers = [...found.answers];
    this.#takenBack = [...found.takenBack];
    this.#context = undefined;
    this.lastFailure = undefined;
    const { model, system } = found.info;
    if (typeof system === "string") this.setSystem(system);
    if (typeof model === "string" && !this.#options.isModelFixed) this.#tryModel(model);
    if (found.heldBy !== undefined) {
      this.#agent.history = History.from(found.history.messages);
      this.#takenBack = [];
      await this.#keepCopy();
    }
    return found;
  }

  #tryModel(ref: string): void {
    try {
      const target = this.resolve(ref);
      this.use(this.#options.isLevelFixed ? { ...target, level: this.target.level } : target);
    } catch {
      // Its vendor may have no key here.
    }
  }

  #addStep(result: Parameters<AnswerDraft["add"]>[0]): void {
    this.#draft?.add(result);
    // A model chosen while this one answered has not answered yet.
    if (result.receipt.plan.model === this.target.model.id)
      this.#proven = { target: this.target, budget: this.#thinkingBudget };
    const { input, cacheRead = 0, cacheWrite = 0, output = 0 } = result.usage;
    if (input !== undefined) this.#context = input + cacheRead + cacheWrite + output;
  }

  #forgetAfter(length: number): void {
    this.#answers = this.#answers.filter((answer) => answer.after <= length);
    this.#context = undefined;
  }

  #renew(more?: Pick<AgentOptions, "heal">): void {
    this.#agent = this.#newAgent(this.target, this.history, more);
  }

  #newAgent(target: ChatTarget, history: History, more?: Pick<AgentOptions, "heal">): Agent {
    const { maxOutputTokens, cache, heal: healing } = this.#options;
    return new Agent(target, {
      ...this.#backend.options,
      history,
      tools: () => this.tools,
      system: this.#system,
      thinkingBudget: this.#thinkingBudget,
      maxOutputTokens,
      fallback: this.fallback,
      cache,
      heal: healing,
      ...more,
    });
  }
}
