import { closeSync, fsyncSync, openSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type Init = Parameters<NodeFS["init"]>[1];
type PreparedFs = Awaited<ReturnType<NodeFS["init"]>>;

/** What the hook needs of the engine's Node file layer. */
interface NodeFsModule {
  readonly NODEFS: {
    readonly stream_ops: { fsync?: (stream: FileStream) => number };
    readonly realPath: (node: unknown) => string;
  };
}
interface FileStream {
  readonly nfd?: number | null;
  readonly node: unknown;
}

/** The engine's number for EIO. It must see a failed sync, or it would acknowledge the commit. */
const ioError = 29;

/** PGlite's Node file layer plus the fsync it lacks. Without it, a power cut loses commits. */
export class SyncedNodeFS extends NodeFS {
  #syncs = 0;

  /** How often the engine asked for a sync. */
  get syncs(): number {
    return this.#syncs;
  }

  override async init(db: PGlite, options: Init): Promise<PreparedFs> {
    const prepared = await super.init(db, options);
    const hook = (module: unknown): void => {
      const { NODEFS } = module as NodeFsModule;
      NODEFS.stream_ops.fsync = (stream): number => this.#sync(NODEFS, stream);
    };
    const { preRun } = prepared.emscriptenOpts;
    prepared.emscriptenOpts.preRun = [...(Array.isArray(preRun) ? preRun : []), hook];
    return prepared;
  }

  #sync(layer: NodeFsModule["NODEFS"], stream: FileStream): number {
    try {
      if (stream.nfd !== null && stream.nfd !== undefined) fsyncSync(stream.nfd);
      else syncFolder(layer.realPath(stream.node));
      this.#syncs += 1;
      return 0;
    } catch {
      return ioError;
    }
  }
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
