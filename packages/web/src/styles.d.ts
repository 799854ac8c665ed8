/** The bundler puts it into a file of its own. */
declare module "katex/dist/katex.min.css";
