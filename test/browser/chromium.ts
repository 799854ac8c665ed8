import sparticuz from "@sparticuz/chromium";
import { chromium, type Browser } from "playwright-core";

const unwanted: ReadonlySet<string> = new Set([
  "--single-process",
  "--no-zygote",
  "--disable-web-security",
]);

/** The Chromium of `CHROME_PATH`, or the one that is installed with the tests. */
export async function launchChromium(): Promise<Browser> {
  const installed = process.env["CHROME_PATH"];
  return chromium.launch({
    executablePath: installed ?? (await sparticuz.executablePath()),
    args: sparticuz.args.filter((arg) => !unwanted.has(arg)),
  });
}

/** Whether one starts on this machine; some lack the libraries it needs. */
export const hasChromium = (launch: () => Promise<Browser> = launchChromium): Promise<boolean> =>
  launch().then(
    async (browser) => {
      await browser.close();
      return true;
    },
    () => false,
  );
