import { says, script } from "@mull/emulator";
import { expect, test } from "vitest";
import { mull } from "../testing/fake-io.ts";
