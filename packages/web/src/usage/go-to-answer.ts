/** A conversation has that many pieces at most that are shown one after the other. */
const mostPieces = 100;

/** Brings an answer into view, with all that has to be shown before it. */
export async function goToAnswer(page: Document, messageId: string): Promise<void> {
  for (let piece = 0; piece < mostPieces; piece++) {
    const answer = page.getElementById(`m-${messageId}`);
    if (answer !== null) {
      // With the focus there the thread knows that the reader has left its end.
      answer.focus({ preventScroll: true });
      answer.scrollIntoView({ block: "start" });
      return;
    }
    const earlier = page.querySelector<HTMLElement>("#thread .earlier");
    if (earlier === null) return;
    earlier.click();
    await new Promise((resolve) => setTimeout(resolve));
  }
}
