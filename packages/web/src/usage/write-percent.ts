/** `12 %`; what is there is never 0 %. */
export function writePercent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? "under 1 %" : `${Math.round(value)} %`;
}
