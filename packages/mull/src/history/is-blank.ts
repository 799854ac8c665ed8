/** Nothing, or nothing but space. */
export const isBlank = (text: string): boolean => !/\S/.test(text);
