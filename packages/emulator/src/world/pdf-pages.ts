/** A PDF in base64, bare or as a data URL; the bytes may follow other parameters of the URL. */
const pdfInBase64 = /^(?:data:[^,]{0,200},)?(?=JVBERi)/;

/** The size assumed for a page if the file does not say how many pages it has. */
const bytesOfPage = 50_000;

/** A counted page; `/Pages` is the tree above them. */
const page = /\/Type\s*\/Page(?![A-Za-z])/g;

/** Files made for the web say how many pages they have before anything else. */
const linearized = /\/Linearized\b[^>]{0,200}?\/N\s+(\d+)/;

const bytesOf = (base64: string): string => {
  try {
    return atob(base64);
  } catch {
    return "";
  }
};

/**
 * How many pages a PDF has; `undefined` if it is not a PDF. If its pages are compressed, the
 * number is estimated from its size.
 */
export const countPages = (text: string): number | undefined => {
  const start = pdfInBase64.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const bytes = bytesOf(text.slice(start));
  const told = Number(linearized.exec(bytes.slice(0, 2000))?.[1] ?? 0);
  const seen = told > 0 ? told : (bytes.match(page)?.length ?? 0);
  return seen > 0 ? seen : Math.max(1, Math.ceil(bytes.length / bytesOfPage));
};
